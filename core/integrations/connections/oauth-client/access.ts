import type { Context } from '../../../context.ts'
import { AdapterFailure, CIRCUIT_OPEN, NOT_SIGNED_IN } from '../../egress/adapter-failure.ts'
import type { Connection } from '../connection.ts'
import { findTokens, type TokensRow } from './oauth.queries.ts'
import { findOAuthClient } from './oauth-client.ts'
import { expireSignIn, renewTokens } from './renew-tokens.ts'
import { type TokenSet, unsealTokens } from './tokens.ts'

/** Connection with a valid access token, for one call. */
export interface ConnectionAccess<C extends Connection = Connection> {
  /** Connection with the credentials that the host adds; these must not be stored. */
  readonly connection: C
  readonly version: number
  /** True if the tokens may be renewed when the provider rejects them. */
  readonly isRenewable: boolean
}

const WAIT_MS = 15_000
const POLL_MS = 100
const RETRY_SECONDS = 5
/** Age in seconds below which a rejected token is not renewed: the cause must be another one. */
const YOUNG_SECONDS = 30

/**
 * Returns the connection with a valid access token. Only one process renews a token; the others wait or use one that is still valid. `not`
 * is a version that the provider rejected. Throws `AdapterFailure`.
 */
export async function acquireAccess<C extends Connection>(
  context: Context,
  connection: C,
  signal: AbortSignal,
  not?: number,
): Promise<ConnectionAccess<C>> {
  const { id } = connection.row
  for (const until = Date.now() + WAIT_MS; Date.now() < until; ) {
    signal.throwIfAborted()
    const row = await findTokens(context.egress.sql, connection.row)
    const usable = usableOf(context, connection, row, not)
    if (usable === 'ended') await expireSignIn(context, connection, row?.version ?? 0)
    else if (usable) return accessWith(context, connection, usable.row, usable.tokens)
    else if (row && !row.isRenewing)
      await context.connections.runSingleFlight(`renew ${id}`, () => renewTokens(context, connection, row.version))
    else await Bun.sleep(POLL_MS)
  }
  throw retryLater(`${connection.mounted.adapter.label} is being asked for a new token.`, RETRY_SECONDS)
}

/** Returns the connection with its OAuth client's credentials but without a token, for work that sends no request. */
export async function withClientCredentials<C extends Connection>(context: Context, connection: C): Promise<C> {
  const client = await findOAuthClient(context, connection)
  return client ? { ...connection, credentials: client.credentials } : connection
}

/**
 * Returns the tokens that are valid now, undefined if they must be renewed first, or `ended` if that is impossible. Throws if a user must
 * sign in, or if the next renewal must wait.
 */
function usableOf(
  context: Context,
  { row: { id }, mounted }: Connection,
  row: TokensRow | undefined,
  not: number | undefined,
): { row: TokensRow; tokens: TokenSet } | 'ended' | undefined {
  const { label, oauth } = mounted.adapter
  if (!row) throw notSignedInFailure(`Nobody has signed in at ${label} yet. POST …/integrations/${mounted.adapter.slug}/oauth/start.`)
  if (row.refused !== null) throw signInAgainFailure(row.refused)
  const tokens = unsealTokens(context, id, row.sealed)
  const works = !row.isExpired && row.version !== not
  if (works && (!row.isStale || row.isRenewing || row.restSeconds > 0)) return { row, tokens }
  if (tokens.refreshToken === null || oauth?.refresh === 'none') return 'ended'
  if (row.restSeconds > 0)
    throw retryLater(`${label} gave no new token; it is asked again in ${Math.ceil(row.restSeconds)} s.`, row.restSeconds)
  return undefined
}

/** Creates a failure that resolves itself: a background job renews the token. */
const retryLater = (why: string, retryAfterSeconds: number) =>
  new AdapterFailure('unavailable', why, { wasSent: false, upstream: { code: CIRCUIT_OPEN, retryAfterSeconds } })
const notSignedInFailure = (why: string) => new AdapterFailure('unauthorized', why, { wasSent: false, upstream: { code: NOT_SIGNED_IN } })
const signInAgainFailure = (why: string) => new AdapterFailure('unauthorized', why, { wasSent: false })

async function accessWith<C extends Connection>(
  context: Context,
  connection: C,
  { version, age }: TokensRow,
  { accessToken, refreshToken, filled }: TokenSet,
): Promise<ConnectionAccess<C>> {
  const client = await findOAuthClient(context, connection)
  const credentials = { ...(client?.credentials ?? connection.credentials), ...filled, accessToken }
  return {
    connection: { ...connection, credentials },
    version,
    isRenewable: refreshToken !== null && connection.mounted.adapter.oauth?.refresh !== 'none' && age > YOUNG_SECONDS,
  }
}
