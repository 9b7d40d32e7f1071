import { type Tx, transaction } from '../../../data/sql.ts'
import { mapConcurrent } from '../../../lib/async/map-concurrent.ts'
import { assignOrderInTransaction } from '../../../orders/change/assign.ts'
import { changeOrder } from '../../../orders/change/change.ts'
import { lockOrderWithParcels } from '../../../orders/change/lock-order.ts'
import { changeTagsInTransaction } from '../../../orders/tags/change-tags.ts'
import type { OrderTagChange } from '../../../orders/tags/tags.model.ts'
import { bulkErrors } from '../bulk.errors.ts'
import type { BulkAction } from '../bulk.model.ts'
import { type JobRowResult, lockWaitingJobRow, updateJobRow, type WaitingRow } from '../rows.queries.ts'
import type { JobRun } from './job-run.ts'
import { failureOf } from './row-failure.ts'

/** Maximum of concurrent transactions; other requests need connections too. */
const AT_ONCE = 4

const statusAfter = { confirm: 'confirmed', cancel: 'cancelled' } as const

/** Changes orders of a job, each in a transaction of its own together with its result. */
export async function changeRows(run: JobRun, rows: readonly WaitingRow[]): Promise<void> {
  const { context, job } = run
  await mapConcurrent(rows, AT_ONCE, async (row) => {
    try {
      await transaction(context.sql, async (tx) => {
        // A row that another process has, or that was cancelled meanwhile, is left out.
        if (await lockWaitingJobRow(tx, job, row.row)) await updateJobRow(tx, job, row.row, await changeRow(tx, run, row))
      })
    } catch (error) {
      await updateJobRow(context.sql, job, row.row, failureOf(context, error, row.orderId))
    }
  })
}

function changeRow(tx: Tx, run: JobRun, row: WaitingRow): Promise<JobRowResult> {
  const { action } = run.job
  if (action.type === 'assign') return assignRow(tx, run, row)
  return action.type === 'tag' ? tagRow(tx, run, row, action) : moveRow(tx, run, row, action)
}

/** Adds and removes tags of an order, whatever its status is. */
async function tagRow(tx: Tx, { store }: JobRun, { orderId }: WaitingRow, change: OrderTagChange): Promise<JobRowResult> {
  const { isChanged } = await changeTagsInTransaction(tx, store, orderId, change)
  return { status: isChanged ? 'done' : 'unchanged' }
}

async function assignRow(tx: Tx, { store }: JobRun, { orderId, userId }: WaitingRow): Promise<JobRowResult> {
  const { isChanged } = await assignOrderInTransaction(tx, store, orderId, userId, ['userIds'])
  return { status: isChanged ? 'done' : 'unchanged' }
}

/** Confirms or cancels an order. Throws `conflict` when its status is no longer the one that the caller saw. */
async function moveRow(tx: Tx, { store }: JobRun, { orderId, seenStatus }: WaitingRow, action: BulkAction): Promise<JobRowResult> {
  if (action.type !== 'confirm' && action.type !== 'cancel') throw new Error(`A job cannot move orders by ${action.type}.`)
  const to = statusAfter[action.type]
  const { order } = await lockOrderWithParcels(tx, { projectId: store.projectId, storeId: store.id, orderId })
  if (order.status === to) return { status: 'unchanged' }
  if (seenStatus !== null && order.status !== seenStatus) throw bulkErrors.orderMovedSince({ seen: seenStatus, status: order.status })
  const { reason } = action
  await changeOrder(tx, store, orderId, { status: to, ...(reason !== undefined && { reason }) })
  return { status: 'done' }
}
