import { happened } from '../../data/follows.ts'
import type { Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { known } from '../../lib/known.ts'
import { amend, giveUp } from '../../logistics/parcels/amend.ts'
import { findLiveOfOrder, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { noted } from '../../platform/audit/noted.ts'
import { placeOf } from '../../platform/geo/place.ts'
import { emit } from '../../platform/webhooks/emit.ts'
import type { Offer } from '../../shop/catalog/promos.ts'
import { giveBackUses } from '../../shop/catalog/redeem.ts'
import { releaseReservation } from '../../shop/inventory/release.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { amountsOf, contactOf } from './create.ts'
import { writeLastReason } from './history.queries.ts'
import { noteMoves } from './history.ts'
import { holdUnsent, type NamedOrder } from './hold.ts'
import type { Order, OrderChange } from './orders.model.ts'
import {
  deleteLines,
  insertLines,
  linesOfOrder,
  lockDeletedToo,
  lockOrder,
  markOrderDeleted,
  type OrderKey,
  type OrderRow,
  type OrderValues,
  updateOrder,
  updateOrders,
} from './orders.queries.ts'
import { parcelOf } from './parcel-of.ts'
import { present } from './present.ts'
import { price, priceElsewhere } from './price.ts'
import { followUses } from './promotion-uses.ts'
import { byHand, type OrderStatus, open } from './statuses.ts'
import { moveGoods, reserveLines } from './stock.ts'

declare module '../../data/follows.ts' {
  interface Follows {
    /** An order of which somebody paid, or may be paying, has another status or comes to another amount. Its parcel and it are held. */
    'order.moved': NamedOrder
    /** One of those is about to be deleted. Who still needs it throws. */
    'order.leaving': NamedOrder
  }
}

/** Changes an order. Lines and address only before it is with a carrier; a status only as the table of statuses allows. */
export async function changeOrder(tx: Tx, store: Store, id: string, change: OrderChange): Promise<Order> {
  const details = change.customer || change.destination || change.items
  const { order, parcel } = details || change.status ? await holdUnsent(tx, named(store, id)) : { order: await locked(tx, store, id) }
  if (details && !open.includes(order.status)) {
    throw new ApiError(
      'invalid_transition',
      `The order is ${order.status}: its customer, address and lines can no longer change. Unsend it first.`,
    )
  }
  const destination = change.destination ? placeOf({ ...typedOf(order), ...change.destination }) : order.destination
  const reprices = change.items !== undefined || change.destination !== undefined
  const reprice = reprices ? await repriced(tx, store, order, { ...change, destination }) : {}
  const customer = {
    name: order.customerName,
    phone: order.customerPhone,
    phoneAlt: order.customerPhoneAlt,
    email: order.customerEmail,
    ...change.customer,
  }
  const values: OrderValues = {
    ...(change.destination && { destination }),
    ...(change.customer && contactOf(customer, destination.country)),
    ...(change.note !== undefined && { note: change.note }),
    ...(change.metadata && { metadata: change.metadata }),
    ...(details && { version: order.version + 1 }),
    ...reprice,
  }
  if (Object.keys(values).length > 0) await updateOrder(tx, order, values)
  if (parcel && details) {
    // The parcel that waits to be sent is what the order now says, its address only where that changed.
    const { destination: place, ...rest } = await parcelOf(tx, await locked(tx, store, id))
    await amend(tx, parcel, { ...rest, ...(change.destination && { destination: place }) })
  }
  if (change.status && change.status !== order.status)
    return moveByHand(tx, store, await locked(tx, store, id), { to: change.status, reason: change.reason ?? '' }, parcel)
  if (reprices && order.paymentStatus !== 'unpaid') await happened(tx, 'order.moved', named(store, id))
  const changed = present(await locked(tx, store, id))
  await emit(tx, [{ projectId: store.projectId, storeId: store.id, type: 'order.updated', data: { order: changed }, orderKey: id }])
  return changed
}

/** New lines are priced from the catalogue; a new address changes what delivery costs, and nothing else. */
async function repriced(
  tx: Tx,
  store: Store,
  order: OrderRow,
  change: Pick<OrderChange, 'items'> & Pick<OrderRow, 'destination'>,
): Promise<OrderValues> {
  if (!change.items) return amountsOf(await priceElsewhere(tx, store, order, change.destination))
  const priced = await price(tx, store, { items: change.items, destination: change.destination, promo: promiseOf(order) })
  if (order.reservationId) await releaseReservation(tx, store.projectId, order.reservationId)
  const reservationId = await reserveLines(tx, store, order.reference, priced.lines, { at: '/body/items' })
  await deleteLines(tx, store.id, order.id)
  await insertLines(tx, store.id, order.id, priced.lines)
  return { ...amountsOf(priced), reservationId }
}

/** What its promotion promised stands, whatever became of the promotion; of what was not kept, what it took off. */
const promiseOf = ({ promoCode, offer, discount }: OrderRow): Offer | null =>
  offer ?? (promoCode === null ? null : { kind: 'fixed', value: Number(discount), minimumSubtotal: 0 })

const typedOf = ({ destination: { country, stateCode, cityName, address, deliveryType, pickupId } }: OrderRow) => ({
  country,
  stateCode,
  cityName,
  address,
  deliveryType,
  pickupId,
})

interface Decision {
  readonly to: OrderStatus
  /** Kept in the order's history. */
  readonly reason: string
}

/** A person's decision. Cancelling gives the stock back, and up the parcel; taking up a cancelled order reserves its lines again. */
async function moveByHand(tx: Tx, store: Store, order: OrderRow, { to, reason }: Decision, parcel: ParcelRow | undefined): Promise<Order> {
  if (!byHand[order.status].includes(to)) {
    throw new ApiError(
      'invalid_transition',
      `An order that is ${order.status} can become ${byHand[order.status].join(', ') || 'nothing else by hand'}; not ${to}.`,
    )
  }
  await noted(tx, { storeId: store.id }, { what: 'order.status_changed', thing: order.id, before: order, after: { status: to } })
  if (to === 'cancelled' && parcel) {
    await giveUp(tx, parcel)
    if (reason !== '') await writeLastReason(tx, order, reason)
    return present(await locked(tx, store, order.id))
  }
  return moveOrder(
    tx,
    store,
    order,
    to,
    // Somebody has looked at it: it holds its stock until somebody decides otherwise.
    { ...(to === 'cancelled' ? await moveGoods(tx, store, order, 'back') : await againReserved(tx, store, order)), heldUntil: null },
    reason,
  )
}

async function againReserved(tx: Tx, store: Store, order: OrderRow) {
  if (order.status !== 'cancelled') return {}
  return { reservationId: await reserveLines(tx, store, order.reference, await linesOfOrder(tx, store.id, order.id)) }
}

export interface OrderMove {
  readonly store: Store
  readonly order: OrderRow
  readonly to: OrderStatus
  /** What else changes. */
  readonly change: OrderValues
  /** Kept in the order's history. */
  readonly reason?: string
}

/** Writes a new status with what else changes, and tells. */
export async function moveOrder(tx: Tx, store: Store, order: OrderRow, to: OrderStatus, change: OrderValues, reason = ''): Promise<Order> {
  const move = { store, order, to, change, reason }
  await moveOrders(tx, [move])
  return hasPayments(move) ? present(await lockedDeletedToo(tx, order)) : moved(move)
}

/** The same for many, in few statements; what else changes is the same of each. */
export async function moveOrders(tx: Tx, moves: readonly OrderMove[]) {
  const [only, ...others] = moves
  if (!only) return
  const all = () =>
    updateOrders(
      tx,
      moves.map(({ order: { storeId, id }, to, change }) => ({ storeId, id, ...change, status: to })),
    )
  const write = others.length > 0 ? all() : updateOrder(tx, only.order, { ...only.change, status: only.to })
  await Promise.all([write, noteMoves(tx, moves.filter(isMove)), emit(tx, moves.filter(isMove).map(tidingOf))])
  await followUses(tx, moves)
  for (const { store, order } of moves.filter(hasPayments)) await happened(tx, 'order.moved', named(store, order.id))
}

const isMove = ({ order, to }: OrderMove) => to !== order.status
const hasPayments = (move: OrderMove) => move.order.paymentStatus !== 'unpaid' && isMove(move)
const moved = ({ order, to, change }: OrderMove) => present({ ...order, ...change, status: to, updatedAt: new Date().toISOString() })

function tidingOf(move: OrderMove) {
  const { store, order, to } = move
  const data = { order: moved(move), fromStatus: order.status, toStatus: to }
  return { projectId: store.projectId, storeId: store.id, type: 'order.status_changed', data, orderKey: order.id } as const
}

/** What is deleted is not followed: these may still come back. */
const KEPT: Partial<Record<OrderStatus, string>> = {
  sent: 'It is with a carrier; unsend it first.',
  out_for_delivery: 'It is with a carrier.',
  returning: 'It is on its way back; delete it when it has arrived.',
  delivered: 'Its parcel may still come back, and its goods with it.',
}

/** Out of sight, its stock given back. An order whose parcel may still move is not deleted. */
export async function deleteOrder(tx: Tx, store: Store, id: string) {
  const { order: before, parcel } = await holdUnsent(tx, named(store, id))
  const why = KEPT[before.status]
  if (why) throw new ApiError('invalid_transition', `The order is ${before.status} and cannot be deleted. ${why}`)
  await assertBack(tx, store, before)
  if (before.paymentStatus !== 'unpaid') await happened(tx, 'order.leaving', named(store, id))
  if (parcel) await giveUp(tx, parcel)
  const order = await locked(tx, store, id)
  if (order.reservationId && !order.fulfilmentId) await updateOrder(tx, order, await moveGoods(tx, store, order, 'back'))
  await giveBackUses(tx, store.id, [id])
  await markOrderDeleted(tx, order)
  await emit(tx, [
    { projectId: store.projectId, storeId: store.id, type: 'order.deleted', data: { id, reference: order.reference }, orderKey: id },
  ])
}

/** What its customer brought back has a parcel of which the carrier may still say something. */
async function assertBack(tx: Tx, { projectId }: Store, { id, status }: OrderRow) {
  if (status !== 'returned') return
  const parcel = await findLiveOfOrder(tx, projectId, id)
  if (parcel && parcel.status !== 'returned')
    throw new ApiError('invalid_transition', `The order came back, and its parcel is ${parcel.status}: it is kept.`)
}

const named = (store: Store, orderId: string): NamedOrder => ({ projectId: store.projectId, storeId: store.id, orderId })

async function lockedDeletedToo(tx: Tx, order: OrderKey): Promise<OrderRow> {
  return known(await lockDeletedToo(tx, order), 'The order that was moved')
}

async function locked(tx: Tx, store: Store, id: string): Promise<OrderRow> {
  const order = await lockOrder(tx, { storeId: store.id, id })
  if (!order) throw notFound('The order')
  return order
}
