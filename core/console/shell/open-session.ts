import type { Context } from '../../context.ts'
import type { User } from '../../identity/auth/auth.model.ts'
import type { ClientOrigin } from '../../identity/auth/sign-in/create-session.ts'
import { signIn } from '../../identity/auth/sign-in/sign-in.ts'
import { signInByLink } from '../../identity/codes/sign-in-link.ts'
import { finishAuthentication, type RelyingParty } from '../../identity/passkeys/passkeys.ts'
import { signInByCode } from '../../identity/social/token-exchange.ts'
import { invariant } from '../../lib/invariant.ts'
import { consoleErrors } from './console.errors.ts'
import type { ConsoleSignIn } from './session.model.ts'

/** User who signed in, and the token of the new session. */
export interface OpenedSession {
  readonly user: User
  readonly token: string
}

/**
 * Signs in to the console with a password, a passkey, the ticket of a social provider or a link. Throws `invalid_request` unless exactly one is
 * sent, and the errors of the means.
 */
export async function openConsoleSession(
  context: Context,
  { password, passkey, social, link, isOwnDevice }: ConsoleSignIn,
  party: RelyingParty,
  client: ClientOrigin,
): Promise<OpenedSession> {
  if ([password, passkey, social, link].filter((each) => each !== undefined).length !== 1) throw consoleErrors.oneMeans({ field: [] })
  const origin = { ...client, isSharedDevice: !isOwnDevice }
  if (password) return signIn(context, password, origin)
  if (passkey) return finishAuthentication(context, passkey, party, origin)
  if (link) return signInByLink(context, link, origin)
  const { provider, ...ticket } = invariant(social, 'The means of a sign-in')
  const { user, token } = await signInByCode(context, provider, ticket, { caller: null, from: origin })
  return { user, token: invariant(token, 'The token of a sign-in') }
}
