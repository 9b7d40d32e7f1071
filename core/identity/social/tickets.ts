import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { constantTimeEqual, newToken, sha256 } from '../../lib/crypto/crypto.ts'
import type { VerifiedIdentity } from './providers/verify.ts'
import { linkIdentity, type ProviderName, type SocialSignIn, type SocialSignInResult, signInWithIdentity } from './sign-in.ts'
import { socialErrors } from './social.errors.ts'
import { deleteTicket, findTicket, insertTicket, type StateRow, type TicketRow } from './social.queries.ts'
import { FLOW_MINUTES } from './start-flow.ts'

/** Proof that the holder of a ticket started the flow: the verifier, the browser, or the user. */
export interface TicketProof {
  readonly verifier?: string | undefined
  readonly browser?: string | undefined
  readonly userId?: string | undefined
}

/**
 * Stores a verified identity and returns its ticket, which is stored only as a digest. Without `returnTo` the ticket is bound to the
 * browser, else to the challenge.
 */
export async function issueTicket(
  { sql }: Pick<Context, 'sql'>,
  { provider, purpose, userId, sessionId, challenge, returnTo, goOnTo }: StateRow,
  { profile, sealedToken }: Pick<VerifiedIdentity, 'profile' | 'sealedToken'>,
  browser: string,
): Promise<string> {
  const ticket = newToken('sot')
  const bound = returnTo === null ? { browser, challenge: null } : { browser: null, challenge }
  await insertTicket(
    sql,
    { digest: sha256(ticket), provider, purpose, profile, sealedToken, userId, sessionId, goOnTo, ...bound },
    FLOW_MINUTES,
  )
  return ticket
}

/** Finds a ticket and verifies its proof. Throws `invalid_code`. */
export async function verifyTicket(
  { sql }: Pick<Context, 'sql'>,
  provider: string,
  ticket: string,
  shown: TicketProof,
): Promise<TicketRow> {
  const found = await findTicket(sql, sha256(ticket), provider)
  if (!found || !isProvenBy(found, shown)) throw socialErrors.ticketInvalid()
  return found
}

function isProvenBy({ purpose, browser, userId, challenge }: TicketRow, shown: TicketProof): boolean {
  if (browser !== null) return shown.browser === browser
  if (challenge === null || !constantTimeEqual(challenge, challengeOf(shown.verifier ?? ''))) return false
  return purpose === 'sign_in' || (userId !== null && shown.userId === userId)
}

const challengeOf = (verifier: string) => new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

const consumeTicket =
  ({ digest }: TicketRow) =>
  async (tx: Tx) => {
    if (!(await deleteTicket(tx, digest))) throw socialErrors.ticketInvalid()
  }

const identityOf = (provider: ProviderName, { profile, sealedToken }: TicketRow) => ({ provider, profile, sealedToken })

/** Signs in with a ticket. It stays valid when another value is missing. */
export const signInByTicket = (
  context: Context,
  provider: ProviderName,
  ticket: TicketRow,
  values: Pick<SocialSignIn, 'email' | 'name' | 'secondFactor' | 'origin'>,
): Promise<SocialSignInResult> =>
  signInWithIdentity(context, { ...values, ...identityOf(provider, ticket), consumeProof: consumeTicket(ticket) })

/** Links the identity of a ticket to the user and session that started the flow. Throws `invalid_code` when either is gone. */
export const linkByTicket = (context: Pick<Context, 'sql' | 'mail'>, provider: ProviderName, ticket: TicketRow): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const { userId, sessionId } = ticket
    await consumeTicket(ticket)(tx)
    if (userId === null || sessionId === null) throw socialErrors.ticketInvalid()
    if (!(await linkIdentity(tx, context, { id: sessionId, userId }, identityOf(provider, ticket)))) throw socialErrors.ticketInvalid()
  })
