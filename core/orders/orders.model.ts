import { type Static, Type as T } from '@sinclair/typebox'
import { deliveryTypes, Warning } from '../../plugins/carrier/model.ts'
import { exact, Id, Metadata, Money, Nullable, named, oneOf, Phone, Text, Timestamp } from '../http/schema.ts'
import { orderPaymentStatuses, orderStatuses } from './statuses.ts'

export type { Offer } from '../shop/catalog/promos/promos.ts'

/** Origin of an order: the store's people, an API key, a customer in a storefront, or a connected shop, form or sheet. */
export const orderSources = ['member', 'api', 'storefront', 'connector'] as const
export type OrderSource = (typeof orderSources)[number]

const Customer = {
  name: Text(200, 1),
  phone: Phone,
  phoneAlt: T.Optional(Nullable(Phone)),
  email: T.Optional(Nullable(T.String({ format: 'email', maxLength: 254 }))),
}

export const NewCustomer = named('NewCustomer', exact(Customer))
export const NewDestination = named(
  'NewOrderDestination',
  exact({
    country: T.String({ pattern: '^[A-Za-z]{2}$' }),
    stateCode: Text(120, 1),
    cityName: Text(120, 1),
    address: Text(500),
    deliveryType: oneOf(deliveryTypes),
    pickupId: T.Optional(Nullable(Text(64))),
  }),
)
export type NewDestination = Static<typeof NewDestination>

/** An address as kept: as it was given, and what the catalogue made of it. */
export const Destination = named(
  'OrderDestination',
  T.Object({
    country: T.String(),
    stateCode: T.String({ description: 'of the catalogue where it was recognised, else as given' }),
    stateName: Nullable(T.String()),
    currentStateCode: T.Optional(T.String({ description: 'the state since borders were drawn anew, where carriers use another' })),
    cityCode: Nullable(T.String()),
    cityName: T.String(),
    address: T.String(),
    deliveryType: oneOf(deliveryTypes),
    pickupId: Nullable(T.String()),
    resolved: T.Object({ method: T.String(), confidence: T.Number() }),
  }),
)
export type Destination = Static<typeof Destination>

export const NewItem = named(
  'NewOrderItem',
  exact({
    productId: Id,
    variantId: T.Optional(Nullable(Id)),
    offerId: T.Optional(Nullable(Id, { description: 'a bundle of the product: the quantity is how many of it' })),
    quantity: T.Integer({ minimum: 1, maximum: 100_000 }),
  }),
)
export type NewItem = Static<typeof NewItem>
/** Lines that an order may have. */
export const LINES_MAX = 200
export const Items = T.Array(NewItem, { minItems: 1, maxItems: LINES_MAX })

export const NewOrder = named(
  'NewOrder',
  exact({
    storeId: Id,
    customer: NewCustomer,
    destination: NewDestination,
    items: Items,
    note: T.Optional(Text(2000)),
    promoCode: T.Optional(Nullable(Text(80))),
    metadata: T.Optional(Metadata),
  }),
)
export type NewOrder = Static<typeof NewOrder>

export const OrderChange = named(
  'OrderChange',
  exact(
    {
      status: T.Optional(oneOf(orderStatuses, { description: 'what a person may decide; the rest follows the parcel' })),
      reason: T.Optional(T.String({ maxLength: 500, description: 'why it has another status: kept in its history' })),
      customer: T.Optional(exact(T.Partial(T.Object(Customer)).properties)),
      destination: T.Optional(exact(T.Partial(NewDestination).properties)),
      items: T.Optional(Items),
      promoCode: T.Optional(Nullable(Text(80, 1), { description: 'null: none any more' })),
      discount: T.Optional(
        Nullable(exact({ amount: Money, reason: Text(500, 1) }), {
          description: 'what is taken off besides a promotion, never more than the subtotal, and why; null: nothing any more',
        }),
      ),
      deliveryPrice: T.Optional(
        Nullable(Money, { description: "what delivery costs, whatever the store's prices say; null: as those say" }),
      ),
      note: T.Optional(Text(2000)),
      metadata: T.Optional(Metadata),
    },
    { minProperties: 1 },
  ),
)
export type OrderChange = Static<typeof OrderChange>
export const OrderReplacement = named(
  'OrderReplacement',
  exact({
    customer: NewCustomer,
    destination: NewDestination,
    items: Items,
    note: T.Optional(Text(2000)),
    metadata: T.Optional(Metadata),
  }),
)

export const Item = named(
  'OrderItem',
  T.Object({
    productId: Id,
    variantId: Nullable(Id),
    offerId: Nullable(Id, { description: 'the bundle that it is part of; each part is a line' }),
    name: T.String(),
    sku: Nullable(T.String()),
    quantity: T.Integer(),
    unitPrice: Money,
    total: Money,
  }),
)

export type Item = Static<typeof Item>

export const Order = named(
  'Order',
  T.Object({
    id: Id,
    storeId: Id,
    reference: T.String({ description: "what the carrier's label shows" }),
    status: oneOf(orderStatuses),
    customer: T.Object({
      name: T.String(),
      phone: T.String({ description: 'E.164' }),
      phoneAlt: Nullable(T.String()),
      email: Nullable(T.String()),
    }),
    destination: Destination,
    items: T.Array(Item),
    currency: T.String({ description: "code of ISO 4217: of all its amounts, as the store's" }),
    totals: T.Object({ subtotal: Money, delivery: Money, discount: Money, total: Money }),
    byHand: T.Object(
      { discount: Money, deliveryPrice: Nullable(Money) },
      { description: "what the store's people said: of the discount, what they gave besides a promotion, and what delivery costs" },
    ),
    paid: T.Number({
      minimum: 0,
      description: 'what was paid of the total beforehand, less what was given back; the carrier collects the rest',
    }),
    paymentStatus: oneOf(orderPaymentStatuses, {
      description: '`pending`: a customer may be paying now; `needs_attention`: one of its payments waits for a person',
    }),
    note: T.String(),
    promoCode: Nullable(T.String()),
    source: oneOf(orderSources, {
      description:
        '`member`: a person of the store; `api`: an API key; `storefront`: a customer; `connector`: a connected shop, form or sheet. Read only',
    }),
    connectorId: Nullable(Id, { description: 'the connector that sent it; null for every other source. Read only' }),
    externalId: Nullable(T.String({ description: 'its id in the connected shop. Read only' })),
    assignedTo: Nullable(Id),
    parcelId: Nullable(Id),
    exchangeOf: Nullable(Id, { description: 'the order of which it replaces goods' }),
    heldUntil: Nullable(Timestamp, {
      description: 'an order without an account gives its stock back then, and is cancelled, unless it is confirmed',
    }),
    metadata: Metadata,
    warnings: T.Optional(
      T.Array(Warning, { description: '`place_unknown`: the address names no place of its country; it is not sent without `force`' }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Order = Static<typeof Order>

/** What a customer may see of an order: no address, no amounts of others. */
export const Tracked = named(
  'TrackedOrder',
  T.Object({
    reference: T.String(),
    status: oneOf(orderStatuses),
    trackingId: Nullable(T.String()),
    carrier: Nullable(T.String()),
    parcels: T.Array(T.Object({ status: T.String(), trackingId: Nullable(T.String()), carrier: Nullable(T.String()) }), {
      description: 'one, unless it is sent in parts; trackingId, carrier and events are of the newest',
    }),
    updatedAt: Timestamp,
    events: T.Array(T.Object({ status: T.String(), at: Timestamp }), { description: 'in order; the newest hundred' }),
  }),
)
export type Tracked = Static<typeof Tracked>
