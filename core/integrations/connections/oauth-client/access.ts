import type { Context } from '../../../context.ts'
import { AdapterFailure, CIRCUIT_OPEN, NOT_SIGNED_IN } from '../../egress/failure.ts'
import type { Connection } from '../connection.ts'
import { clientOf } from './client.ts'
import { findTokens, type TokensRow } from './oauth.queries.ts'
import { end, renew } from './renew.ts'
import { openTokens, type Tokens } from './tokens.ts'

/** What a call of an adapter is made with. */
export interface Access<C extends Connection = Connection> {
  /** With what the host fills in; never to be written down. */
  readonly connection: C
  readonly version: number
  /** Whether they may be renewed where the other side does not take them. */
  readonly isRenewable: boolean
}

const WAIT_MS = 15_000
const LOOK_MS = 100
const LOOK_AGAIN_SECONDS = 5
/** What the other side does not take so soon after it came is not wanted for another reason. */
const YOUNG_SECONDS = 30

/**
 * The connection with an access token that works: renewed before it expires, and by one process alone, while the others wait or use what
 * still works. `not`: a version that the other side did not take.
 */
export async function accessOf<C extends Connection>(
  context: Context,
  connection: C,
  signal: AbortSignal,
  not?: number,
): Promise<Access<C>> {
  const { id } = connection.row
  for (const until = Date.now() + WAIT_MS; Date.now() < until; ) {
    signal.throwIfAborted()
    const row = await findTokens(context.gateway.sql, id)
    const usable = usableOf(context, connection, row, not)
    if (usable === 'ended') await end(context, connection, row?.version ?? 0)
    else if (usable) return accessWith(context, connection, usable.row, usable.tokens)
    else if (row && !row.isRenewing) await context.connections.together(`renew ${id}`, () => renew(context, connection, row.version))
    else await Bun.sleep(LOOK_MS)
  }
  throw later(`${connection.mounted.adapter.label} is being asked for a new token.`, LOOK_AGAIN_SECONDS)
}

/** The connection for what asks the other side nothing: with its client, and without a token. */
export async function withoutAccess<C extends Connection>(context: Context, connection: C): Promise<C> {
  const client = await clientOf(context, connection)
  return client ? { ...connection, credentials: client.credentials } : connection
}

/** Those that can be used now; undefined where others have to come first, `ended` where none can. Throws where somebody has to do something. */
function usableOf(
  context: Context,
  { row: { id }, mounted }: Connection,
  row: TokensRow | undefined,
  not: number | undefined,
): { row: TokensRow; tokens: Tokens } | 'ended' | undefined {
  const { label, oauth } = mounted.adapter
  if (!row) throw notSignedIn(`Nobody has signed in at ${label} yet: POST …/integrations/${mounted.adapter.slug}/oauth/start.`)
  if (row.refused !== null) throw signInAgain(row.refused)
  const tokens = openTokens(context, id, row.sealed)
  const works = !row.isExpired && row.version !== not
  if (works && (!row.isStale || row.isRenewing || row.restSeconds > 0)) return { row, tokens }
  if (tokens.refreshToken === null || oauth?.refresh === 'none') return 'ended'
  if (row.restSeconds > 0) throw later(`${label} gave no new token; it is asked again in ${Math.ceil(row.restSeconds)} s.`, row.restSeconds)
  return undefined
}

/** Waiting is all that helps: work in the background does. */
const later = (why: string, retryAfterSeconds: number) =>
  new AdapterFailure('unavailable', false, why, { code: CIRCUIT_OPEN, retryAfterSeconds })
const notSignedIn = (why: string) => new AdapterFailure('unauthorized', false, why, { code: NOT_SIGNED_IN })
const signInAgain = (why: string) => new AdapterFailure('unauthorized', false, why)

async function accessWith<C extends Connection>(
  context: Context,
  connection: C,
  { version, age }: TokensRow,
  { accessToken, refreshToken, filled }: Tokens,
): Promise<Access<C>> {
  const client = await clientOf(context, connection)
  const credentials = { ...(client?.credentials ?? connection.credentials), ...filled, accessToken }
  return {
    connection: { ...connection, credentials },
    version,
    isRenewable: refreshToken !== null && connection.mounted.adapter.oauth?.refresh !== 'none' && age > YOUNG_SECONDS,
  }
}
