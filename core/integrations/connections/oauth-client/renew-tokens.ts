import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { AdapterFailure } from '../../egress/adapter-failure.ts'
import type { Connection } from '../connection.ts'
import type { ConnectionRef } from '../connections.model.ts'
import { clearAttention } from '../health/attention.queries.ts'
import { requestAttention } from '../health/attention.ts'
import { claimRenewal, findTokens, markTokensRefused, releaseRenewal, replaceTokens } from './oauth.queries.ts'
import { findOAuthClient } from './oauth-client.ts'
import { requestTokens, TOKEN_REQUEST_MS } from './token-request.ts'
import { type IssuedTokens, sealTokens, unsealTokens } from './tokens.ts'

/** Operation name under which a failed renewal flags a connection. */
const RENEWAL_OPERATION = 'oauth'

/** Duration of a renewal lease: the longest token request, and time for the database. */
const LEASE_SECONDS = (3 * TOKEN_REQUEST_MS) / 1000
const RETRY_MAX_SECONDS = 300
/** Attempts to write renewed tokens. They exist nowhere else, so a failing write is retried. */
const WRITES = 40
const WRITE_AGAIN_MS = 500

/**
 * Renews the tokens of a connection once, under a lease and without a lock. The result counts only if the version is unchanged. If this
 * process dies after the provider has answered, the next one retries with a refresh token that may be used up. If the provider rejects
 * that, the owner is asked to sign in again.
 */
export async function renewTokens(context: Context, connection: Connection, version: number): Promise<void> {
  const { sql } = context.egress
  const { row } = connection
  const by = newId('ren')
  const claimed = await claimRenewal(sql, row, version, by, LEASE_SECONDS)
  if (!claimed) return
  try {
    const tokens = await requestRenewal(context, connection, claimed.sealed)
    await retryWrite(() => storeTokens(context, row, version, tokens))
  } catch (error) {
    if (!(error instanceof AdapterFailure)) {
      await releaseRenewal(sql, row, by, RETRY_MAX_SECONDS, { unanswered: true })
      throw error
    }
    if (error.reason === 'unauthorized')
      return refuseAndNotify(context, connection, version, refusalMessage(connection, error, { unanswered: claimed.unanswered }))
    const wait = error.upstream.retryAfterSeconds ?? 2 ** Math.min(claimed.failures, 9)
    await releaseRenewal(sql, row, by, Math.min(RETRY_MAX_SECONDS, wait), { unanswered: error.wasSent })
  }
}

async function requestRenewal(context: Context, connection: Connection, sealed: string): Promise<IssuedTokens> {
  const { refreshToken, filled } = unsealTokens(context, connection.row.id, sealed)
  const client = await findOAuthClient(context, connection)
  if (!client || refreshToken === null)
    throw new AdapterFailure('unavailable', 'There is no OAuth client to request tokens with.', {
      wasSent: false,
      upstream: {
        retryAfterSeconds: RETRY_MAX_SECONDS,
      },
    })
  const tokens = await requestTokens(context, connection, client, {
    operation: 'oauth.renew',
    url: client.tokenUrl,
    parameters: { grant_type: 'refresh_token', refresh_token: refreshToken },
    secrets: [refreshToken],
  })
  // A provider that keeps the refresh token does not repeat it.
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken, filled: { ...filled, ...tokens.filled } }
}

const storeTokens = (context: Context, ref: ConnectionRef, version: number, tokens: IssuedTokens) =>
  transaction(context.egress.sql, async (tx) => {
    if (await replaceTokens(tx, ref, version, sealTokens(context, ref.id, tokens))) await clearAttention(tx, ref, RENEWAL_OPERATION)
  })

async function retryWrite(work: () => Promise<unknown>): Promise<void> {
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

/** Marks tokens that cannot be renewed as expired, and notifies the owner. */
export const expireSignIn = (context: Context, connection: Connection, version: number): Promise<void> =>
  refuseAndNotify(context, connection, version, `The sign-in has expired. Sign in at ${connection.mounted.adapter.label} again.`)

/** Ends a sign-in that the provider reports as revoked, even if some tokens still work, and notifies the owner. */
export async function markSignInEnded(context: Context, connection: Connection): Promise<void> {
  const tokens = await findTokens(context.sql, connection.row)
  const { label } = connection.mounted.adapter
  if (tokens) await refuseAndNotify(context, connection, tokens.version, `${label} has revoked the access. Sign in at ${label} again.`)
}

const refuseAndNotify = ({ egress: { sql } }: Context, { row }: Connection, version: number, why: string) =>
  transaction(sql, async (tx) => {
    if (await markTokensRefused(tx, row, version, why)) await requestAttention(tx, row, RENEWAL_OPERATION, why)
  })

function refusalMessage({ mounted }: Connection, { message }: AdapterFailure, { unanswered }: { readonly unanswered: boolean }): string {
  const { label, oauth } = mounted.adapter
  const isUsedUp = unanswered && oauth?.refresh === 'rotating'
  const cause = isUsedUp ? ' An earlier renewal got no answer, and its refresh token works only once.' : ''
  return `${message}${cause} Sign in at ${label} again.`
}
