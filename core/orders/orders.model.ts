import { type Static, Type as T } from '@sinclair/typebox'
import { deliveryTypes, Warning } from '../../plugins/carrier/model.ts'
import { destinationFields } from '../../plugins/carrier/parcel.model.ts'
import { exact, Id, Metadata, Money, Nullable, named, oneOf, Phone, Text, Timestamp } from '../http/schema.ts'
import { typedPlace } from '../logistics/parcels/parcels.model.ts'
import { orderPaymentStatuses, orderStatuses } from './statuses.ts'

export type { Offer } from '../shop/catalog/promos/promos.ts'

/** Origin of an order: a member of the store, an API key, a customer in a storefront, or a connected shop, form or sheet. */
export const orderSources = ['member', 'api', 'storefront', 'connector'] as const
/** Element of {@link orderSources}. */
export type OrderSource = (typeof orderSources)[number]

const Customer = {
  name: Text(200, 1),
  phone: Phone,
  phoneAlt: T.Optional(Nullable(Phone)),
  email: T.Optional(Nullable(T.String({ format: 'email', maxLength: 254 }))),
}

/** Customer in a request that creates or replaces an order. */
const NewCustomer = named('NewCustomer', exact(Customer))
/** Delivery address in a request, before the place catalogue resolves it. */
export const NewDestination = named('NewOrderDestination', exact({ ...typedPlace, address: Text(500), deliveryType: oneOf(deliveryTypes) }))
/** Type of {@link NewDestination}. */
export type NewDestination = Static<typeof NewDestination>

/** Delivery address as stored: the fields as given, and the place that the catalogue resolved them to. */
export const Destination = named('OrderDestination', T.Object(destinationFields))
/** Type of {@link Destination}. */
export type Destination = Static<typeof Destination>

/** Requested line of an order: a quantity of a product, of a variant or of a bundle. */
export const NewItem = named(
  'NewOrderItem',
  exact({
    productId: Id,
    variantId: T.Optional(Nullable(Id)),
    offerId: T.Optional(Nullable(Id, { description: 'a bundle of the product; `quantity` counts bundles' })),
    quantity: T.Integer({ minimum: 1, maximum: 100_000 }),
  }),
)
/** Type of {@link NewItem}. */
export type NewItem = Static<typeof NewItem>
/** Maximum number of requested lines in an order. */
export const ORDER_LINES_MAX = 200
/** Requested lines of an order; at least one. */
export const NewItems = T.Array(NewItem, { minItems: 1, maxItems: ORDER_LINES_MAX })

/** Request that creates an order. */
export const NewOrder = named(
  'NewOrder',
  exact({
    storeId: Id,
    customer: NewCustomer,
    destination: NewDestination,
    items: NewItems,
    note: T.Optional(Text(2000)),
    promoCode: T.Optional(Nullable(Text(80))),
    metadata: T.Optional(Metadata),
  }),
)
/** Type of {@link NewOrder}. */
export type NewOrder = Static<typeof NewOrder>

/** Request that changes an order; at least one field is required. */
export const OrderChange = named(
  'OrderChange',
  exact(
    {
      status: T.Optional(oneOf(orderStatuses, { description: 'a user can set only some of them; the parcel sets the others' })),
      reason: T.Optional(T.String({ maxLength: 500, description: 'reason of the status change, stored in the history of the order' })),
      customer: T.Optional(exact(T.Partial(T.Object(Customer)).properties)),
      destination: T.Optional(exact(T.Partial(NewDestination).properties)),
      items: T.Optional(NewItems),
      promoCode: T.Optional(Nullable(Text(80, 1), { description: 'null removes the code' })),
      discount: T.Optional(
        Nullable(exact({ amount: Money, reason: Text(500, 1) }), {
          description: 'manual discount in addition to a promotion, at most the subtotal, and its reason; null removes it',
        }),
      ),
      deliveryPrice: T.Optional(
        Nullable(Money, { description: "manual delivery price, instead of the store's prices; null restores those" }),
      ),
      note: T.Optional(Text(2000)),
      metadata: T.Optional(Metadata),
    },
    { minProperties: 1 },
  ),
)
/** Type of {@link OrderChange}. */
export type OrderChange = Static<typeof OrderChange>
/** Request that replaces an order; omitted optional fields are cleared. */
export const OrderReplacement = named(
  'OrderReplacement',
  exact({
    customer: NewCustomer,
    destination: NewDestination,
    items: NewItems,
    note: T.Optional(Text(2000)),
    metadata: T.Optional(Metadata),
  }),
)

