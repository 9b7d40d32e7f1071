import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, named, oneOf, Printed, Written } from '../schema.ts'

const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?(Z|[+-]\\d\\d:\\d\\d)$'
export const Instant = T.String({ pattern: DATE_TIME, maxLength: 40, description: 'ISO 8601, with its zone' })
/** An exact decimal of the major unit. Floats are none. */
export const ShopMoney = T.String({ pattern: '^\\d{1,11}(\\.\\d{1,4})?$', description: 'a decimal in the major unit: `2500` or `19.99`' })
export const ExternalId = Printed(200, 1)

/** Where a shop stands with an order. All that is not over is `open`, whatever the shop calls it. */
export const shopStatuses = ['open', 'fulfilled', 'cancelled'] as const
export type ShopStatus = (typeof shopStatuses)[number]

/** Goods as the shop names them. */
export const ExternalItem = exact({
  sku: Maybe(Printed(80, 1)),
  name: Printed(500, 1),
  /** What tells it from other versions of the same: `Red / L`. */
  variant: Maybe(Printed(300, 1)),
  quantity: T.Integer({ minimum: 1, maximum: 100_000 }),
  unitPrice: ShopMoney,
})
export type ExternalItem = Static<typeof ExternalItem>

/** An order as its shop tells it: what its customer typed is as it was typed. */
export const ExternalOrder = named(
  'ExternalOrder',
  exact({
    externalId: ExternalId,
    /** What people call it: `#1001`. */
    number: Printed(100, 1),
    status: oneOf(shopStatuses),
    /** In the shop's own words. */
    statusWords: Maybe(Printed(100)),
    currency: T.String({ pattern: '^[A-Z]{3}$' }),
    customer: exact({
      name: Written(200),
      phone: Maybe(Written(60)),
      phoneAlt: Maybe(Written(60)),
      email: Maybe(Written(254)),
    }),
    address: exact({
      country: Maybe(T.String({ pattern: '^[A-Za-z]{2}$' })),
      state: Written(120),
      city: Written(120),
      address: Written(500),
    }),
    items: T.Array(ExternalItem, { minItems: 1, maxItems: 200 }),
    /** What the customer pays: goods, delivery and whatever is charged besides, less what was taken off. */
    total: ShopMoney,
    delivery: ShopMoney,
    note: Maybe(Written(2000)),
    createdAt: Maybe(Instant),
    /** When the shop last changed it: what is older changes nothing. */
    updatedAt: Instant,
  }),
)
export type ExternalOrder = Static<typeof ExternalOrder>

/** What one callback tells: an order as it stands now, that one was thrown away, or only that one is to be read again (`readOrder`). */
export const ShopNews = exact({ order: Maybe(ExternalOrder), gone: Maybe(ExternalId), changed: Maybe(ExternalId) })
export type ShopNews = Static<typeof ShopNews>

export const ReadAsked = exact({ externalId: ExternalId })
export type ReadAsked = Static<typeof ReadAsked>
/** An order as it stands now: none in it where it cannot be read, null where it is not there. */
export const ReadOrder = Nullable(exact({ order: Maybe(ExternalOrder) }))
export type ReadOrder = Static<typeof ReadOrder>

export const PullAsked = exact({
  /** Orders that were made or changed from then on; null: all. */
  since: Nullable(Instant),
  /** Where the page before ended; null at the beginning. */
  cursor: Nullable(T.String({ minLength: 1, maxLength: 2000 })),
})
export type PullAsked = Static<typeof PullAsked>

/** A page of orders. Whatever was changed meanwhile is on it or on a later one; twice does no harm, left out does. */
export const Pulled = exact({
  orders: T.Array(ExternalOrder, { maxItems: 100 }),
  cursor: Nullable(T.String({ minLength: 1, maxLength: 2000 })),
  /** How many there are in all, where the shop says so. */
  total: Maybe(T.Integer({ minimum: 0 })),
})
export type Pulled = Static<typeof Pulled>

export const WebhookAddress = T.String({ format: 'uri', maxLength: 1000 })
/** Credentials that the shop or the adapter made for its callbacks, kept beside those that were typed in. */
export const Subscribed = exact({
  credentials: Maybe(T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 }))),
  /** How many subscriptions the shop had switched off, and that are on again. */
  revived: Maybe(T.Integer({ minimum: 0 })),
})
export type Subscribed = Static<typeof Subscribed>

/** What became of an order with us. The same status told twice stands in the shop once. */
export const StatusPushed = exact({
  externalId: ExternalId,
  status: oneOf(['confirmed', 'sent', 'delivered', 'returned', 'cancelled']),
  carrier: Maybe(Printed(120, 1)),
  trackingId: Maybe(Printed(120, 1)),
})
export type StatusPushed = Static<typeof StatusPushed>

/** A shop that asks its owner for keys by a page of its own: what is sent there, and what comes back. */
export const LinkAsked = exact({
  shop: Printed(253, 1),
  app: Printed(80, 1),
  /** Opaque, works once: the only thing that tells whose keys they are. */
  state: T.String({ minLength: 16, maxLength: 100 }),
  returnUrl: T.String({ maxLength: 1000 }),
  callbackUrl: T.String({ maxLength: 1000 }),
})
export type LinkAsked = Static<typeof LinkAsked>
export const LinkAnswered = exact({
  state: T.String({ minLength: 1, maxLength: 200 }),
  credentials: T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 })),
})
export type LinkAnswered = Static<typeof LinkAnswered>

export const ProductsAsked = exact({
  /** A host, without scheme, path or port. */
  shop: Printed(253, 1),
  page: T.Integer({ minimum: 1, maximum: 1000 }),
})
export type ProductsAsked = Static<typeof ProductsAsked>

export const OwnProductsAsked = exact({ page: ProductsAsked.properties.page })
export type OwnProductsAsked = Static<typeof OwnProductsAsked>

/** Goods that a shop shows to everybody. */
export const PublicProduct = named(
  'ShopProduct',
  exact({
    externalId: ExternalId,
    name: Printed(500, 1),
    description: Maybe(Written(50_000)),
    url: Maybe(T.String({ maxLength: 2000 })),
    price: Nullable(ShopMoney),
    compareAtPrice: Maybe(ShopMoney),
    currency: Maybe(T.String({ pattern: '^[A-Z]{3}$' })),
    sku: Maybe(Printed(80, 1)),
    inStock: Maybe(T.Boolean()),
    images: T.Array(T.String({ maxLength: 2000 }), { maxItems: 50 }),
    variants: T.Array(
      exact({
        externalId: ExternalId,
        name: Printed(300),
        sku: Maybe(Printed(80, 1)),
        price: Nullable(ShopMoney),
        inStock: Maybe(T.Boolean()),
      }),
      { maxItems: 250 },
    ),
  }),
)
export type PublicProduct = Static<typeof PublicProduct>
export const PublicProducts = exact({ products: T.Array(PublicProduct, { maxItems: 250 }), nextPage: Nullable(T.Integer({ minimum: 2 })) })
export type PublicProducts = Static<typeof PublicProducts>
