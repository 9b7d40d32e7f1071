import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Queryable, Tx } from '../../../data/sql.ts'
import type { EndpointRef } from '../endpoints.queries.ts'
import {
  type Cancellation,
  cancelDeliveries,
  cancelUpToNow,
  endCancellation,
  FIRST_POSITION,
  findCancellation,
  listCancelled,
} from './cancel.queries.ts'
import { LEASE_MS } from './schedule.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'webhooks.cancelWaiting': { readonly endpointId: string }
  }
}

/** Rows that are written at once. */
const BATCH = 1_000

/**
 * Cancels the deliveries that wait for endpoints, in the transaction that disables or enables them. Takes effect at once. Jobs then update
 * the rows; until then, reads compute the status.
 */
export async function cancelPending(tx: Tx, endpoints: readonly EndpointRef[]): Promise<void> {
  if (endpoints.length === 0) return
  await cancelUpToNow(tx, endpoints)
  for (const endpoint of endpoints) await enqueueCancelJob(tx, endpoint)
}

const enqueueCancelJob = (sql: Queryable, { id, projectId }: EndpointRef, runAt = new Date()) =>
  enqueue(sql, 'webhooks.cancelWaiting', { endpointId: id }, { key: `webhooks:${id}`, owner: projectId, runAt })

/** Writes the cancelled status to the rows in batches. Runs once more when the deliveries under way have ended. */
export async function writeCancelledStatus({ sql }: Context, endpointId: string, signal: AbortSignal): Promise<void> {
  const cancelling = await findCancellation(sql, endpointId)
  if (!cancelling) return
  await cancelInBatches(sql, cancelling, signal)
  if (cancelling.isSettled) await endCancellation(sql, cancelling)
  else await enqueueCancelJob(sql, cancelling, new Date(Date.parse(cancelling.since) + LEASE_MS + 1_000))
}

async function cancelInBatches(sql: Queryable, cancelling: Cancellation, signal: AbortSignal) {
  let after = FIRST_POSITION
  for (;;) {
    signal.throwIfAborted()
    const batch = await listCancelled(sql, cancelling, after, BATCH)
    if (batch.length > 0)
      await cancelDeliveries(
        sql,
        cancelling,
        batch.map(({ id }) => id),
      )
    const last = batch.at(-1)
    if (!last || batch.length < BATCH) return
    after = last
  }
}
