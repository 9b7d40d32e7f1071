import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { constantTimeEqual, newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { MINUTES } from './begin.ts'
import type { Proven } from './providers/verify.ts'
import { type Coming, type Entered, enter, link, type Provider } from './sign-in.ts'
import { findTicket, insertTicket, type StateRow, type TicketRow, takeTicket } from './social.queries.ts'

/** What shows that whoever has a ticket is whoever began: the verifier, or the browser, or the person. */
export interface Shown {
  readonly verifier?: string | undefined
  readonly browser?: string | undefined
  readonly userId?: string | undefined
}

/** Keeps who came back, and gives what he is named by, which is kept nowhere. `browser`: who alone may use it, where nobody is sent on. */
export async function issueTicket(
  { sql }: Pick<Context, 'sql'>,
  { provider, purpose, userId, sessionId, challenge, returnTo, goOnTo }: StateRow,
  { profile, sealedToken }: Pick<Proven, 'profile' | 'sealedToken'>,
  browser: string,
): Promise<string> {
  const ticket = newToken('sot')
  const bound = returnTo === null ? { browser, challenge: null } : { browser: null, challenge }
  await insertTicket(sql, { digest: sha256(ticket), provider, purpose, profile, sealedToken, userId, sessionId, goOnTo, ...bound }, MINUTES)
  return ticket
}

/** The same words for what never was, is over, was used, or is somebody else's. */
export const ticketOver = () => new ApiError('invalid_code', 'This sign-in is used, over, or was begun by somebody else. Begin again.')

/** The ticket that was given. Throws `invalid_code`. */
export async function openTicket({ sql }: Pick<Context, 'sql'>, provider: string, ticket: string, shown: Shown): Promise<TicketRow> {
  const found = await findTicket(sql, sha256(ticket), provider)
  if (!found || !isOf(found, shown)) throw ticketOver()
  return found
}

function isOf({ purpose, browser, userId, challenge }: TicketRow, shown: Shown): boolean {
  if (browser !== null) return shown.browser === browser
  if (challenge === null || !constantTimeEqual(challenge, challengeOf(shown.verifier ?? ''))) return false
  return purpose === 'sign_in' || (userId !== null && shown.userId === userId)
}

const challengeOf = (verifier: string) => new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

const spend =
  ({ digest }: TicketRow) =>
  async (tx: Tx) => {
    if (!(await takeTicket(tx, digest))) throw ticketOver()
  }

const identityOf = (provider: Provider, { profile, sealedToken }: TicketRow) => ({ provider, profile, sealedToken })

/** Signs in by a ticket. Where something is asked for besides, the ticket stays what it is. */
export const enterByTicket = (
  context: Context,
  provider: Provider,
  ticket: TicketRow,
  said: Pick<Coming, 'email' | 'name' | 'secondFactor' | 'origin'>,
): Promise<Entered> => enter(context, { ...said, ...identityOf(provider, ticket), spend: spend(ticket) })

/** Links what a ticket is of to the person who began, in the session that he began in. Throws `invalid_code` where that is over. */
export const linkByTicket = (context: Pick<Context, 'sql' | 'mail'>, provider: Provider, ticket: TicketRow): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const { userId, sessionId } = ticket
    await spend(ticket)(tx)
    if (userId === null || sessionId === null) throw ticketOver()
    if (!(await link(tx, context, { id: sessionId, userId }, identityOf(provider, ticket)))) throw ticketOver()
  })
