import type { ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { Tx } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { moveOrder, moveOrders, type OrderMove } from '../change/move-order.ts'
import { listOrderLines, lockOrdersIncludingDeleted, updateOrder } from '../orders.queries.ts'
import { applyPartMoves } from '../split/divide.ts'
import { openStatuses, orderStatusByParcelStatus } from '../statuses.ts'
import { goodsAfter } from '../stock/goods-after.ts'
import { moveGoods, reserveLines } from '../stock/stock.ts'

interface ParcelOfOrder {
  readonly projectId: string
  readonly id: string
  readonly orderId: string | null
  readonly partId: string | null
  readonly returnCondition: ParcelRow['returnCondition']
}

interface ParcelStatusMove {
  readonly parcel: ParcelOfOrder
  readonly to: ParcelStatus
  /** Actor of the move; null for the system. */
  readonly by: Actor | null
}

/**
 * Applies new parcel statuses to the orders and their goods, in the same transaction. A batch of several moves must leave the goods in
 * place, because goods are locked in one sequence over all orders.
 */
export async function applyParcelMoves(tx: Tx, moves: readonly ParcelStatusMove[]) {
  const ruled = moves.flatMap(({ parcel, to, by }) =>
    orderStatusByParcelStatus[to] && parcel.orderId !== null ? [{ parcel, to, by, rule: orderStatusByParcelStatus[to] }] : [],
  )
  const orders = await lockOrdersByParcel(
    tx,
    ruled.map(({ parcel }) => parcel),
  )
  const stores = await findStores(tx, [...orders.values()])
  const ofWholes: OrderMove[] = []
  for (const { parcel, to, rule, by } of ruled) {
    const order = orders.get(parcel.id)
    const store = order && stores.get(order.storeId)
    // All goods were returned manually, so later moves of the parcel do not affect the order.
    if (!order || !store || order.isDivided || order.status === 'returned') continue
    ofWholes.push({ store, order, to: rule.order, change: await moveGoods(tx, store, order, goodsAfter(store, parcel, to)), by })
  }
  await moveOrders(tx, ofWholes)
  const ofParts = ruled.filter(({ parcel }) => orders.get(parcel.id)?.isDivided)
  for (const [order, moved] of Map.groupBy(ofParts, ({ parcel }) => orders.get(parcel.id))) {
    const store = order && stores.get(order.storeId)
    if (order && store) await applyPartMoves(tx, store, order, moved)
  }
}

/**
 * Releases the order of a parcel that was cancelled in Serai: it can be sent again and keeps its stock. Reopens an order that the carrier's
 * own cancellation had cancelled. A deleted order only loses its parcel.
 */
export async function releaseOrder(tx: Tx, parcel: ParcelOfOrder) {
  const order = await lockOrderOf(tx, parcel)
  if (order?.deletedAt) return void (await updateOrder(tx, order, { parcelId: null }))
  const store = order && (await findStore(tx, order.storeId))
  if (!order || !store) return
  if (order.isDivided) return applyPartMoves(tx, store, order, [{ parcel, to: 'cancelled' }])
  const lost = order.status === 'cancelled'
  // The return of the replaced goods was cancelled with it: the exchange must be made anew, as after a manual cancellation.
  if (lost && order.exchangeOf !== null) return void (await updateOrder(tx, order, { parcelId: null }))
  const held = lost && { reservationId: await reserveLines(tx, store, order.reference, await listOrderLines(tx, store.id, order.id)) }
  await moveOrder(tx, store, order, openStatuses.includes(order.status) ? order.status : 'confirmed', { parcelId: null, ...held })
}

/** Detaches a removed parcel from its order. The order keeps its status. */
export async function detachParcel(tx: Tx, parcel: ParcelOfOrder) {
  const order = await lockOrderOf(tx, parcel)
  if (order && !order.isDivided) await updateOrder(tx, order, { parcelId: null })
}

/** Locks and returns the order of a parcel or part; undefined when the order has another parcel by now. */
const lockOrderOf = async (tx: Tx, parcel: ParcelOfOrder) => (await lockOrdersByParcel(tx, [parcel])).get(parcel.id)

/** Locks the orders of many parcels and returns them by parcel id. */
export async function lockOrdersByParcel(tx: Tx, parcels: readonly ParcelOfOrder[]) {
  const orders = new Map((await lockOrdersOf(tx, parcels)).map((order) => [order.id, order]))
  return new Map(
    parcels.flatMap(({ id, orderId, partId }) => {
      const order = orders.get(orderId ?? '')
      return order && (order.isDivided ? partId !== null : order.parcelId === id) ? [[id, order]] : []
    }),
  )
}

/** Locks the orders of parcels that all belong to one project, as every batch of carrier events does. */
async function lockOrdersOf(tx: Tx, parcels: readonly ParcelOfOrder[]) {
  const ids = parcels.flatMap(({ orderId }) => orderId ?? [])
  const [projectId, ...others] = new Set(parcels.map((parcel) => parcel.projectId))
  if (others.length > 0) throw new Error('Parcels of several projects were moved together.')
  return projectId === undefined || ids.length === 0 ? [] : lockOrdersIncludingDeleted(tx, projectId, ids)
}

async function findStores(tx: Tx, orders: readonly { storeId: string }[]) {
  const stores = new Map<string, Store>()
  for (const id of new Set(orders.map(({ storeId }) => storeId))) {
    const store = await findStore(tx, id)
    if (store) stores.set(id, store)
  }
  return stores
}
