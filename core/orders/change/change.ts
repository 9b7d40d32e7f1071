import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import type { DomainError } from '../../lib/errors/domain-error.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { cancelUnsentParcel } from '../../logistics/parcels/change/update-unsent.ts'
import { finalParcelStatuses } from '../../logistics/parcels/lifecycle/transitions.ts'
import { listLiveParcelsOfOrder, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { resolveAddress } from '../../platform/geo/resolve/resolve-address.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import { releaseRedemptions } from '../../shop/catalog/promos/redeem-promo.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { customerColumnsOf } from '../create/create.ts'
import { orderErrors } from '../orders.errors.ts'
import type { Order, OrderChange } from '../orders.model.ts'
import { listOrderLines, lockOrder, markOrderDeleted, type OrderRow, type OrderValues, updateOrder } from '../orders.queries.ts'
import { dequeueUnconfirmed } from '../parcels/send-rule.ts'
import { syncUnsentParcels } from '../parcels/sync-parcel.ts'
import { presentOrder } from '../present.ts'
import type { ExternalPricing } from '../pricing/external-pricing.ts'
import { transferPromotionUse } from '../pricing/promotion-uses.ts'
import { assertAmountsCanChange, hasAmountChange, repriceOrder } from '../pricing/reprice.ts'
import { cancelAwaitedReturns } from '../returns/returns.queries.ts'
import { giveUpRemaining } from '../split/divide.ts'
import { deleteParts } from '../split/parts.queries.ts'
import { endedStatuses, manualTransitions, type OrderStatus, openStatuses } from '../statuses.ts'
import { moveGoods, reserveLines } from '../stock/stock.ts'
import { emitOrderUpdated } from './emit-updated.ts'
import { updateLastReason } from './history.queries.ts'
import { lockUnsentOrder, type OrderRef } from './lock-order.ts'
import { moveOrder } from './move-order.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published before an order with payments is deleted. A subscriber that still needs the order throws. */
    'order.deleted': OrderRef
  }
}

/**
 * Changes an order. Customer, lines and address can change only before a carrier has the order; the status only as `manualTransitions`
 * allows.
 * `externalPricing` has the prices of the connected shop that the order is from; without new lines its amounts stay. Throws `not_found`,
 * `invalid_transition` and the errors of pricing and stock.
 */
export async function changeOrder(
  tx: Tx,
  store: Store,
  id: string,
  change: OrderChange,
  externalPricing?: ExternalPricing,
): Promise<Order> {
  const reprices = change.items !== undefined || change.destination !== undefined || hasAmountChange(change)
  const details = change.customer || reprices
  const isOfParcel = details || change.note !== undefined
  const locked =
    isOfParcel || change.status
      ? await lockUnsentOrder(tx, orderRefOf(store, id))
      : { order: await lockExisting(tx, store, id), parcels: [] }
  const { order, parcels } = locked
  if (details && !openStatuses.includes(order.status)) {
    throw orderErrors.orderSent({ status: order.status })
  }
  assertAmountsCanChange(order, change)
  const destination = change.destination ? resolveAddress({ ...typedOf(order), ...change.destination }) : order.destination
  const isDeliveryRepriced = change.deliveryPrice === null || isPricedOtherwise(order.destination, destination)
  const customer = {
    name: order.customerName,
    phone: order.customerPhone,
    phoneAlt: order.customerPhoneAlt,
    email: order.customerEmail,
    ...change.customer,
  }
  const contact = change.customer && customerColumnsOf(customer, destination.country, [order.customerPhone, order.customerPhoneAlt])
  const phone = contact?.customerPhone ?? order.customerPhone
  const amounts = reprices
    ? await repriceOrder(tx, store, order, { ...change, destination, isDeliveryRepriced, phone }, externalPricing)
    : {}
  if (phone !== order.customerPhone) await transferPromotionUse(tx, { ...order, ...amounts }, phone)
  const values: OrderValues = {
    ...(change.destination && { destination }),
    ...contact,
    ...(change.note !== undefined && { note: change.note }),
    ...(change.metadata && { metadata: change.metadata }),
    ...(details && { version: order.version + 1 }),
    ...amounts,
  }
  if (Object.keys(values).length > 0) await updateOrder(tx, order, values)
  const fields = fieldsChanged(order, values)
  if (fields.length > 0) await recordAudit(tx, { storeId: store.id }, { what: 'order.changed', thing: id, after: { fields } })
  if (isOfParcel && parcels.length > 0) await syncUnsentParcels(tx, await lockExisting(tx, store, id), parcels, change)
  if (change.status && change.status !== order.status)
    return changeStatusManually(tx, store, await lockExisting(tx, store, id), { to: change.status, reason: change.reason ?? '' }, parcels)
  if (reprices && order.paymentStatus !== 'unpaid') await publish(tx, 'order.moved', orderRefOf(store, id))
  const changed = presentOrder(await lockExisting(tx, store, id))
  await emitOrderUpdated(tx, store, changed)
  return changed
}

