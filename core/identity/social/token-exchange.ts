import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { assertDirectUser, directUserOf, type Principal, unauthenticatedError } from '../../http/auth/principal.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findPublicUser } from '../auth/account.ts'
import { authErrors } from '../auth/auth.errors.ts'
import type { ClientOrigin } from '../auth/sign-in/create-session.ts'
import type { Session } from '../auth/sign-in/sign-in.ts'
import { requireSocialClient, type SocialClient } from './providers/clients.ts'
import { type VerifiedIdentity, verifyProviderCode, verifyProviderToken } from './providers/verify.ts'
import { linkIdentity, signInWithIdentity } from './sign-in.ts'
import { socialErrors } from './social.errors.ts'
import type { SocialCodeInput, SocialSignInResponse, SocialTokenInput } from './social.model.ts'
import { insertSpentToken } from './social.queries.ts'
import { assertRegisteredRedirect } from './start-flow.ts'
import { linkByTicket, signInByTicket, verifyTicket } from './tickets.ts'

/** Program that sends a token or code. With a credential it can link instead of sign in. */
export interface ExchangeCaller {
  readonly caller: Principal | null
  readonly from: ClientOrigin
}

/** Signs in or links with a token that the provider gave to an app. */
export async function signInByToken(
  context: Context,
  slug: string,
  given: SocialTokenInput,
  asker: ExchangeCaller,
): Promise<SocialSignInResponse> {
  const client = await requireSocialClient(context, slug)
  const session = given.link ? requireLinkingSession(asker) : null
  const proven = await verifyProviderToken(context, client, asker.from.address, given.token, given.nonce)
  return signInOrLink(context, client, proven, session, given, asker)
}

/**
 * Signs in or links with a ticket, or with a code that the provider gave to an app. Throws `invalid_request` unless exactly one is sent.
 */
export async function signInByCode(
  context: Context,
  slug: string,
  given: SocialCodeInput,
  asker: ExchangeCaller,
): Promise<SocialSignInResponse> {
  const client = await requireSocialClient(context, slug)
  if ((given.ticket === undefined) === (given.code === undefined)) throw socialErrors.ticketOrCode({ field: [] })
  if (given.ticket !== undefined) return useTicket(context, client, given.ticket, given, asker)
  const { code = '', redirectUri, codeVerifier, nonce } = given
  if (redirectUri !== undefined) assertRegisteredRedirect(client, redirectUri)
  const session = given.link ? requireLinkingSession(asker) : null
  const proven = await verifyProviderCode(context, client, asker.from.address, { code, redirectUri, verifier: codeVerifier }, { nonce })
  return signInOrLink(context, client, proven, session, given, asker)
}

type SignInValues = Pick<SocialCodeInput, 'email' | 'name' | 'secondFactor'>

async function useTicket(
  context: Context,
  { adapter }: SocialClient,
  ticket: string,
  given: SocialCodeInput,
  asker: ExchangeCaller,
): Promise<SocialSignInResponse> {
  const userId = asker.caller ? (directUserOf(asker.caller) ?? undefined) : undefined
  const opened = await verifyTicket(context, adapter.slug, ticket, { verifier: given.verifier, userId })
  if (opened.purpose === 'sign_in') return signInByTicket(context, adapter, opened, signInValues(given, asker))
  if (userId === undefined || opened.userId !== userId) throw socialErrors.ticketInvalid()
  requireLinkingSession(asker)
  await linkByTicket(context, adapter, opened)
  return linkedResponse(context, userId)
}

const signInValues = ({ email, name, secondFactor }: SignInValues, { from }: ExchangeCaller) => ({
  email,
  name,
  secondFactor,
  origin: from,
})

async function signInOrLink(
  context: Context,
  { adapter: provider }: SocialClient,
  { profile, sealedToken, token }: VerifiedIdentity,
  session: Session | null,
  values: SignInValues,
  asker: ExchangeCaller,
): Promise<SocialSignInResponse> {
  const spend = async (tx: Parameters<typeof insertSpentToken>[0]) => {
    if (token && !(await insertSpentToken(tx, token.digest, token.expiresAt))) throw socialErrors.ticketInvalid()
  }
  const shown = { provider, profile, sealedToken }
  if (session === null) return signInWithIdentity(context, { ...signInValues(values, asker), ...shown, consumeProof: spend })
  await transaction(context.sql, async (tx) => {
    await spend(tx)
    if (!(await linkIdentity(tx, context, session, shown))) throw authErrors.sessionEnded()
  })
  return linkedResponse(context, session.userId)
}

/** Returns the session of the user who links. Throws `unauthenticated` without one; administrators cannot link in the name of a user. */
function requireLinkingSession({ caller }: ExchangeCaller): Session {
  const userId = caller ? directUserOf(caller) : null
  if (!caller || userId === null) throw unauthenticatedError()
  assertDirectUser(caller.person)
  return { id: caller.credentialId, userId }
}

async function linkedResponse({ sql }: Pick<Context, 'sql'>, userId: string): Promise<SocialSignInResponse> {
  const user = await findPublicUser(sql, userId)
  if (!user) throw notFound('The account')
  return { outcome: 'linked', user, token: null }
}
