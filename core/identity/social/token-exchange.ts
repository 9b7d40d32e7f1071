import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { assertDirectUser, directUserOf, type Principal, unauthenticated } from '../../http/auth/principal.ts'
import { invalid, notFound } from '../../http/errors/errors.ts'
import { findPerson, sessionOver } from '../auth/account.ts'
import type { Origin } from '../auth/sign-in/open-session.ts'
import type { Session } from '../auth/sign-in/sign-in.ts'
import { assertOwnRedirect } from './begin.ts'
import { clientFor, type SocialClient } from './providers/clients.ts'
import { type Proven, proveCode, proveToken } from './providers/verify.ts'
import { enter, link } from './sign-in.ts'
import type { Entered, GivenCode, GivenToken } from './social.model.ts'
import { spendToken } from './social.queries.ts'
import { enterByTicket, linkByTicket, openTicket, ticketOver } from './tickets.ts'

/** Program that sends a token or code. With a credential it can link instead of sign in. */
export interface Asker {
  readonly caller: Principal | null
  readonly from: Origin
}

/** Signs in or links with a token that the provider gave to an app. */
export async function enterByToken(context: Context, slug: string, given: GivenToken, asker: Asker): Promise<Entered> {
  const client = await clientFor(context, slug)
  const session = given.link ? requireLinkingSession(asker) : null
  const proven = await proveToken(context, client, asker.from.address, given.token, given.nonce)
  return signInOrLink(context, client, proven, session, given, asker)
}

/**
 * Signs in or links with a ticket, or with a code that the provider gave to an app. Throws `invalid_request` unless exactly one is sent.
 */
export async function enterByCode(context: Context, slug: string, given: GivenCode, asker: Asker): Promise<Entered> {
  const client = await clientFor(context, slug)
  if ((given.ticket === undefined) === (given.code === undefined)) throw invalid('/body', 'Send either a ticket or a code.')
  if (given.ticket !== undefined) return useTicket(context, client, given.ticket, given, asker)
  const { code = '', redirectUri, codeVerifier, nonce } = given
  if (redirectUri !== undefined) assertOwnRedirect(client, redirectUri)
  const session = given.link ? requireLinkingSession(asker) : null
  const proven = await proveCode(context, client, asker.from.address, { code, redirectUri, verifier: codeVerifier }, { nonce })
  return signInOrLink(context, client, proven, session, given, asker)
}

type SignInValues = Pick<GivenCode, 'email' | 'name' | 'secondFactor'>

async function useTicket(context: Context, { adapter }: SocialClient, ticket: string, given: GivenCode, asker: Asker): Promise<Entered> {
  const userId = asker.caller ? (directUserOf(asker.caller) ?? undefined) : undefined
  const opened = await openTicket(context, adapter.slug, ticket, { verifier: given.verifier, userId })
  if (opened.purpose === 'sign_in') return enterByTicket(context, adapter, opened, signInValues(given, asker))
  if (userId === undefined || opened.userId !== userId) throw ticketOver()
  requireLinkingSession(asker)
  await linkByTicket(context, adapter, opened)
  return linkedResponse(context, userId)
}

const signInValues = ({ email, name, secondFactor }: SignInValues, { from }: Asker) => ({ email, name, secondFactor, origin: from })

async function signInOrLink(
  context: Context,
  { adapter: provider }: SocialClient,
  { profile, sealedToken, token }: Proven,
  session: Session | null,
  values: SignInValues,
  asker: Asker,
): Promise<Entered> {
  const spend = async (tx: Parameters<typeof spendToken>[0]) => {
    if (token && !(await spendToken(tx, token.digest, token.expiresAt))) throw ticketOver()
  }
  const shown = { provider, profile, sealedToken }
  if (session === null) return enter(context, { ...signInValues(values, asker), ...shown, spend })
  await transaction(context.sql, async (tx) => {
    await spend(tx)
    if (!(await link(tx, context, session, shown))) throw sessionOver()
  })
  return linkedResponse(context, session.userId)
}

/** Returns the session of the user who links. Throws `unauthenticated` without one; administrators cannot link in the name of a user. */
function requireLinkingSession({ caller }: Asker): Session {
  const userId = caller ? directUserOf(caller) : null
  if (!caller || userId === null) throw unauthenticated()
  assertDirectUser(caller.person)
  return { id: caller.credentialId, userId }
}

async function linkedResponse({ sql }: Pick<Context, 'sql'>, userId: string): Promise<Entered> {
  const user = await findPerson(sql, userId)
  if (!user) throw notFound('The account')
  return { outcome: 'linked', user, token: null }
}