/** API fields that the audit log names, by column, apart from lines and amounts. */
const FIELDS = {
  customerName: 'customer.name',
  customerPhone: 'customer.phone',
  customerPhoneAlt: 'customer.phoneAlt',
  customerEmail: 'customer.email',
  destination: 'destination',
  note: 'note',
  metadata: 'metadata',
} as const

const fieldsChanged = (order: OrderRow, values: OrderValues): string[] =>
  Object.entries(FIELDS).flatMap(([column, field]) => {
    const name = column as keyof typeof FIELDS
    return values[name] !== undefined && !isDeepStrictEqual(values[name], order[name]) ? [field] : []
  })

/** Members of a destination that decide the price of its delivery. The address within a city and the stop desk do not. */
const PRICED = ['country', 'stateCode', 'cityCode', 'cityName', 'deliveryType'] as const

const isPricedOtherwise = (before: OrderRow['destination'], after: OrderRow['destination']): boolean =>
  PRICED.some((member) => before[member] !== after[member])

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
  /** Reason for the order's status history. */
  readonly reason: string
}

/**
 * Applies a status that a user sets. Cancelling releases the stock and cancels the parcels that no carrier has. For a divided order that is
 * partly sent, it cancels the rest only. Reopening a cancelled order reserves its lines again.
 */
async function changeStatusManually(
  tx: Tx,
  store: Store,
  order: OrderRow,
  { to, reason }: Decision,
  parcels: readonly ParcelRow[],
): Promise<Order> {
  const isPartlySent = order.isDivided && !openStatuses.includes(order.status)
  const moved = to === 'cancelled' && isPartlySent ? await cancelUnsentRest(tx, store, order, parcels, reason) : undefined
  if (moved) return moved
  if (!manualTransitions[order.status].includes(to)) {
    throw orderErrors.transitionImpossible({
      status: order.status,
      possible: manualTransitions[order.status].join(', ') || 'nothing else by hand',
      to,
    })
  }
  if (order.status === 'cancelled' && order.exchangeOf !== null) throw orderErrors.returnCancelled()
  await recordAudit(tx, { storeId: store.id }, { what: 'order.status_changed', thing: order.id, before: order, after: { status: to } })
  if (to === 'cancelled') return cancelOrder(tx, store, order, parcels, reason)
  await dequeueUnconfirmed(tx, store.id, to, parcels)
  // A user has handled the order, so its stock reservation no longer expires.
  return moveOrder(tx, store, order, to, { ...(await reserveAgain(tx, store, order)), heldUntil: null }, reason)
}

