import type { Context } from '../context.ts'
import { enqueue } from '../data/jobs.ts'
import { transaction } from '../data/sql.ts'
import { type Account, accountById } from './call-carrier.ts'
import { listOpenParcels, type SyncState, updateAccount } from './integrations.queries.ts'
import { requestPlaces } from './sync-places.ts'
import { takeNews, trackWidth } from './take-news.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'integrations.sync': { accountId: string }
  }
}

/** Asks, in the background, for news of all parcels on their way. Asking again while it runs starts no second run. */
export async function startSync(context: Context, { row }: Account): Promise<SyncState> {
  const sync: SyncState = { status: 'queued', startedAt: null, finishedAt: null, parcels: 0, changed: 0, message: null }
  await transaction(context.sql, async (tx) => {
    await updateAccount(tx, row.id, { sync })
    await requestPlaces(tx, row.id)
    await enqueue(tx, 'integrations.sync', { accountId: row.id }, { key: `sync:${row.id}`, maxAttempts: 3 })
  })
  return sync
}

export async function workSync(context: Context, accountId: string, signal: AbortSignal) {
  const account = await accountById(context, accountId)
  const startedAt = new Date().toISOString()
  const note = (state: Partial<SyncState>) =>
    updateAccount(context.sql, accountId, {
      sync: { status: 'running', startedAt, finishedAt: null, parcels: 0, changed: 0, message: null, ...state },
    })
  await note({})
  try {
    const done = await trackAll(context, account, signal)
    await note({ status: 'done', finishedAt: new Date().toISOString(), ...done })
  } catch (error) {
    await note({ status: 'failed', finishedAt: new Date().toISOString(), message: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

async function trackAll(context: Context, account: Account, signal: AbortSignal) {
  let parcels = 0
  let changed = 0
  for (let after = ''; !signal.aborted; ) {
    const open = await listOpenParcels(context.sql, account.row.id, after, trackWidth(account))
    if (open.length === 0) break
    after = open.at(-1)!.id
    const news = await takeNews(context, account, open, { source: 'poller', signal })
    parcels += news.parcels
    changed += news.changed
  }
  return { parcels, changed }
}
