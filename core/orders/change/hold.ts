import { RetryTransaction, type Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { invariant } from '../../lib/invariant.ts'
import { holdLive } from '../../logistics/parcels/change/amend.ts'
import { listLiveOfOrder, listLiveOfOrders, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { lockDeletedToo, lockFree, lockOrder, type OrderRow } from '../orders.queries.ts'

/** An order, and whose it is. */
export interface NamedOrder {
  readonly projectId: string
  readonly storeId: string
  readonly orderId: string
}

const keyOf = ({ storeId, orderId }: NamedOrder) => ({ storeId, id: orderId })

export interface HeldOrder {
  readonly order: OrderRow
  /** Those of its parcels that were not cancelled: one at most, unless it is divided. */
  readonly parcels: readonly ParcelRow[]
}

/**
 * An order and its live parcels, all as they are and held until the transaction ends: whoever else changes one waits. Parcels are locked
 * first, as by all who move one; and a parcel is only made by who holds its order, so none can come while we hold it.
 */
export async function holdOrder(tx: Tx, named: NamedOrder): Promise<HeldOrder> {
  const { projectId, orderId } = named
  const parcels = await holdLive(tx, projectId, orderId)
  const [order, now] = await Promise.all([lockOrder(tx, keyOf(named)), listLiveOfOrder(tx, projectId, orderId)])
  if (!order) throw notFound('The order')
  return { order, parcels: stillLive(parcels, now) }
}

/** The same, also where the order was deleted: money may still come for it. */
export async function holdDeletedToo(tx: Tx, named: NamedOrder): Promise<HeldOrder & { readonly isDeleted: boolean }> {
  const { projectId, orderId } = named
  const parcels = await holdLive(tx, projectId, orderId)
  const [order, now] = await Promise.all([lockDeletedToo(tx, keyOf(named)), listLiveOfOrder(tx, projectId, orderId)])
  if (!order) throw notFound('The order')
  return { order, parcels: stillLive(parcels, now), isDeleted: order.deletedAt !== null }
}

/** One was sent, or given up and sent anew, while we waited. */
function stillLive(held: readonly ParcelRow[], now: readonly ParcelRow[]) {
  if (held.length === now.length && held.every(({ id }, at) => id === now[at]?.id)) return held
  throw new RetryTransaction('The order has other parcels now.')
}

/** The same as it is for who was told that the order moved: who tells holds it, and the parcel that moved it. */
export async function findHeld(tx: Tx, named: NamedOrder): Promise<HeldOrder> {
  const [order, parcels] = await Promise.all([lockDeletedToo(tx, keyOf(named)), listLiveOfOrder(tx, named.projectId, named.orderId)])
  return { order: invariant(order, 'An order that moved'), parcels }
}

/**
 * The same for who decides about an order before a carrier has it: parcels that are with one are left out. While one is being handed over
 * nothing may be decided: `outcome_unknown`.
 */
export async function holdUnsent(tx: Tx, named: NamedOrder): Promise<HeldOrder> {
  const { order, parcels } = await holdOrder(tx, named)
  if (parcels.some(({ status }) => status === 'submitting')) {
    throw new ApiError(
      'outcome_unknown',
      'The order is being handed over; whether the carrier has it is not known yet. Try again in a minute.',
    )
  }
  return { order, parcels: parcels.filter(({ status }) => status === 'created') }
}

/** Of these orders of a store, held, those whole ones that have no live parcel and that nobody else held: the caller waits for nobody. */
export async function holdFree(
  tx: Tx,
  { id, projectId }: Pick<Store, 'id' | 'projectId'>,
  orderIds: readonly string[],
): Promise<OrderRow[]> {
  const free = (await lockFree(tx, id, orderIds)).filter(({ isDivided }) => !isDivided)
  const live = await listLiveOfOrders(
    tx,
    projectId,
    free.map(({ id }) => id),
  )
  const sent = new Set(live.map(({ orderId }) => orderId))
  return free.filter(({ id }) => !sent.has(id))
}
