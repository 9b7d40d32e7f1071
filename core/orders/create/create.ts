import { randomBytes } from 'node:crypto'
import { sendWithCommit, type Tx } from '../../data/sql.ts'
import { currentActor, PUBLIC_ACTOR } from '../../data/tenant-context.ts'
import { parseContactPhones } from '../../http/body/phone.ts'
import type { FieldPath } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { resolveAddress } from '../../platform/geo/resolve/resolve-address.ts'
import { emitWebhook, type NewEvent } from '../../platform/webhooks/emit.ts'
import type { Offer } from '../../shop/catalog/promos/promos.ts'
import { redeemPromo } from '../../shop/catalog/promos/redeem-promo.ts'
import { type PlannedReservation, saveReservation } from '../../shop/inventory/reservations/reserve-stock.ts'
import { assertNotBlocked, blockKeysOf, blockReasonOf } from '../../shop/stores/blocks/blocks.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { claimCustomer, ensureCustomer, newCustomer } from '../customers/ensure-customer.ts'
import type { NewOrder, Order } from '../orders.model.ts'
import { insertOrder, type OrderRow } from '../orders.queries.ts'
import { presentOrder } from '../present.ts'
import { applyExternalPricing, type ExternalPricing } from '../pricing/external-pricing.ts'
import type { PricedOrder } from '../pricing/price.ts'
import { assertFirstOrder } from '../pricing/promotion-uses.ts'
import { assertNoDuplicate } from '../public/duplicates.ts'
import { assertOpenOrdersLimit, assertOrderSize, type PublicClient, reservationExpiryOf } from '../public/public-limits.ts'
import { orderSearchTextOf } from '../search-text.ts'
import { planLines } from '../stock/stock.ts'
import { priceNewOrder } from './price-new-order.ts'

const REFERENCE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Source of a new order, and the special terms it is created under. */
export interface OrderOrigin {
  readonly source: OrderRow['source']
  readonly address: string
  /** Connector that imported the order, and the order's id in the connected shop; only for source `connector`. */
  readonly connector?: { readonly connectorId: string; readonly externalId: string }
  /** Field of the items in the caller's input, for errors. */
  readonly itemsPath?: FieldPath
  /** Order whose goods the new one replaces, and the credit for them. */
  readonly replaces?: Pick<OrderRow, 'exchangeOf' | 'takesBack'> & { readonly offer: Offer }
  /** Prices of the connected shop that the order is from; they replace the catalogue's. */
  readonly externalPricing?: ExternalPricing
}

/**
 * Creates an order in the caller's transaction: prices it, reserves its stock, redeems its promotion, records customer and audit entry, and
 * emits `order.created`. A trigger records the change; within a second, its readers queue the order for confirmation, copy it for filtered
 * lists, and mark it for analytics, sheets and ads. Throws `product_unavailable`,
 * `invalid_promo`, `invalid_phone`, `reserved_stock_conflict`. For a client without a credential, it also throws `recipient_blocked`,
 * `order_too_large`, `too_many_open_orders` and `duplicate_order`.
 */
export const createOrder = async (tx: Tx, store: Store, input: NewOrder, origin: OrderOrigin): Promise<Order> =>
  (await placeOrder(tx, store, input, origin)).order

/** Order that was placed, and what its creation has read. */
export interface PlacedOrder {
  readonly order: Order
  /** Reasons why the store blocks the customer; null where no block matches. */
  readonly blockReason: string | null
}

/** Creates an order like {@link createOrder}, and says whether its customer is blocked. */
export async function placeOrder(tx: Tx, store: Store, input: NewOrder, origin: OrderOrigin): Promise<PlacedOrder> {
  const { source, address, itemsPath = ['items'], replaces, externalPricing } = origin
  const destination = resolveAddress(input.destination)
  const contact = customerColumnsOf(input.customer, destination.country)
  const network = source === 'storefront' ? networkOf(address) : null
  const isPublic = network !== null
  const phones = [contact.customerPhone, contact.customerPhoneAlt]
  const { priced: listed, blocks } = await priceNewOrder(
    tx,
    store,
    { items: input.items, destination, promo: replaces?.offer ?? input.promoCode ?? null },
    blockKeysOf({ phones, destination, ip: isPublic ? address : null }),
  )
  const priced = externalPricing ? applyExternalPricing(listed, externalPricing) : listed
  if (isPublic) {
    assertNotBlocked(blocks)
    await assertPublicOrderAllowed(tx, store, priced, { phone: contact.customerPhone, network })
  }
  if (priced.offer?.firstOrderOnly) await assertFirstOrder(tx, store.id, contact.customerPhone)
  const id = newId('ord')
  const now = new Date().toISOString()
  const reference = newReference()
  const customer = newCustomer(store, { ...customerOf(contact), firstOrderId: id, createdAt: now })
  const [reservation, outcome] = await Promise.all([
    planLines(tx, store, reference, priced.lines, { at: itemsPath, isPublic }),
    claimCustomer(tx, customer),
  ])
  const customerEvents = await ensureCustomer(tx, store, customer, outcome)
  await redeemPromo(tx, priced.offer, { projectId: store.projectId, orderId: id, phone: contact.customerPhone })
  const values = {
    ...{ storeId: store.id, id, reference, ...contact, destination, network, reservationId: reservation?.head.id ?? null },
    ...{ heldUntil: isPublic && reservation !== null ? reservationExpiryOf(store) : null },
    ...{ madeBy: isPublic ? PUBLIC_ACTOR : (currentActor() ?? null), createdAt: now, updatedAt: now },
    ...inputColumnsOf(input, origin, priced),
  }
  const order = await saveOrder(tx, store, values, priced.lines, { reservation, events: customerEvents })
  return { order, blockReason: blockReasonOf(blocks) }
}

