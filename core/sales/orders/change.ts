import { happened } from '../../data/follows.ts'
import type { Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { decimal } from '../../lib/decimal.ts'
import { known } from '../../lib/known.ts'
import { amend, giveUp } from '../../logistics/parcels/amend.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { placeOf } from '../../platform/geo/place.ts'
import { emit } from '../../platform/webhooks/emit.ts'
import type { Offer } from '../../shop/catalog/promos.ts'
import { releaseReservation } from '../../shop/inventory/release.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { amountsOf, contactOf } from './create.ts'
import { holdUnsent } from './hold.ts'
import type { Order, OrderChange } from './orders.model.ts'
import {
  deleteLines,
  insertLines,
  linesOfOrder,
  lockDeletedToo,
  lockOrder,
  markOrderDeleted,
  type OrderRow,
  type OrderValues,
  updateOrder,
} from './orders.queries.ts'
import { parcelOf } from './parcel-of.ts'
import { present } from './present.ts'
import { deliveryPrice, price } from './price.ts'
import { byHand, type OrderStatus, open } from './statuses.ts'
import { moveGoods, reserveLines } from './stock.ts'

declare module '../../data/follows.ts' {
  interface Follows {
    /** An order of which somebody paid, or may be paying, has another status or comes to another amount. Its parcel and it are held. */
    'order.moved': { orderId: string }
    /** One of those is about to be deleted. Who still needs it throws. */
    'order.leaving': { orderId: string }
  }
}

/** Changes an order. Lines and address only before it is with a carrier; a status only as the table of statuses allows. */
export async function changeOrder(tx: Tx, store: Store, id: string, change: OrderChange): Promise<Order> {
  const details = change.customer || change.destination || change.items
  const { order, parcel } = details || change.status ? await holdUnsent(tx, id) : { order: await locked(tx, id) }
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
  if (Object.keys(values).length > 0) await updateOrder(tx, id, values)
  if (parcel && details) {
    // The parcel that waits to be sent is what the order now says, its address only where that changed.
    const { destination: place, ...rest } = await parcelOf(tx, await locked(tx, id))
    await amend(tx, parcel.id, { ...rest, ...(change.destination && { destination: place }) })
  }
  if (change.status && change.status !== order.status) return moveByHand(tx, store, await locked(tx, id), change.status, parcel)
  if (reprices && order.paymentStatus !== 'unpaid') await happened(tx, 'order.moved', { orderId: id })
  const changed = present(await locked(tx, id))
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
  if (!change.items) {
    const [subtotal, discount] = [decimal(order.subtotal), decimal(order.discount)]
    const delivery = deliveryPrice(store, change.destination)
    return amountsOf({ subtotal, delivery, discount, total: subtotal + delivery - discount })
  }
  const priced = await price(tx, store, { items: change.items, destination: change.destination, promo: promiseOf(order) })
  if (order.reservationId) await releaseReservation(tx, store.projectId, order.reservationId)
  const reservationId = await reserveLines(tx, store, order.reference, priced.lines, { at: '/body/items' })
  await deleteLines(tx, store.id, order.id)
  await insertLines(tx, store.id, order.id, priced.lines)
  return { ...amountsOf(priced), reservationId }
}

/** What its promotion promised stands, whatever became of the promotion; of what was not kept, what it took off. */
const promiseOf = ({ promoCode, offer, discount }: OrderRow): Offer | null =>
  offer ?? (promoCode === null ? null : { kind: 'amount', value: Number(discount), minimumSubtotal: 0 })

const typedOf = ({ destination: { country, stateCode, cityName, address, deliveryType, pickupId } }: OrderRow) => ({
  country,
  stateCode,
  cityName,
  address,
  deliveryType,
  pickupId,
})

/** A person's decision. Cancelling gives the stock back, and up the parcel; taking up a cancelled order reserves its lines again. */
async function moveByHand(tx: Tx, store: Store, order: OrderRow, to: OrderStatus, parcel: ParcelRow | undefined): Promise<Order> {
  if (!byHand[order.status].includes(to)) {
    throw new ApiError(
      'invalid_transition',
      `An order that is ${order.status} can become ${byHand[order.status].join(', ') || 'nothing else by hand'}; not ${to}.`,
    )
  }
  if (to === 'cancelled' && parcel) {
    await giveUp(tx, parcel)
    return present(await locked(tx, order.id))
  }
  return moveOrder(
    tx,
    store,
    order,
    to,
    // Somebody has looked at it: it holds its stock until somebody decides otherwise.
    { ...(to === 'cancelled' ? await moveGoods(tx, store, order, 'back') : await againReserved(tx, store, order)), heldUntil: null },
  )
}

async function againReserved(tx: Tx, store: Store, order: OrderRow) {
  if (order.status !== 'cancelled') return {}
  return { reservationId: await reserveLines(tx, store, order.reference, await linesOfOrder(tx, store.id, order.id)) }
}

/** Writes a new status with what else changes, and tells. */
export async function moveOrder(tx: Tx, store: Store, order: OrderRow, to: OrderStatus, change: OrderValues): Promise<Order> {
  const moved = present({ ...order, ...change, status: to, updatedAt: new Date().toISOString() })
  const data = { order: moved, fromStatus: order.status, toStatus: to }
  const told = { projectId: store.projectId, storeId: store.id, type: 'order.status_changed', data, orderKey: order.id } as const
  await Promise.all([updateOrder(tx, order.id, { ...change, status: to }), emit(tx, to === order.status ? [] : [told])])
  if (order.paymentStatus === 'unpaid' || to === order.status) return moved
  await happened(tx, 'order.moved', { orderId: order.id })
  return present(await lockedDeletedToo(tx, order.id))
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
  const { order: before, parcel } = await holdUnsent(tx, id)
  const why = KEPT[before.status]
  if (why) throw new ApiError('invalid_transition', `The order is ${before.status} and cannot be deleted. ${why}`)
  if (before.paymentStatus !== 'unpaid') await happened(tx, 'order.leaving', { orderId: id })
  if (parcel) await giveUp(tx, parcel)
  const order = await locked(tx, id)
  if (order.reservationId && !order.fulfilmentId) await updateOrder(tx, id, await moveGoods(tx, store, order, 'back'))
  await markOrderDeleted(tx, id)
  await emit(tx, [
    { projectId: store.projectId, storeId: store.id, type: 'order.deleted', data: { id, reference: order.reference }, orderKey: id },
  ])
}

async function lockedDeletedToo(tx: Tx, id: string): Promise<OrderRow> {
  return known(await lockDeletedToo(tx, id), 'The order that was moved')
}

async function locked(tx: Tx, id: string): Promise<OrderRow> {
  const order = await lockOrder(tx, id)
  if (!order) throw notFound('The order')
  return order
}
