import type { ParcelStatus } from '../../plugins/carrier/model.ts'
import type { Queryable } from '../data/sql.ts'
import { findStore } from '../stores/stores.queries.ts'
import { moveOrder } from './change.ts'
import { lockOrder, updateOrder } from './orders.queries.ts'
import { byParcel } from './statuses.ts'
import { moveGoods } from './stock.ts'

/** The parcel of an order has a new status: the order's status and its goods follow, in the same transaction. */
export async function followParcel(tx: Queryable, parcel: { id: string; orderId: string | null }, status: ParcelStatus) {
  const rule = byParcel[status]
  if (!parcel.orderId || !rule) return
  const order = await lockOrder(tx, parcel.orderId)
  if (!order || order.parcelId !== parcel.id) return
  const store = await findStore(tx, order.storeId)
  if (!store) return
  await moveOrder(tx, store, order, rule.order, await moveGoods(tx, store, order, rule.goods))
}

/** The parcel was withdrawn by us: the order is free to be sent again, and keeps its stock. */
export async function freeOrder(tx: Queryable, parcel: { id: string; orderId: string | null }) {
  if (!parcel.orderId) return
  const order = await lockOrder(tx, parcel.orderId)
  if (!order || order.parcelId !== parcel.id) return
  const store = await findStore(tx, order.storeId)
  await updateOrder(tx, order.id, { parcelId: null })
  if (store) await moveOrder(tx, store, { ...order, parcelId: null }, 'confirmed', { parcelId: null })
}
