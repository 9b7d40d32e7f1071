import type { ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { Tx } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { moveOrder, moveOrders, type OrderMove } from '../change/move.ts'
import { linesOfOrder, lockAllDeletedToo, updateOrder } from '../orders.queries.ts'
import { followParts } from '../split/divide.ts'
import { byParcel, open } from '../statuses.ts'
import { moveGoods, reserveLines } from '../stock/stock.ts'

interface OfOrder {
  readonly projectId: string
  readonly id: string
  readonly orderId: string | null
  readonly partId: string | null
}

interface FollowedMove {
  readonly parcel: OfOrder
  readonly to: ParcelStatus
  /** The actor of the move; null for the system. */
  readonly by: Actor | null
}

/**
 * Parcels of orders have a new status: the orders' statuses and their goods follow, in the same transaction. Many move together only where
 * their goods stay, when a carrier takes them: goods are held in one order over all orders.
 */
export async function followParcels(tx: Tx, moves: readonly FollowedMove[]) {
  const ruled = moves.flatMap(({ parcel, to, by }) =>
    byParcel[to] && parcel.orderId !== null ? [{ parcel, to, by, rule: byParcel[to] }] : [],
  )
  const orders = await ordersOf(
    tx,
    ruled.map(({ parcel }) => parcel),
  )
  const stores = await storesOf(tx, [...orders.values()])
  const ofWholes: OrderMove[] = []
  for (const { parcel, rule, by } of ruled) {
    const order = orders.get(parcel.id)
    const store = order && stores.get(order.storeId)
    // All of it came back by hand: what its parcel does any more is none of the order's.
    if (!order || !store || order.isDivided || order.status === 'returned') continue
    ofWholes.push({ store, order, to: rule.order, change: await moveGoods(tx, store, order, rule.goods), by })
  }
  await moveOrders(tx, ofWholes)
  const ofParts = ruled.filter(({ parcel }) => orders.get(parcel.id)?.isDivided)
  for (const [order, moved] of Map.groupBy(ofParts, ({ parcel }) => orders.get(parcel.id))) {
    const store = order && stores.get(order.storeId)
    if (order && store) await followParts(tx, store, order, moved)
  }
}

/**
 * The parcel was withdrawn by us: the order is free to be sent again, and keeps its stock. Where the carrier's own word of the
 * cancellation came first and took the order along, it is taken up again; unless it was deleted meanwhile, and holds nothing any more.
 */
export async function freeOrder(tx: Tx, parcel: OfOrder) {
  const order = await orderOf(tx, parcel)
  if (order?.deletedAt) return void (await updateOrder(tx, order, { parcelId: null }))
  const store = order && (await findStore(tx, order.storeId))
  if (!order || !store) return
  if (order.isDivided) return followParts(tx, store, order, [{ parcel, to: 'cancelled' }])
  const lost = order.status === 'cancelled'
  // With it went what it was to bring back: it is made anew, as it is after a person has cancelled it.
  if (lost && order.exchangeOf !== null) return void (await updateOrder(tx, order, { parcelId: null }))
  const held = lost && { reservationId: await reserveLines(tx, store, order.reference, await linesOfOrder(tx, store.id, order.id)) }
  await moveOrder(tx, store, order, open.includes(order.status) ? order.status : 'confirmed', { parcelId: null, ...held })
}

/** The parcel is gone, and the order stays as it is. */
export async function forgetParcel(tx: Tx, parcel: OfOrder) {
  const order = await orderOf(tx, parcel)
  if (order && !order.isDivided) await updateOrder(tx, order, { parcelId: null })
}

/** The order that this is the parcel of, or that of a part, held; none where the order has another one by now. */
const orderOf = async (tx: Tx, parcel: OfOrder) => (await ordersOf(tx, [parcel])).get(parcel.id)

/** The same of many, by parcel. */
async function ordersOf(tx: Tx, parcels: readonly OfOrder[]) {
  const orders = new Map((await heldOf(tx, parcels)).map((order) => [order.id, order]))
  return new Map(
    parcels.flatMap(({ id, orderId, partId }) => {
      const order = orders.get(orderId ?? '')
      return order && (order.isDivided ? partId !== null : order.parcelId === id) ? [[id, order]] : []
    }),
  )
}

/** A carrier's word, as whoever has it, moves parcels of one project. */
async function heldOf(tx: Tx, parcels: readonly OfOrder[]) {
  const ids = parcels.flatMap(({ orderId }) => orderId ?? [])
  const [projectId, ...others] = new Set(parcels.map((parcel) => parcel.projectId))
  if (others.length > 0) throw new Error('Parcels of several projects were moved together.')
  return projectId === undefined || ids.length === 0 ? [] : lockAllDeletedToo(tx, projectId, ids)
}

async function storesOf(tx: Tx, orders: readonly { storeId: string }[]) {
  const stores = new Map<string, Store>()
  for (const id of new Set(orders.map(({ storeId }) => storeId))) {
    const store = await findStore(tx, id)
    if (store) stores.set(id, store)
  }
  return stores
}
