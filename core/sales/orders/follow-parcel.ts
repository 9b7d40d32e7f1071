import type { ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { Tx } from '../../data/sql.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { moveOrder } from './change.ts'
import { linesOfOrder, lockDeletedToo, updateOrder } from './orders.queries.ts'
import { byParcel, open } from './statuses.ts'
import { moveGoods, reserveLines } from './stock.ts'

/** The parcel of an order has a new status: the order's status and its goods follow, in the same transaction. */
export async function followParcel(tx: Tx, parcel: { id: string; orderId: string | null }, status: ParcelStatus) {
  const rule = byParcel[status]
  const order = rule && (await orderOf(tx, parcel))
  const store = order && (await findStore(tx, order.storeId))
  if (!rule || !order || !store) return
  await moveOrder(tx, store, order, rule.order, await moveGoods(tx, store, order, rule.goods))
}

/**
 * The parcel was withdrawn by us: the order is free to be sent again, and keeps its stock. Where the carrier's own word of the
 * cancellation came first and took the order along, it is taken up again; unless it was deleted meanwhile, and holds nothing any more.
 */
export async function freeOrder(tx: Tx, parcel: { id: string; orderId: string | null }) {
  const order = await orderOf(tx, parcel)
  if (order?.deletedAt) return void (await updateOrder(tx, order.id, { parcelId: null }))
  const store = order && (await findStore(tx, order.storeId))
  if (!order || !store) return
  const lost = order.status === 'cancelled'
  const held = lost && { reservationId: await reserveLines(tx, store, order.reference, await linesOfOrder(tx, store.id, order.id)) }
  await moveOrder(tx, store, order, open.includes(order.status) ? order.status : 'confirmed', { parcelId: null, ...held })
}

/** The parcel is gone, and the order stays as it is. */
export async function forgetParcel(tx: Tx, parcel: { id: string; orderId: string | null }) {
  const order = await orderOf(tx, parcel)
  if (order) await updateOrder(tx, order.id, { parcelId: null })
}

/** The order that this is the parcel of, held; none where the order has another one by now. */
async function orderOf(tx: Tx, { id, orderId }: { id: string; orderId: string | null }) {
  const order = orderId === null ? undefined : await lockDeletedToo(tx, orderId)
  return order?.parcelId === id ? order : undefined
}
