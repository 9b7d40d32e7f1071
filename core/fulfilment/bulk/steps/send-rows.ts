import type { SendRowResult } from '../../../../plugins/carrier/rows.model.ts'
import { openStatuses } from '../../../orders/statuses.ts'
import type { DispatchResult } from '../../dispatch/dispatch.model.ts'
import { dispatchOrders } from '../../dispatch/dispatch-orders.ts'
import { sendOrders } from '../../sending/send-order.ts'
import { findOrderStates, type JobRowResult, updateJobRow, type WaitingRow } from '../rows.queries.ts'
import type { JobRun } from './job-run.ts'
import { failureOf } from './row-failure.ts'

/**
 * Sends orders of a job with the given carrier, or with those that the store's rules choose. A repeated sending of an order returns its
 * parcel, so that a step that was interrupted can be repeated.
 */
export async function sendRows(run: JobRun, rows: readonly WaitingRow[]): Promise<void> {
  const { context, job, store } = run
  const ids = rows.map(({ orderId }) => orderId)
  const before = await findOrderStates(context.sql, store.projectId, ids)
  const sentBefore = new Set(before.filter(({ status }) => !openStatuses.includes(status)).map(({ id }) => id))
  const results = await sendAll(run, ids)
  for (const { row, orderId } of rows) {
    const result = results.get(orderId) ?? failureOf(context, new Error('A sending has no result.'), orderId)
    const isSentBefore = result.status === 'done' && sentBefore.has(orderId)
    await updateJobRow(context.sql, job, row, isSentBefore ? { ...result, status: 'unchanged' } : result)
  }
}

async function sendAll({ context, prices, job, store }: JobRun, ids: readonly string[]): Promise<ReadonlyMap<string, JobRowResult>> {
  if (job.action.type !== 'send') throw new Error(`A job cannot send orders by ${job.action.type}.`)
  const { type: _, carrierCode, print: __, ...choice } = job.action
  try {
    const results =
      carrierCode === undefined
        ? await dispatchOrders(context, prices, store, ids, choice, { dryRun: false })
        : await sendOrders(
            context,
            store.id,
            carrierCode,
            ids.map((orderId) => ({ orderId, ...choice })),
          )
    return new Map(results.map((result) => [result.orderId, resultOf(result)]))
  } catch (error) {
    return new Map(ids.map((id) => [id, failureOf(context, error, id)]))
  }
}

function resultOf(result: SendRowResult | DispatchResult): JobRowResult {
  if (result.outcome === 'refused') return { status: 'failed', error: result.error, parcelId: result.parcelId }
  const parcelId = 'parcel' in result ? (result.parcel?.id ?? null) : null
  return { status: result.outcome === 'sent' ? 'done' : 'pending', parcelId }
}