/** Line of an order as the API shows it. */
export const OrderItem = named(
  'OrderItem',
  T.Object({
    productId: Id,
    variantId: Nullable(Id),
    offerId: Nullable(Id, { description: 'the bundle that the line belongs to; each component of a bundle is a line' }),
    name: T.String(),
    sku: Nullable(T.String()),
    quantity: T.Integer(),
    unitPrice: Money,
    total: Money,
  }),
)

/** Type of {@link OrderItem}. */
export type OrderItem = Static<typeof OrderItem>

/** Order as the API shows it. */
export const Order = named(
  'Order',
  T.Object({
    id: Id,
    storeId: Id,
    reference: T.String({ description: "number of the order, shown on the carrier's label" }),
    status: oneOf(orderStatuses),
    customer: T.Object({
      name: T.String(),
      phone: T.String({ description: 'E.164' }),
      phoneAlt: Nullable(T.String()),
      email: Nullable(T.String()),
    }),
    destination: Destination,
    items: T.Array(OrderItem),
    currency: T.String({ description: 'ISO 4217 code of all its amounts; the currency of the store' }),
    totals: T.Object({ subtotal: Money, delivery: Money, discount: Money, total: Money }),
    byHand: T.Object(
      { discount: Money, deliveryPrice: Nullable(Money) },
      {
        description:
          "manual adjustments: a discount in addition to a promotion, and the delivery price; null when the store's prices apply",
      },
    ),
    paid: T.Number({
      minimum: 0,
      description: 'amount prepaid, less refunds; the carrier collects the rest of the total',
    }),
    paymentStatus: oneOf(orderPaymentStatuses, {
      description: 'how much was paid in advance',
    }),
    note: T.String(),
    promoCode: Nullable(T.String()),
    source: oneOf(orderSources, {
      description: 'where it comes from; read-only',
    }),
    connectorId: Nullable(Id, { description: 'the connector that imported it; null for every other source. Read only' }),
    externalId: Nullable(T.String({ description: 'its id in the connected shop. Read only' })),
    assignedTo: Nullable(Id),
    parcelId: Nullable(Id),
    exchangeOf: Nullable(Id, { description: 'the order whose goods it replaces' }),
    heldUntil: Nullable(Timestamp, {
      description: 'time at which an unconfirmed order of a storefront is cancelled and its stock released',
    }),
    metadata: Metadata,
    version: T.Integer({
      minimum: 0,
      description: 'increases with each change; send it as `If-Match` to change the order only if nobody else has',
    }),
    warnings: T.Optional(
      T.Array(Warning, { description: '`place_unknown`: the address matches no known place of its country; sending it needs `force`' }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link Order}. */
export type Order = Static<typeof Order>

/** Order as its customer sees it: without address and amounts. */
export const TrackedOrder = named(
  'TrackedOrder',
  T.Object({
    reference: T.String(),
    status: oneOf(orderStatuses),
    trackingId: Nullable(T.String()),
    carrier: Nullable(T.String()),
    parcels: T.Array(T.Object({ status: T.String(), trackingId: Nullable(T.String()), carrier: Nullable(T.String()) }), {
      description: 'one, or several for a divided order; `trackingId`, `carrier` and `events` are of the newest',
    }),
    updatedAt: Timestamp,
    events: T.Array(T.Object({ status: T.String(), at: Timestamp }), { description: 'in order; the newest hundred' }),
  }),
)
/** Type of {@link TrackedOrder}. */
export type TrackedOrder = Static<typeof TrackedOrder>
