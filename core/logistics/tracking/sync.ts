import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { transaction } from '../../data/sql.ts'
import { type CarrierConnection, openNamedConnection } from '../../integrations/connections/connection.ts'
import { findConnectionById, type SyncState } from '../../integrations/connections/connections.queries.ts'
import { requestPlacesSync } from '../../integrations/connections/places/sync-places.ts'
import { recordSync } from '../../integrations/connections/update-connection.ts'
import { AdapterFailure, isThrottled } from '../../integrations/egress/adapter-failure.ts'
import { listTrackableParcels } from './sync.queries.ts'
import { trackBatchSize, trackParcels } from './track-parcels.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'tracking.sync': { connectionId: string; from?: SyncProgress }
  }
}

/** Progress of a run: the last parcel, and the counts so far. */
interface SyncProgress {
  readonly after: string
  readonly parcels: number
  readonly changed: number
}

const START: SyncProgress = { after: '', parcels: 0, changed: 0 }

/** Job options that serialize the runs of one connection; a request during a run starts the next one after it. */
const serialJobOptions = (connectionId: string) => ({ key: `sync:${connectionId}`, queue: `sync:${connectionId}`, maxAttempts: 3 })

/** Enqueues the tracking of all parcels under way. A request while one is queued starts no second run. */
export async function enqueueSync(context: Context, { row }: CarrierConnection): Promise<SyncState> {
  const sync: SyncState = { status: 'queued', startedAt: null, finishedAt: null, parcels: 0, changed: 0, message: null }
  await transaction(context.sql, async (tx) => {
    await recordSync(tx, row, sync)
    await requestPlacesSync(tx, row.id)
    await enqueue(tx, 'tracking.sync', { connectionId: row.id }, serialJobOptions(row.id))
  })
  return sync
}

/** State of the last or current run. */
export const syncStatusOf = ({ row }: CarrierConnection) =>
  row.sync ?? { status: 'never', startedAt: null, finishedAt: null, parcels: 0, changed: 0, message: null }

/** Tracks all parcels of a connection that are under way. Work of the job `tracking.sync`. */
export async function runSync(context: Context, connectionId: string, from: SyncProgress = START, signal: AbortSignal) {
  let reached = from
  const row = await findConnectionById(context.sql, connectionId)
  if (!row) return
  const startedAt = from === START ? new Date().toISOString() : (row.sync?.startedAt ?? null)
  const saveState = (state: Pick<SyncState, 'status'> & Partial<SyncState>) => {
    const { parcels, changed } = reached
    return recordSync(context.sql, row, { startedAt, finishedAt: null, parcels, changed, message: null, ...state })
  }
  await saveState({ status: 'running' })
  try {
    const connection = await openNamedConnection(context, 'carrier', row)
    for (;;) {
      signal.throwIfAborted()
      const open = await listTrackableParcels(context.sql, connection.row, reached.after, trackBatchSize(connection))
      const last = open.at(-1)
      if (!last) break
      const result = await trackParcels(context, connection, open, { source: 'poller', quota: 'poll', signal })
      const { parcels, changed } = reached
      reached = { after: last.id, parcels: parcels + result.parcels, changed: changed + result.changed }
    }
    await saveState({ status: 'done', finishedAt: new Date().toISOString() })
  } catch (error) {
    if (error instanceof AdapterFailure && isThrottled(error)) {
      const runAt = new Date(Date.now() + (error.upstream.retryAfterSeconds ?? 60) * 1000)
      await saveState({
        status: 'running',
        message: `The carrier accepts no more calls for now; the synchronisation continues at ${runAt.toISOString()}.`,
      })
      await enqueue(context.sql, 'tracking.sync', { connectionId, from: reached }, { ...serialJobOptions(connectionId), runAt })
      return
    }
    await saveState({
      status: 'failed',
      finishedAt: new Date().toISOString(),
      message: error instanceof Error ? error.message : String(error),
    })
    throw error
  }
}
