import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, named, oneOf, Printed, Written } from '../schema.ts'

const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?(Z|[+-]\\d\\d:\\d\\d)$'
export const Instant = T.String({ pattern: DATE_TIME, maxLength: 40, description: 'ISO 8601, with its zone' })
/** An exact decimal of the major unit. Floats are none. */
export const ShopMoney = T.String({ pattern: '^\\d{1,11}(\\.\\d{1,4})?$', description: 'a decimal in the major unit: `2500` or `19.99`' })
export const ExternalId = Printed(200, 1)
/** By which a platform knows whose shop it is: the same however often that is connected, and another's never. */
export const AccountId = Printed(200, 1)

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
  /** What all its pieces cost, where the price of one has more decimals than can be kept. */
  lineTotal: Maybe(ShopMoney),
})
export type ExternalItem = Static<typeof ExternalItem>

/** Where an order came from, as far as the platform says it: its own names of the form and of what advertised it. */
export const OrderSource = exact({
  pageId: Maybe(Printed(60, 1)),
  formId: Maybe(Printed(60, 1)),
  formName: Maybe(Printed(200, 1)),
  campaignId: Maybe(Printed(60, 1)),
  campaignName: Maybe(Printed(200, 1)),
  adsetId: Maybe(Printed(60, 1)),
  adId: Maybe(Printed(60, 1)),
  adName: Maybe(Printed(200, 1)),
  medium: Maybe(Printed(60, 1)),
})
export type OrderSource = Static<typeof OrderSource>

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
    /** It came without prices, as from a form: the catalogue has them, and `total`, `delivery` and unit prices are 0. */
    unpriced: Maybe(T.Literal(true)),
    /** What brought its customer, kept with the order. */
    source: Maybe(OrderSource),
    createdAt: Maybe(Instant),
    /** When the shop last changed it: what is older changes nothing. */
    updatedAt: Instant,
  }),
)
export type ExternalOrder = Static<typeof ExternalOrder>

/**
 * An order that the shop has and that cannot become one here as it is. It waits in the inbox with its reason and what the shop sent, and is
 * made once it can be read.
 */
export const UnreadableOrder = named(
  'UnreadableOrder',
  exact({
    externalId: ExternalId,
    number: Maybe(Printed(100, 1)),
    /** What is wrong and where, in words that a person understands. */
    reason: Printed(500, 1),
    /** Where the shop stands with it, if that could be read: what is over there does not wait here. */
    status: Maybe(oneOf(shopStatuses)),
    updatedAt: Maybe(Instant),
    /** JSON of what the shop sent. */
    raw: T.Unknown(),
  }),
)
export type UnreadableOrder = Static<typeof UnreadableOrder>

/** What a customer, or a shop that left, wants of what is kept of people: to be told, or to be forgotten. */
export const PrivacyAsked = exact({
  wants: oneOf(['disclose', 'forget']),
  /** Whose orders; null: all of the shop. */
  orders: Nullable(T.Array(ExternalId, { maxItems: 1000 })),
})
export type PrivacyAsked = Static<typeof PrivacyAsked>

/**
 * What one callback tells: an order as it stands now, one that cannot be read, that one was thrown away, only that one is to be read again (`readOrder`), that the shop
 * lets us in no more, or what is wanted of what is kept of people.
 */
export const ShopNews = exact({
  order: Maybe(ExternalOrder),
  unreadable: Maybe(UnreadableOrder),
  gone: Maybe(ExternalId),
  changed: Maybe(ExternalId),
  left: Maybe(T.Literal(true)),
  privacy: Maybe(PrivacyAsked),
})
export type ShopNews = Static<typeof ShopNews>

export const ReadAsked = exact({ externalId: ExternalId })
export type ReadAsked = Static<typeof ReadAsked>
/** An order as it stands now, or why it cannot be read; neither where it is no order yet, null where it is not there. */
export const ReadOrder = Nullable(exact({ order: Maybe(ExternalOrder), unreadable: Maybe(UnreadableOrder) }))
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
  orders: T.Array(ExternalOrder, { maxItems: 200 }),
  /** Orders of the page that cannot be read. None is left out in silence. */
  unreadable: Maybe(T.Array(UnreadableOrder, { maxItems: 200 })),
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

/** Why an order is none of ours yet, or what was changed there was not followed. */
export const orderWhys = ['goods', 'currency', 'phone', 'stock', 'refused', 'busy', 'not_followed', 'unreadable'] as const
/** How an order stands with us: why it waits, in a word and in a person's words, else what became of it; neither of both once it is taken. */
export const OrderState = exact({
  externalId: ExternalId,
  why: Nullable(oneOf(orderWhys)),
  message: Maybe(Printed(500)),
  status: Nullable(StatusPushed.properties.status),
  carrier: StatusPushed.properties.carrier,
  trackingId: StatusPushed.properties.trackingId,
})
export type OrderState = Static<typeof OrderState>
export const OrderStates = T.Array(OrderState, { minItems: 1, maxItems: 100 })