/** Cancels an order and its parcels. Cancelling the parcel of an undivided order may have cancelled the order already. */
async function cancelOrder(tx: Tx, store: Store, before: OrderRow, parcels: readonly ParcelRow[], reason: string): Promise<Order> {
  for (const parcel of parcels) await cancelUnsentParcel(tx, parcel)
  const order = await lockExisting(tx, store, before.id)
  if (order.status === 'cancelled') {
    if (reason !== '') await updateLastReason(tx, order, reason)
    return presentOrder(order)
  }
  if (before.isDivided) await deleteParts(tx, order)
  const change = { ...(await moveGoods(tx, store, order, 'back')), heldUntil: null, isDivided: false }
  return moveOrder(tx, store, order, 'cancelled', change, reason)
}

/** Cancels the parts that no carrier has. Returns undefined when there are none. */
async function cancelUnsentRest(tx: Tx, store: Store, before: OrderRow, parcels: readonly ParcelRow[], reason: string) {
  for (const parcel of parcels) await cancelUnsentParcel(tx, parcel)
  const moved = await giveUpRemaining(tx, store, await lockExisting(tx, store, before.id), reason)
  if (moved) await recordAudit(tx, { storeId: store.id }, { what: 'order.status_changed', thing: before.id, before, after: moved })
  return moved
}

/** Reserves the lines of a cancelled order again, and returns the columns to update. Does nothing in another status. */
export async function reserveAgain(tx: Tx, store: Store, order: OrderRow) {
  if (order.status !== 'cancelled') return {}
  return { reservationId: await reserveLines(tx, store, order.reference, await listOrderLines(tx, store.id, order.id)) }
}

/** Errors of an order that cannot be deleted in this status; deleted orders no longer follow their parcels. */
const deletionErrors: Partial<Record<OrderStatus, () => DomainError>> = {
  sent: orderErrors.sentOrderNotDeletable,
  out_for_delivery: orderErrors.orderBeingDelivered,
  returning: orderErrors.orderReturning,
  delivered: orderErrors.deliveredOrderNotDeletable,
}

/** Deletes an order and releases its stock. Throws `invalid_transition` while its parcel may still move. */
export async function deleteOrder(tx: Tx, store: Store, id: string) {
  const { order: before, parcels } = await lockUnsentOrder(tx, orderRefOf(store, id))
  const deletionError = deletionErrors[before.status]
  if (deletionError) throw deletionError()
  await assertNoMovingParcel(tx, store, before)
  if (before.paymentStatus !== 'unpaid') await publish(tx, 'order.deleted', orderRefOf(store, id))
  for (const parcel of parcels) await cancelUnsentParcel(tx, parcel)
  const order = await lockExisting(tx, store, id)
  if (order.reservationId && !order.fulfilmentId) await updateOrder(tx, order, await moveGoods(tx, store, order, 'back'))
  await releaseRedemptions(tx, store.projectId, [id])
  await cancelAwaitedReturns(tx, [order])
  await markOrderDeleted(tx, order)
  await recordAudit(tx, { storeId: store.id }, { what: 'order.deleted', thing: id, before: order })
  await emitWebhook(tx, [{ projectId: store.projectId, type: 'order.deleted', data: { id, reference: order.reference }, orderKey: id }])
}

/** Throws `invalid_transition` while a parcel of the ended order may still receive events from its carrier. */
async function assertNoMovingParcel(tx: Tx, { projectId }: Store, { id, status }: OrderRow) {
  if (!endedStatuses.includes(status)) return
  const live = await listLiveParcelsOfOrder(tx, projectId, id)
  const moving = live.find((parcel) => !finalParcelStatuses.includes(parcel.status))
  if (moving) throw orderErrors.parcelStillMoving({ status, parcelStatus: moving.status })
}

const orderRefOf = (store: Store, orderId: string): OrderRef => ({ projectId: store.projectId, storeId: store.id, orderId })

async function lockExisting(tx: Tx, store: Store, id: string): Promise<OrderRow> {
  const order = await lockOrder(tx, { storeId: store.id, id })
  if (!order) throw notFound('The order')
  return order
}
