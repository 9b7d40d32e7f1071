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

/** A program that shows what it was given, for a person who signs in or, with a credential, links. */
export interface Asker {
  readonly caller: Principal | null
  readonly from: Origin
}

/** What an app was given by the provider. */
export async function enterByToken(context: Context, slug: string, given: GivenToken, asker: Asker): Promise<Entered> {
  const client = await clientFor(context, slug)
  const session = given.link ? linkerIn(asker) : null
  const proven = await proveToken(context, client, asker.from.address, given.token, given.nonce)
  return enterAs(context, client, proven, session, given, asker)
}

/** A ticket that a browser came back with, or a code that an app was given by the provider itself. */
export async function enterByCode(context: Context, slug: string, given: GivenCode, asker: Asker): Promise<Entered> {
  const client = await clientFor(context, slug)
  if ((given.ticket === undefined) === (given.code === undefined)) throw invalid('/body', 'Send either a ticket or a code.')
  if (given.ticket !== undefined) return byTicket(context, client, given.ticket, given, asker)
  const { code = '', redirectUri, codeVerifier, nonce } = given
  if (redirectUri !== undefined) assertOwnRedirect(client, redirectUri)
  const session = given.link ? linkerIn(asker) : null
  const proven = await proveCode(context, client, asker.from.address, { code, redirectUri, verifier: codeVerifier }, { nonce })
  return enterAs(context, client, proven, session, given, asker)
}

type Said = Pick<GivenCode, 'email' | 'name' | 'secondFactor'>

async function byTicket(context: Context, { adapter }: SocialClient, ticket: string, given: GivenCode, asker: Asker): Promise<Entered> {
  const himself = asker.caller ? (directUserOf(asker.caller) ?? undefined) : undefined
  const opened = await openTicket(context, adapter.slug, ticket, { verifier: given.verifier, userId: himself })
  if (opened.purpose === 'sign_in') return enterByTicket(context, adapter, opened, saidIn(given, asker))
  if (himself === undefined || opened.userId !== himself) throw ticketOver()
  linkerIn(asker)
  await linkByTicket(context, adapter, opened)
  return linkedTo(context, himself)
}

const saidIn = ({ email, name, secondFactor }: Said, { from }: Asker) => ({ email, name, secondFactor, origin: from })

async function enterAs(
  context: Context,
  { adapter: provider }: SocialClient,
  { profile, sealedToken, token }: Proven,
  session: Session | null,
  said: Said,
  asker: Asker,
): Promise<Entered> {
  const spend = async (tx: Parameters<typeof spendToken>[0]) => {
    if (token && !(await spendToken(tx, token.digest, token.expiresAt))) throw ticketOver()
  }
  const shown = { provider, profile, sealedToken }
  if (session === null) return enter(context, { ...saidIn(said, asker), ...shown, spend })
  await transaction(context.sql, async (tx) => {
    await spend(tx)
    if (!(await link(tx, context, session, shown))) throw sessionOver()
  })
  return linkedTo(context, session.userId)
}

/** Who links: a person who came himself, and nobody in his name. */
function linkerIn({ caller }: Asker): Session {
  const himself = caller ? directUserOf(caller) : null
  if (!caller || himself === null) throw unauthenticated()
  assertDirectUser(caller.person)
  return { id: caller.credentialId, userId: himself }
}

async function linkedTo({ sql }: Pick<Context, 'sql'>, userId: string): Promise<Entered> {
  const user = await findPerson(sql, userId)
  if (!user) throw notFound('The account')
  return { outcome: 'linked', user, token: null }
}
