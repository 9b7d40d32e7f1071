import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { currentActor } from '../../data/tenant-context.ts'
import { grantIdOf, type Principal } from '../../http/auth/principal.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { assertAssignees } from '../../orders/change/assign.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { assertProductEnabled } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { bulkErrors } from './bulk.errors.ts'
import { type BulkAction, type BulkJob, type BulkRequest, JOB_IDS_MAX, JOB_ORDERS_MAX } from './bulk.model.ts'
import { countOpenJobs, findJob, insertJob, lockJobs } from './jobs.queries.ts'
import { presentJob } from './present-job.ts'
import { findOrderStates, insertJobRows, type WaitingRow } from './rows.queries.ts'
import { type SelectedOrder, selectOrders, selectOrdersById } from './select-orders.ts'
import { productOfAction } from './starter-rights.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'orders.bulk': { readonly projectId: string; readonly jobId: string }
  }
}

/** Jobs of a store that may wait or run at once. */
const OPEN_JOBS_MAX = 20
const ROWS_PER_INSERT = 1_000
/** Seconds after which another process runs a job that a request began and did not end. */
const TAKEOVER_SECONDS = 60

/** Job that is ready to be stored. */
export interface PreparedJob {
  readonly action: BulkAction
  readonly rows: readonly WaitingRow[]
  /** Grant of the app that asks for the job; null for sessions and API keys. */
  readonly grantId: string | null
}

/**
 * Selects the orders of a job as they are now, and checks the caller's rights for its action. Throws `invalid_request` for too many orders,
 * `product_not_enabled`, and `unknown_person` for an agent who may not confirm orders.
 */
export async function prepareJob(context: Context, caller: Principal, store: Store, request: BulkRequest): Promise<PreparedJob> {
  const { action } = request
  const product = productOfAction(action)
  if (product) await assertProductEnabled(context, store.id, product, caller)
  if (action.type === 'assign') await assertAssignees(context.sql, store, action.userIds, ['action', 'userIds'])
  const ordersMax = action.type === 'print' ? JOB_IDS_MAX : JOB_ORDERS_MAX
  const selected =
    'ids' in request
      ? await selectOrdersById(context.sql, store, request.ids)
      : await selectOrders(context.sql, store, request.filter, ordersMax)
  const orders = action.type === 'print' ? await groupByCarrier(context, store, selected) : selected
  const userIds = action.type === 'assign' ? action.userIds : []
  const rows = orders.map(({ id, status }, at) => ({
    row: at + 1,
    orderId: id,
    seenStatus: status,
    userId: userIds[at % userIds.length] ?? null,
  }))
  return { action, rows, grantId: grantIdOf(caller) }
}

/** Sorts orders by the carrier of their newest parcel, so that the labels of each carrier lie together. */
async function groupByCarrier({ sql }: Context, { projectId }: Store, orders: readonly SelectedOrder[]): Promise<readonly SelectedOrder[]> {
  const ids = orders.map(({ id }) => id)
  const carriers = new Map((await findOrderStates(sql, projectId, ids)).map(({ id, carrierAccountId }) => [id, carrierAccountId ?? '']))
  return [...Map.groupBy(orders, ({ id }) => carriers.get(id)).values()].flat()
}

interface JobOptions {
  /** True if the caller runs the job, and the queue only if that does not end. */
  readonly isInline: boolean
  /** True for a job that another one makes when it ends: the limit of open jobs must not keep that one from ending. */
  readonly isFollowUp?: boolean
}

/** Stores a job and enqueues it. Throws `conflict` while too many jobs of the store are open. */
export async function createJob(
  tx: Tx,
  store: Store,
  prepared: PreparedJob,
  { isInline, isFollowUp = false }: JobOptions,
): Promise<BulkJob> {
  const { action, rows, grantId } = prepared
  const { projectId } = store
  await lockJobs(tx, projectId)
  if (!isFollowUp && (await countOpenJobs(tx, projectId)) >= OPEN_JOBS_MAX) throw bulkErrors.tooManyJobs({ jobsMax: OPEN_JOBS_MAX })
  const madeBy = currentActor() ?? null
  const key = { projectId, id: newId('obj') }
  await insertJob(tx, { ...key, action, total: rows.length, madeBy, madeById: madeBy?.id ?? '', grantId })
  const pause = yieldEvery()
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await insertJobRows(tx, key, rows.slice(at, at + ROWS_PER_INSERT))
    await pause()
  }
  await recordAudit(
    tx,
    { storeId: store.id },
    { what: 'orders.job_started', thing: key.id, after: { type: action.type, total: rows.length } },
  )
  // Labels change no order, so they do not wait for the jobs that do.
  const queue = action.type === 'print' ? `orders.print:${projectId}` : `orders.bulk:${projectId}`
  const runAt = isInline ? { runAt: new Date(Date.now() + TAKEOVER_SECONDS * 1_000) } : {}
  await enqueue(tx, 'orders.bulk', { projectId, jobId: key.id }, { owner: projectId, queue, ...runAt })
  return presentJob(invariant(await findJob(tx, key.id), 'A job that was made'))
}
