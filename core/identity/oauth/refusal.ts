/** Error codes of RFC 6749 and its extensions, with their HTTP status. */
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

/** Error code of RFC 6749 or of one of its extensions. */
export type RefusalCode = keyof typeof statuses

interface Extra {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** OAuth error that is reported to an app in the format of RFC 6749, section 5.2. */
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

/** Creates an `invalid_request` error. */
export const invalidRequest = (message: string) => new Refusal('invalid_request', message)
/** Creates the one `invalid_grant` error for all codes and tokens that do not work. It does not reveal the reason. */
export const invalidGrant = () =>
  new Refusal('invalid_grant', 'The code or token is unknown, expired, used, revoked, or was given to another app.')
