import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { AdapterFailure } from '../../egress/failure.ts'
import type { Connection } from '../connection.ts'
import { clearAttention } from '../health/attention.queries.ts'
import { beginNeed } from '../health/attention.ts'
import { ASK_MS, askForTokens } from './ask.ts'
import { clientOf } from './client.ts'
import { claimRenewal, findTokens, refuseTokens, releaseRenewal, replaceTokens } from './oauth.queries.ts'
import { type NewTokens, openTokens, sealTokens } from './tokens.ts'

/** For which renewals mark a connection. */
export const RENEWAL = 'oauth'

/** Nobody else asks for so long: the other side's time, and what the database may take besides. */
const LEASE_SECONDS = (3 * ASK_MS) / 1000
const RETRY_MAX_SECONDS = 300
/** What was answered exists nowhere else: it is written as soon as the database lets it be. */
const WRITES = 40
const WRITE_AGAIN_MS = 500

/**
 * Renews the tokens of a connection, once, whoever else wants it. No lock is held meanwhile: the renewal is reserved for a while, and what
 * comes of it counts where the version that it came of still stands. Where this process dies or freezes after the other side has answered,
 * the next one asks again with what may be used up by then; if the other side says no, a person has to sign in again, and is told why.
 */
export async function renew(context: Context, connection: Connection, version: number): Promise<void> {
  const { sql } = context.gateway
  const { id } = connection.row
  const by = newId('ren')
  const claimed = await claimRenewal(sql, id, version, by, LEASE_SECONDS)
  if (!claimed) return
  try {
    const tokens = await askAnew(context, connection, claimed.sealed)
    await write(() => keep(context, id, version, tokens))
  } catch (error) {
    if (!(error instanceof AdapterFailure)) {
      await releaseRenewal(sql, id, by, RETRY_MAX_SECONDS, true)
      throw error
    }
    if (error.reason === 'unauthorized') return refuse(context, connection, version, wordsOf(connection, error, claimed.unanswered))
    const wait = error.upstream.retryAfterSeconds ?? 2 ** Math.min(claimed.failures, 9)
    await releaseRenewal(sql, id, by, Math.min(RETRY_MAX_SECONDS, wait), error.sent)
  }
}

async function askAnew(context: Context, connection: Connection, sealed: string): Promise<NewTokens> {
  const { refreshToken, filled } = openTokens(context, connection.row.id, sealed)
  const client = await clientOf(context, connection)
  if (!client || refreshToken === null)
    throw new AdapterFailure('unavailable', false, 'There is no client to ask for tokens with.', { retryAfterSeconds: RETRY_MAX_SECONDS })
  const tokens = await askForTokens(context, connection, client, {
    operation: 'oauth.renew',
    url: client.tokenUrl,
    parameters: { grant_type: 'refresh_token', refresh_token: refreshToken },
    secrets: [refreshToken],
  })
  // Who keeps it as it is says nothing of it.
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken, filled: { ...filled, ...tokens.filled } }
}

const keep = (context: Context, connectionId: string, version: number, tokens: NewTokens) =>
  transaction(context.gateway.sql, async (tx) => {
    if (await replaceTokens(tx, connectionId, version, sealTokens(context, connectionId, tokens)))
      await clearAttention(tx, connectionId, RENEWAL)
  })

async function write(work: () => Promise<unknown>): Promise<void> {
  for (let left = WRITES; ; left -= 1) {
    try {
      await work()
      return
    } catch (error) {
      if (left === 0) throw error
      await Bun.sleep(WRITE_AGAIN_MS)
    }
  }
}

/** What nobody can renew has expired. */
export const end = (context: Context, connection: Connection, version: number): Promise<void> =>
  refuse(context, connection, version, `What somebody signed in with has expired. Sign in at ${connection.mounted.adapter.label} again.`)

/** The other side says that a sign-in is over, whatever of it still stands. */
export async function endSignIn(context: Context, connection: Connection): Promise<void> {
  const tokens = await findTokens(context.sql, connection.row.id)
  const { label } = connection.mounted.adapter
  if (tokens) await refuse(context, connection, tokens.version, `${label} lets us in no more. Sign in at ${label} again.`)
}

const refuse = ({ gateway: { sql } }: Context, { row }: Connection, version: number, why: string) =>
  transaction(sql, async (tx) => {
    if (await refuseTokens(tx, row.id, version, why)) await beginNeed(tx, row, RENEWAL, why)
  })

function wordsOf({ mounted }: Connection, { message }: AdapterFailure, unanswered: boolean): string {
  const { label, oauth } = mounted.adapter
  const isUsedUp = unanswered && oauth?.refresh === 'rotating'
  const cause = isUsedUp ? ' An earlier renewal got no answer, and what renews works once.' : ''
  return `${message}${cause} Sign in at ${label} again.`
}
