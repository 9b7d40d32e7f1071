import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { serverAddressFor } from '../../../http/address/server-address.ts'
import type { Language } from '../../../http/pages/language.ts'
import type { ClientOrigin } from '../../auth/sign-in/create-session.ts'
import { requestCode, throttleCodeRequest } from '../../codes/request-code.ts'
import { PasskeyAuthentication } from '../../passkeys/passkeys.model.ts'
import { finishAuthentication, relyingPartyOf } from '../../passkeys/passkeys.ts'
import { oauthErrors } from '../oauth.errors.ts'

/** Signs in with the response of an authenticator. Throws `invalid_credentials`, and `invalid_request` when it is not such a response. */
export function signInWithPasskey(context: Context, request: Request, response: unknown, origin: ClientOrigin) {
  if (!Value.Check(PasskeyAuthentication, response)) throw oauthErrors.passkeyFieldInvalid()
  return finishAuthentication(context, response, relyingPartyOf(serverAddressFor(context, request), context.config.corsOrigins), origin)
}

interface PasswordResetRequest {
  readonly email: string
  readonly language: Language
  /** Network address of the caller, which is rate-limited. */
  readonly address: string
}

/** Mails a link to choose a new password, if an account has this address. Throws `rate_limited`. */
export async function requestPasswordReset(context: Context, { address, ...rest }: PasswordResetRequest): Promise<void> {
  const input = { purpose: 'reset_password' as const, ...rest }
  const near = await throttleCodeRequest(context, input, address)
  await transaction(context.sql, (tx) => requestCode(tx, { ...input, ...near }))
}
