import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Queryable, Tx } from '../../../data/sql.ts'
import { type Cancelling, callOff, cancelDeliveries, endCancelling, FIRST_PLACE, findCancelling, listCalledOff } from './cancel.queries.ts'
import { LEASE_MS } from './schedule.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'webhooks.cancelWaiting': { readonly endpointId: string }
  }
}

/** Rows written at once. */
const SLICE = 1_000

interface Endpoint {
  readonly id: string
  readonly projectId: string
}

/**
 * Cancels what waits for endpoints that are switched off, or on again, in the transaction that does so: for good, and however much it is. The
 * rows say so when jobs have been through them; until then they are read as if they did.
 */
export async function cancelWaiting(tx: Tx, endpoints: readonly Endpoint[]): Promise<void> {
  if (endpoints.length === 0) return
  await callOff(
    tx,
    endpoints.map(({ id }) => id),
  )
  for (const endpoint of endpoints) await enqueueWriting(tx, endpoint)
}

const enqueueWriting = (sql: Queryable, { id, projectId }: Endpoint, runAt = new Date()) =>
  enqueue(sql, 'webhooks.cancelWaiting', { endpointId: id }, { key: `webhooks:${id}`, owner: projectId, runAt })

/** Writes down what is cancelled, slice by slice, and once more when all that was under way has ended. */
export async function writeCancelled({ sql }: Context, endpointId: string, signal: AbortSignal): Promise<void> {
  const cancelling = await findCancelling(sql, endpointId)
  if (!cancelling) return
  await cancelInSlices(sql, cancelling, signal)
  if (cancelling.isSettled) await endCancelling(sql, cancelling)
  else await enqueueWriting(sql, cancelling, new Date(Date.parse(cancelling.since) + LEASE_MS + 1_000))
}

async function cancelInSlices(sql: Queryable, cancelling: Cancelling, signal: AbortSignal) {
  let after = FIRST_PLACE
  for (;;) {
    signal.throwIfAborted()
    const slice = await listCalledOff(sql, cancelling, after, SLICE)
    if (slice.length > 0)
      await cancelDeliveries(
        sql,
        cancelling,
        slice.map(({ id }) => id),
      )
    const last = slice.at(-1)
    if (!last || slice.length < SLICE) return
    after = last
  }
}
