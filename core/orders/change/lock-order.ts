import { RetryTransaction, type Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { lockLiveParcels } from '../../logistics/parcels/change/update-unsent.ts'
import { listLiveParcelsOfOrder, listOrdersWithLiveParcels, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import { lockOrder, lockOrderIncludingDeleted, lockOrdersSkipLocked, type OrderRow } from '../orders.queries.ts'

/** Reference to an order in its project and store. */
export interface OrderRef {
  readonly projectId: string
  readonly storeId: string
  readonly orderId: string
}

const keyOf = ({ storeId, orderId }: OrderRef) => ({ storeId, id: orderId })

/** Locked order with its live parcels. */
export interface LockedOrder {
  readonly order: OrderRow
  /** Parcels that are not cancelled; at most one unless the order is divided. */
  readonly parcels: readonly ParcelRow[]
}

/**
 * Locks an order and its live parcels until the transaction ends. Locks parcels first, as all use cases do; only the holder of the order's
 * lock can add one. Throws `not_found`, and retries the transaction when the parcels changed while it waited.
 */
export async function lockOrderWithParcels(tx: Tx, named: OrderRef): Promise<LockedOrder> {
  const { projectId, orderId } = named
  const parcels = await lockLiveParcels(tx, projectId, orderId)
  const [order, now] = await Promise.all([lockOrder(tx, keyOf(named)), listLiveParcelsOfOrder(tx, projectId, orderId)])
  if (!order) throw notFound('The order')
  return { order, parcels: assertSameParcels(parcels, now) }
}

/** Locks an order and its live parcels, even when the order is deleted, because payments may still arrive for it. */
export async function lockOrderWithParcelsIncludingDeleted(
  tx: Tx,
  named: OrderRef,
): Promise<LockedOrder & { readonly isDeleted: boolean }> {
  const { projectId, orderId } = named
  const parcels = await lockLiveParcels(tx, projectId, orderId)
  const [order, now] = await Promise.all([lockOrderIncludingDeleted(tx, keyOf(named)), listLiveParcelsOfOrder(tx, projectId, orderId)])
  if (!order) throw notFound('The order')
  return { order, parcels: assertSameParcels(parcels, now), isDeleted: order.deletedAt !== null }
}

/** Throws `RetryTransaction` when a parcel was added or replaced while the locks were awaited. */
function assertSameParcels(held: readonly ParcelRow[], now: readonly ParcelRow[]) {
  if (held.length === now.length && held.every(({ id }, at) => id === now[at]?.id)) return held
  throw new RetryTransaction('The order has other parcels now.')
}

/** Reads an order and its live parcels in a subscriber of `order.moved`; the publisher holds the locks. */
export async function readLockedOrder(tx: Tx, named: OrderRef): Promise<LockedOrder> {
  const [order, parcels] = await Promise.all([
    lockOrderIncludingDeleted(tx, keyOf(named)),
    listLiveParcelsOfOrder(tx, named.projectId, named.orderId),
  ])
  return { order: invariant(order, 'An order that moved'), parcels }
}

/**
 * Locks an order for a change that is allowed only before a carrier has it. Returns only its unsent parcels. Throws `outcome_unknown` while
 * a parcel is being submitted.
 */
export async function lockUnsentOrder(tx: Tx, named: OrderRef): Promise<LockedOrder> {
  const { order, parcels } = await lockOrderWithParcels(tx, named)
  if (parcels.some(({ status }) => status === 'submitting')) {
    throw orderErrors.submissionUnderWay()
  }
  return { order, parcels: parcels.filter(({ status }) => status === 'created') }
}

/**
 * Locks and returns the given undivided orders of a store that have no live parcel. Skips orders that others have locked, and never waits.
 */
export async function lockUnsentOrdersSkipLocked(
  tx: Tx,
  { id, projectId }: Pick<Store, 'id' | 'projectId'>,
  orderIds: readonly string[],
): Promise<OrderRow[]> {
  const free = (await lockOrdersSkipLocked(tx, id, orderIds)).filter(({ isDivided }) => !isDivided)
  const live = await listOrdersWithLiveParcels(
    tx,
    projectId,
    free.map(({ id }) => id),
  )
  const sent = new Set(live.map(({ orderId }) => orderId))
  return free.filter(({ id }) => !sent.has(id))
}