/** Columns of a new order, without those that have the same value in every new order. */
type NewOrderValues = Omit<
  OrderRow,
  | 'projectId'
  | 'assignedTo'
  | 'fulfilmentId'
  | 'parcelId'
  | 'isDivided'
  | 'sendings'
  | 'overrides'
  | 'version'
  | 'revision'
  | 'currency'
  | 'items'
>

/** Throws if an order of a client without a credential exceeds the limits of the store. */
async function assertPublicOrderAllowed(tx: Tx, store: Store, priced: PricedOrder, client: PublicClient): Promise<void> {
  assertOrderSize(store, priced.lines, priced)
  await assertOpenOrdersLimit(tx, store, client)
  await assertNoDuplicate(tx, store, client.phone, priced.lines)
}

/** Columns that follow from the input, its prices and its source. */
const inputColumnsOf = (input: NewOrder, { source, connector, replaces }: OrderOrigin, priced: PricedOrder) => ({
  // The customer has agreed to an exchange, so it needs no confirmation.
  status: replaces ? ('confirmed' as const) : ('pending' as const),
  note: input.note ?? '',
  promoCode: input.promoCode ? (priced.offer?.code ?? input.promoCode) : null,
  ...amountColumnsOf(priced),
  discountByHand: '0',
  deliveryByHand: null,
  paid: '0',
  paymentStatus: 'unpaid' as const,
  offer: priced.offer,
  exchangeOf: replaces?.exchangeOf ?? null,
  takesBack: replaces?.takesBack ?? null,
  source,
  connectorId: connector?.connectorId ?? null,
  externalId: connector?.externalId ?? null,
  metadata: input.metadata ?? {},
})

/** Inserts an order with its lines, reservation, audit entry and events, and returns its API view. `events` come before `order.created`. */
async function saveOrder(
  tx: Tx,
  store: Store,
  values: NewOrderValues,
  lines: PricedOrder['lines'],
  { reservation, events }: { readonly reservation: PlannedReservation | null; readonly events: readonly NewEvent[] },
): Promise<Order> {
  const { id, madeBy } = values
  const order = presentOrder({
    ...values,
    assignedTo: null,
    fulfilmentId: null,
    parcelId: null,
    isDivided: false,
    sendings: 0,
    overrides: [],
    version: 0,
    revision: 0,
    currency: store.currencyCode,
    items: lines.map(({ inventoryKey: _, unitCost: __, ...line }) => line),
  })
  const created: NewEvent = { projectId: store.projectId, type: 'order.created', data: { order }, orderKey: id }
  // Commit leaves with these: all that decides about the order is known and locked by now.
  sendWithCommit(tx, [...(reservation ? [saveReservation(tx, reservation)] : []), insertOrder(tx, values, lines)])
  await emitWebhook(tx, [...(reservation?.events ?? []), ...events, created])
  await recordAudit(tx, { storeId: store.id }, { what: 'order.created', thing: id, after: { ...order, total: order.totals.total } }, madeBy)
  return order
}

/** Amount columns of a priced order, as decimal text. */
export const amountColumnsOf = ({
  subtotal,
  delivery,
  discount,
  total,
}: Record<'subtotal' | 'delivery' | 'discount' | 'total', bigint>) => ({
  subtotal: decimalText(subtotal),
  delivery: decimalText(delivery),
  discount: decimalText(discount),
  total: decimalText(total),
})

/**
 * Customer columns of an order, with its search text. `kept` lists phone numbers that the order has already; they are not validated again.
 */
export function customerColumnsOf(customer: NewOrder['customer'], country: string, kept: readonly (string | null)[] = []) {
  const { phone, phoneAlt } = parseContactPhones(customer, country, { at: ['customer'], kept })
  const contact = {
    customerName: customer.name,
    customerPhone: phone,
    customerPhoneAlt: phoneAlt,
    customerEmail: customer.email ?? null,
  }
  return { ...contact, searchText: orderSearchTextOf(contact) }
}

const customerOf = ({ customerName, customerPhone, customerPhoneAlt, customerEmail }: ReturnType<typeof customerColumnsOf>) => ({
  name: customerName,
  phone: customerPhone,
  phoneAlt: customerPhoneAlt,
  email: customerEmail,
})

/** Returns a random reference of ten characters that are hard to confuse (50 bits). */
const newReference = () => Array.from(randomBytes(10), (byte) => REFERENCE_ALPHABET[byte & 31]).join('')
