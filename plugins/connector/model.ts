import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, namedSchema, oneOf, PrintableText, StorableText } from '../schema.ts'
import { ExternalId, Instant, ShopMoney } from './values.model.ts'

export * from './lead-forms.model.ts'
export * from './values.model.ts'

/** Statuses of an order in its shop. Every order that is not closed is `open`, whatever the shop calls it. */
export const shopStatuses = ['open', 'fulfilled', 'cancelled'] as const
/** One of {@link shopStatuses}. */
export type ShopStatus = (typeof shopStatuses)[number]

/** A line of an order with the shop's names. */
export const ExternalItem = exact({
  sku: Maybe(PrintableText(80, 1)),
  name: PrintableText(500, 1),
  /** Name of the variant: `Red / L`. */
  variant: Maybe(PrintableText(300, 1)),
  quantity: T.Integer({ minimum: 1, maximum: 100_000 }),
  unitPrice: ShopMoney,
  /** Price of all pieces, if the price of one has more decimals than can be stored. */
  lineTotal: Maybe(ShopMoney),
})
/** Type of {@link ExternalItem}. */
export type ExternalItem = Static<typeof ExternalItem>

/** Origin of an order as the platform reports it: the form, and the advertising that led to it. */
export const OrderSource = exact({
  pageId: Maybe(PrintableText(60, 1)),
  formId: Maybe(PrintableText(60, 1)),
  formName: Maybe(PrintableText(200, 1)),
  campaignId: Maybe(PrintableText(60, 1)),
  campaignName: Maybe(PrintableText(200, 1)),
  adsetId: Maybe(PrintableText(60, 1)),
  adId: Maybe(PrintableText(60, 1)),
  adName: Maybe(PrintableText(200, 1)),
  medium: Maybe(PrintableText(60, 1)),
})
/** Type of {@link OrderSource}. */
export type OrderSource = Static<typeof OrderSource>

/** An order as its shop reports it; the customer's input is unchanged. */
export const ExternalOrder = namedSchema(
  'ExternalOrder',
  exact({
    externalId: ExternalId,
    /** Number that people use: `#1001`. */
    number: PrintableText(100, 1),
    status: oneOf(shopStatuses),
    /** The shop's own name of the status. */
    statusWords: Maybe(PrintableText(100)),
    currency: T.String({ pattern: '^[A-Z]{3}$' }),
    customer: exact({
      name: StorableText(200),
      phone: Maybe(StorableText(60)),
      phoneAlt: Maybe(StorableText(60)),
      email: Maybe(StorableText(254)),
    }),
    address: exact({
      country: Maybe(T.String({ pattern: '^[A-Za-z]{2}$' })),
      state: StorableText(120),
      city: StorableText(120),
      address: StorableText(500),
    }),
    items: T.Array(ExternalItem, { minItems: 1, maxItems: 200 }),
    /** Amount that the customer pays: goods, delivery and other charges, less discounts. */
    total: ShopMoney,
    delivery: ShopMoney,
    note: Maybe(StorableText(2000)),
    /** Set if the order has no prices, as from a form. The catalogue provides them; `total`, `delivery` and unit prices are 0. */
    unpriced: Maybe(T.Literal(true)),
    /** Origin of the customer, stored with the order. */
    source: Maybe(OrderSource),
    createdAt: Maybe(Instant),
    /** Time of the last change in the shop. An older version changes nothing. */
    updatedAt: Instant,
    /** Raw data of the shop as JSON. Users see it while the order waits in the inbox. */
    raw: Maybe(T.Unknown()),
  }),
)
/** Type of {@link ExternalOrder}. */
export type ExternalOrder = Static<typeof ExternalOrder>

/**
 * An order of the shop that cannot be imported as it is. It waits in the inbox with its reason and the raw data, and is imported once it
 * can be read.
 */
export const UnreadableOrder = namedSchema(
  'UnreadableOrder',
  exact({
    externalId: ExternalId,
    number: Maybe(PrintableText(100, 1)),
    /** Problem and its place, in words that a user understands. */
    reason: PrintableText(500, 1),
    /** Status in the shop, if it could be read. An order that is closed there does not wait here. */
    status: Maybe(oneOf(shopStatuses)),
    updatedAt: Maybe(Instant),
    /** Raw data of the shop as JSON. */
    raw: T.Unknown(),
  }),
)
/** Type of {@link UnreadableOrder}. */
export type UnreadableOrder = Static<typeof UnreadableOrder>

/** Privacy request of a customer, or of a shop that disconnected: to disclose the stored personal data, or to erase them. */
export const PrivacyAsked = exact({
  wants: oneOf(['disclose', 'forget']),
  /** Orders of the customer; null for all orders of the shop. */
  orders: Nullable(T.Array(ExternalId, { maxItems: 1000 })),
})
/** Type of {@link PrivacyAsked}. */
export type PrivacyAsked = Static<typeof PrivacyAsked>

