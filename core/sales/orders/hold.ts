import { Again, type Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { holdLive } from '../../logistics/parcels/amend.ts'
import { findLiveOfOrder, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { lockDeletedToo, lockOrder, type OrderRow } from './orders.queries.ts'

export interface HeldOrder {
  readonly order: OrderRow
  /** Its parcel that was not cancelled, if there is one. */
  readonly parcel: ParcelRow | undefined
}

/**
 * An order and its live parcel, both as they are and held until the transaction ends: whoever else changes either waits. The parcel is
 * locked first, as by all who move one; and a parcel is only made by who holds its order, so none can come while we hold it.
 */
export async function holdOrder(tx: Tx, orderId: string): Promise<HeldOrder> {
  const parcel = await holdLive(tx, orderId)
  const [order, now] = await Promise.all([lockOrder(tx, orderId), findLiveOfOrder(tx, orderId)])
  if (!order) throw notFound('The order')
  // It was sent, or given up and sent anew, while we waited.
  if (now?.id !== parcel?.id) throw new Again('The order has another parcel now.')
  return { order, parcel: now && parcel }
}

/** The same, also where the order was deleted: money may still come for it. */
export async function holdDeletedToo(tx: Tx, orderId: string): Promise<HeldOrder & { readonly isDeleted: boolean }> {
  const parcel = await holdLive(tx, orderId)
  const [order, now] = await Promise.all([lockDeletedToo(tx, orderId), findLiveOfOrder(tx, orderId)])
  if (!order) throw notFound('The order')
  if (now?.id !== parcel?.id) throw new Again('The order has another parcel now.')
  return { order, parcel: now && parcel, isDeleted: order.deletedAt !== null }
}

/**
 * The same for who decides about an order before a carrier has it: a parcel that is with one is left out. While it is being handed over
 * nothing may be decided: `outcome_unknown`.
 */
export async function holdUnsent(tx: Tx, orderId: string): Promise<HeldOrder> {
  const { order, parcel } = await holdOrder(tx, orderId)
  if (parcel?.status === 'submitting') {
    throw new ApiError(
      'outcome_unknown',
      'The order is being handed over; whether the carrier has it is not known yet. Try again in a minute.',
    )
  }
  return { order, parcel: parcel?.status === 'created' ? parcel : undefined }
}
