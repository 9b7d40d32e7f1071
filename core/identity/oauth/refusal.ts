/** Errors of RFC 6749 and those that build on it, with their status where an app is answered directly. */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  access_denied: 403,
  request_not_supported: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  slow_down: 429,
  temporarily_unavailable: 503,
  server_error: 500,
} as const

export type RefusalCode = keyof typeof statuses

interface Extra {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** What an app did wrong, in the words of RFC 6749 (section 5.2); no answer of ours but these has them. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly extra: Extra = {},
  ) {
    super(message)
    this.status = extra.status ?? statuses[code]
  }
}

export const invalidRequest = (message: string) => new Refusal('invalid_request', message)
/** One answer for all that a code or token can be: nobody learns which. */
export const invalidGrant = () =>
  new Refusal('invalid_grant', 'The code or token is unknown, expired, used, revoked, or was given to another app.')