/**
 * Event of a callback; one member is set:
 * - `order`: an order as it is now
 * - `unreadable`: an order that cannot be read
 * - `gone`: a deleted order
 * - `changed`: an order to read with `readOrder`
 * - `left`: the shop withdrew our access
 * - `privacy`: a privacy request
 */
export const ShopEvent = exact({
  order: Maybe(ExternalOrder),
  unreadable: Maybe(UnreadableOrder),
  gone: Maybe(ExternalId),
  changed: Maybe(ExternalId),
  left: Maybe(T.Literal(true)),
  privacy: Maybe(PrivacyAsked),
})
/** Type of {@link ShopEvent}. */
export type ShopEvent = Static<typeof ShopEvent>

/** Request to read one order. */
export const ReadAsked = exact({ externalId: ExternalId })
/** Type of {@link ReadAsked}. */
export type ReadAsked = Static<typeof ReadAsked>
/** Result of reading an order: the order, or why it cannot be read; empty if it is not an order yet, null if it does not exist. */
export const ReadOrder = Nullable(exact({ order: Maybe(ExternalOrder), unreadable: Maybe(UnreadableOrder) }))
/** Type of {@link ReadOrder}. */
export type ReadOrder = Static<typeof ReadOrder>

/** Request for a page of orders. */
export const PullAsked = exact({
  /** Earliest time of creation or change; null for all orders. */
  since: Nullable(Instant),
  /** Cursor of the previous page; null for the first one. */
  cursor: Nullable(T.String({ minLength: 1, maxLength: 2000 })),
})
/** Type of {@link PullAsked}. */
export type PullAsked = Static<typeof PullAsked>

/** A page of orders. An order that changes meanwhile must be on this page or on a later one; duplicates are harmless, gaps are not. */
export const Pulled = exact({
  orders: T.Array(ExternalOrder, { maxItems: 200 }),
  /** Orders of the page that cannot be read. None may be left out silently. */
  unreadable: Maybe(T.Array(UnreadableOrder, { maxItems: 200 })),
  cursor: Nullable(T.String({ minLength: 1, maxLength: 2000 })),
  /** Total number of orders, if the shop states it. */
  total: Maybe(T.Integer({ minimum: 0 })),
})
/** Type of {@link Pulled}. */
export type Pulled = Static<typeof Pulled>

/** Address for a shop's callbacks. */
export const WebhookAddress = T.String({ format: 'uri', maxLength: 1000 })
/** Credentials that the shop or the adapter created for callbacks, stored with the entered ones. */
export const Subscribed = exact({
  credentials: Maybe(T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 }))),
  /** Number of subscriptions that the shop had disabled and that are active again. */
  revived: Maybe(T.Integer({ minimum: 0 })),
})
/** Type of {@link Subscribed}. */
export type Subscribed = Static<typeof Subscribed>

/** Status of an order here, for the shop. A repeated status is shown in the shop only once. */
export const StatusPushed = exact({
  externalId: ExternalId,
  status: oneOf(['confirmed', 'sent', 'delivered', 'returned', 'cancelled']),
  carrier: Maybe(PrintableText(120, 1)),
  trackingId: Maybe(PrintableText(120, 1)),
})
/** Type of {@link StatusPushed}. */
export type StatusPushed = Static<typeof StatusPushed>

/** Reasons why an order is not imported yet, or why a change in the shop was not applied. */
export const orderWhys = ['goods', 'currency', 'phone', 'stock', 'refused', 'busy', 'not_followed', 'unreadable'] as const
/**
 * State of an order here: the reason why it waits with a message for people, or its status. Both are null for an imported order without
 * a status.
 */
export const OrderState = exact({
  externalId: ExternalId,
  why: Nullable(oneOf(orderWhys)),
  message: Maybe(PrintableText(500)),
  status: Nullable(StatusPushed.properties.status),
  carrier: StatusPushed.properties.carrier,
  trackingId: StatusPushed.properties.trackingId,
})
/** Type of {@link OrderState}. */
export type OrderState = Static<typeof OrderState>
/** States of several orders. */
export const OrderStates = T.Array(OrderState, { minItems: 1, maxItems: 100 })

/** Available stock of a product, by the SKU that the store and the shop share. */
export const StockLevel = exact({ sku: PrintableText(80, 1), available: T.Integer({ minimum: 0, maximum: 1_000_000 }) })
/** Type of {@link StockLevel}. */
export type StockLevel = Static<typeof StockLevel>
/** Stock of several products. */
export const StockLevels = T.Array(StockLevel, { minItems: 1, maxItems: 100 })
