import { Again, type Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { holdLive } from '../../logistics/parcels/amend.ts'
import { findLiveOfOrder, listLiveOfOrders, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { lockDeletedToo, lockFree, lockOrder, type OrderRow } from './orders.queries.ts'

/** An order, and whose it is. */
export interface NamedOrder {
  readonly projectId: string
  readonly storeId: string
  readonly orderId: string
}

const keyOf = ({ storeId, orderId }: NamedOrder) => ({ storeId, id: orderId })

export interface HeldOrder {
  readonly order: OrderRow
  /** Its parcel that was not cancelled, if there is one. */
  readonly parcel: ParcelRow | undefined
}

/**
 * An order and its live parcel, both as they are and held until the transaction ends: whoever else changes either waits. The parcel is
 * locked first, as by all who move one; and a parcel is only made by who holds its order, so none can come while we hold it.
 */
export async function holdOrder(tx: Tx, named: NamedOrder): Promise<HeldOrder> {
  const { projectId, orderId } = named
  const parcel = await holdLive(tx, projectId, orderId)
  const [order, now] = await Promise.all([lockOrder(tx, keyOf(named)), findLiveOfOrder(tx, projectId, orderId)])
  if (!order) throw notFound('The order')
  // It was sent, or given up and sent anew, while we waited.
  if (now?.id !== parcel?.id) throw new Again('The order has another parcel now.')
  return { order, parcel: now && parcel }
}

/** The same, also where the order was deleted: money may still come for it. */
export async function holdDeletedToo(tx: Tx, named: NamedOrder): Promise<HeldOrder & { readonly isDeleted: boolean }> {
  const { projectId, orderId } = named
  const parcel = await holdLive(tx, projectId, orderId)
  const [order, now] = await Promise.all([lockDeletedToo(tx, keyOf(named)), findLiveOfOrder(tx, projectId, orderId)])
  if (!order) throw notFound('The order')
  if (now?.id !== parcel?.id) throw new Again('The order has another parcel now.')
  return { order, parcel: now && parcel, isDeleted: order.deletedAt !== null }
}

/**
 * The same for who decides about an order before a carrier has it: a parcel that is with one is left out. While it is being handed over
 * nothing may be decided: `outcome_unknown`.
 */
export async function holdUnsent(tx: Tx, named: NamedOrder): Promise<HeldOrder> {
  const { order, parcel } = await holdOrder(tx, named)
  if (parcel?.status === 'submitting') {
    throw new ApiError(
      'outcome_unknown',
      'The order is being handed over; whether the carrier has it is not known yet. Try again in a minute.',
    )
  }
  return { order, parcel: parcel?.status === 'created' ? parcel : undefined }
}

/** Of these orders of a store, held, those that have no live parcel and that nobody else held: the caller waits for nobody. */
export async function holdFree(
  tx: Tx,
  { id, projectId }: Pick<Store, 'id' | 'projectId'>,
  orderIds: readonly string[],
): Promise<OrderRow[]> {
  const free = await lockFree(tx, id, orderIds)
  const live = await listLiveOfOrders(
    tx,
    projectId,
    free.map(({ id }) => id),
  )
  const sent = new Set(live.map(({ orderId }) => orderId))
  return free.filter(({ id }) => !sent.has(id))
}
