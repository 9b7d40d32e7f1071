import type { ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { Tx } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import { newId } from '../../lib/ids.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { releaseReservation } from '../../shop/inventory/reservations/release-reservation.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { emitOrderUpdated } from '../change/emit-updated.ts'
import { recordStatusChanges } from '../change/history.ts'
import { moveOrder } from '../change/move-order.ts'
import type { LineRow, OrderRow, OrderValues } from '../orders.queries.ts'
import { remainingToCollect } from '../parcels/collected-amounts.ts'
import { quantitiesByKey } from '../returns/returned-quantities.ts'
import { type GoodsState, orderStatusByParcelStatus } from '../statuses.ts'
import { goodsAfter } from '../stock/goods-after.ts'
import { moveGoods, reserveLines } from '../stock/stock.ts'
import {
  type DividedOrder,
  dividedStatusOf,
  newestParcelIdOf,
  type OrderPart,
  pickLines,
  type Quantities,
  readDividedOrder,
  remainingOf,
} from './divided-order.ts'
import { deletePart, insertPart, type PartRow, updatePart } from './parts.queries.ts'

/** Part of an order before its parcel is created. */
export type NewPart = Pick<PartRow, 'id' | 'name' | 'codAmount' | 'overrides'> & { readonly quantities: Quantities }

/**
 * Splits a part off an order. The part reserves its own goods, and the order reserves the rest. Returns the columns to update in the order.
 */
export async function splitOffPart(tx: Tx, store: Store, divided: DividedOrder, part: NewPart, parcelId: string): Promise<OrderValues> {
  const { order, lines, parts } = divided
  const { quantities, ...named } = part
  const cut = quantities.map((each) => ({ ...each, back: 0 }))
  if (order.reservationId) await releaseReservation(tx, store.projectId, order.reservationId)
  const reservationId = await reserveLines(tx, store, order.reference, pickLines(lines, quantities))
  const rest = await reserveRest(tx, store, { ...divided, parts: [...parts, { lines: cut }] })
  const { storeId, id: orderId } = order
  await insertPart(tx, { storeId, orderId, ...named, parcelId, reservationId, fulfilmentId: null, lines: cut })
  return { isDivided: true, reservationId: rest }
}

const reserveRest = (tx: Tx, store: Store, divided: Parameters<typeof remainingOf>[0] & { readonly order: OrderRow }) =>
  reserveLines(tx, store, divided.order.reference, pickLines(divided.lines, remainingOf(divided)))

/**
 * Applies new parcel statuses to the parts of an order: moves their goods, and derives the status of the order. Dissolves a part whose
 * parcel was cancelled, so that its goods can be sent again.
 */
export async function applyPartMoves(
  tx: Tx,
  store: Store,
  order: OrderRow,
  moves: readonly {
    readonly parcel: Pick<ParcelRow, 'partId' | 'returnCondition'>
    readonly to: ParcelStatus
    readonly by?: Actor | null
  }[],
) {
  let divided = await readDividedOrder(tx, store, order)
  let change: OrderValues = {}
  for (const { parcel, to } of moves) {
    const part = divided.parts.find(({ id }) => id === parcel.partId)
    if (!part) continue
    if (to === 'cancelled') {
      const freed = await dissolvePart(tx, store, divided, part)
      divided = freed.divided
      change = { ...change, ...freed.change }
    } else if (orderStatusByParcelStatus[to]) await movePartGoods(tx, store, divided, part, goodsAfter(store, parcel, to))
  }
  await moveOrder(tx, store, order, dividedStatusOf(divided), change, '', moves.at(-1)?.by)
}

/** Moves the goods of a part to another state. */
export async function movePartGoods(tx: Tx, store: Store, { order, lines }: DividedOrder, part: OrderPart, goods: GoodsState) {
  const { reservationId, fulfilmentId } = await moveGoods(tx, store, stockHolderOf(order, part), goods, async () =>
    returnedOfPart(lines, part),
  )
  if (reservationId === part.reservationId && fulfilmentId === part.fulfilmentId) return
  await updatePart(tx, part, { reservationId, fulfilmentId })
}

const stockHolderOf = ({ storeId, id, reference }: OrderRow, { reservationId, fulfilmentId }: OrderPart) => ({
  storeId,
  id,
  reference,
  reservationId,
  fulfilmentId,
})

/** Quantities of a part that were returned manually, by inventory key. */
export const returnedOfPart = (lines: readonly LineRow[], part: OrderPart) =>
  quantitiesByKey(
    part.lines.map(({ line, back }) => ({ inventoryKey: lines[line - 1]?.inventoryKey ?? null, back })),
    ({ back }) => back,
  )

/** Dissolves a part: the order reserves its goods again. */
async function dissolvePart(tx: Tx, store: Store, { order, lines, parts }: DividedOrder, part: OrderPart) {
  await moveGoods(tx, store, stockHolderOf(order, part), 'back', async () => returnedOfPart(lines, part))
  await deletePart(tx, part)
  const others = parts.filter(({ id }) => id !== part.id)
  const without = { order, lines, parts: others }
  if (order.reservationId) await releaseReservation(tx, store.projectId, order.reservationId)
  const reservationId = await reserveRest(tx, store, without)
  const change = { isDivided: others.length > 0, parcelId: newestParcelIdOf(others), reservationId }
  return { divided: { ...without, order: { ...order, ...change } }, change }
}

/**
 * Gives up the unsent rest of an order: releases its goods and reduces the amount to collect. Returns the order, or undefined when nothing
 * was left.
 */
export async function giveUpRemaining(tx: Tx, store: Store, order: OrderRow, reason: string) {
  const divided = await readDividedOrder(tx, store, order)
  const lines = remainingOf(divided).map((each) => ({ ...each, back: 0 }))
  if (lines.length === 0) return undefined
  const codAmount = decimalText(remainingToCollect(order, divided.parts))
  if (order.reservationId) await releaseReservation(tx, store.projectId, order.reservationId)
  const { storeId, id: orderId } = order
  const given: PartRow = {
    storeId,
    orderId,
    id: newId('prt'),
    name: null,
    parcelId: null,
    codAmount,
    reservationId: null,
    fulfilmentId: null,
    overrides: [],
    lines,
  }
  await insertPart(tx, given)
  const parts = [...divided.parts, { ...given, parcel: undefined }]
  const moved = await moveOrder(tx, store, order, dividedStatusOf({ ...divided, parts }), { reservationId: null }, reason)
  if (moved.status !== order.status) return moved
  await recordStatusChanges(tx, [{ order, to: order.status, reason }])
  await emitOrderUpdated(tx, store, moved)
  return moved
}