/** Free stock of goods, by the SKU that the store and the shop have in common. */
export const StockLevel = exact({ sku: Printed(80, 1), available: T.Integer({ minimum: 0, maximum: 1_000_000 }) })
export type StockLevel = Static<typeof StockLevel>
export const StockLevels = T.Array(StockLevel, { minItems: 1, maxItems: 100 })

/** A page of people or a business whose forms are answered. */
export const LeadPage = named('LeadPage', exact({ id: Printed(60, 1), name: Printed(300) }))
export type LeadPage = Static<typeof LeadPage>

/** What a form asks, by the name under which its answers come. */
const Question = exact({ key: Printed(200, 1), label: Maybe(Printed(500)), type: Maybe(Printed(60)) })
export const LeadForm = named(
  'LeadForm',
  exact({
    id: Printed(60, 1),
    name: Printed(300),
    status: Maybe(Printed(60)),
    leads: Maybe(T.Integer({ minimum: 0, description: 'how many have answered' })),
    questions: T.Array(Question, { maxItems: 100 }),
  }),
)
export type LeadForm = Static<typeof LeadForm>
export const FormsAsked = exact({ pageId: Printed(60, 1) })
export type FormsAsked = Static<typeof FormsAsked>

/** What of an order an answer can be. */
export const leadFields = ['name', 'phone', 'phoneAlt', 'email', 'country', 'state', 'city', 'address', 'quantity', 'note'] as const
export type LeadField = (typeof leadFields)[number]
const Answers = T.Partial(
  T.Object(Object.fromEntries(leadFields.map((field) => [field, Printed(200, 1)])) as Record<LeadField, ReturnType<typeof Printed>>),
  {
    additionalProperties: false,
  },
)

/** Forms whose answers become orders; what is not said of an answer goes by the usual names of questions, the rest into the note. */
export const LeadSetup = exact({
  pageId: Printed(60, 1),
  forms: T.Array(exact({ formId: Printed(60, 1), fields: Maybe(Answers) }), { minItems: 1, maxItems: 200 }),
})
export type LeadSetup = Static<typeof LeadSetup>

/** Tokens as an OAuth server gives them, which a callback hands over. Of two the one that expires later is the newer one. */
export const HandedTokens = exact({
  accessToken: Printed(4000, 1),
  refreshToken: Maybe(Printed(4000, 1)),
  expiresAt: Instant,
})
export type HandedTokens = Static<typeof HandedTokens>
/** Of a callback that hands tokens over: none in it where they are not for this connection. Null: of any other callback. */
export const Handed = Nullable(exact({ tokens: Maybe(HandedTokens) }))
export type Handed = Static<typeof Handed>

/** What a connection is set up with from then on, kept beside what was typed in. */
export const SetUp = exact({
  credentials: Maybe(T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 }))),
  settings: Maybe(T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 }))),
})
export type SetUp = Static<typeof SetUp>

/** A shop that asks its owner for keys by a page of its own: what is sent there, and what comes back. */
export const LinkAsked = exact({
  shop: Printed(253, 1),
  app: Printed(80, 1),
  /** Opaque, works once: the only thing that tells whose keys they are. */
  state: T.String({ minLength: 16, maxLength: 100 }),
  returnUrl: T.String({ maxLength: 1000 }),
  callbackUrl: T.String({ maxLength: 1000 }),
  /** Where news of the store's shops of this platform are told; what proves them says of which. */
  webhookUrl: T.String({ maxLength: 1000 }),
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

const ProductVersion = exact({
  externalId: ExternalId,
  name: Printed(300),
  sku: Maybe(Printed(80, 1)),
  price: Nullable(ShopMoney),
  inStock: Maybe(T.Boolean()),
})
/** Goods that a shop shows to everybody. */
export const PublicProduct = exact({
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
  variants: T.Array(ProductVersion, { maxItems: 250 }),
})
export type PublicProduct = Static<typeof PublicProduct>
export const PublicProducts = exact({ products: T.Array(PublicProduct, { maxItems: 250 }), nextPage: Nullable(T.Integer({ minimum: 2 })) })
export type PublicProducts = Static<typeof PublicProducts>

/** An amount of a shop in an answer of the interface. */
export const ShownMoney = T.Number({ minimum: 0, description: "in the major unit of the shop's currency" })
const ShownProduct = named(
  'ShopProduct',
  exact({
    ...PublicProduct.properties,
    price: Nullable(ShownMoney),
    compareAtPrice: Maybe(ShownMoney),
    variants: T.Array(exact({ ...ProductVersion.properties, price: Nullable(ShownMoney) }), { maxItems: 250 }),
  }),
)
/** Goods as the interface shows them: amounts are numbers. */
export const ShownProducts = exact({ ...PublicProducts.properties, products: T.Array(ShownProduct, { maxItems: 250 }) })
export type ShownProducts = Static<typeof ShownProducts>
