import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, namedSchema, oneOf, PrintableText } from '../schema.ts'

/** Maximum number of rows on a page. */
export const ROWS_MAX = 200
/** Maximum number of events in one call. */
export const EVENTS_MAX = 1000
/** Maximum age of events in days over all platforms. */
export const EVENT_DAYS_MAX = 62
/** Maximum number of pixel rules of a connection. */
const RULES_MAX = 20
/** Maximum number of linked ad accounts. */
const ACCOUNTS_MAX = 20

/** The platform's id of an object. It is part of paths, so it holds only letters, digits, `_` and `-`. */
export const ExternalId = T.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })
const Name = PrintableText(500)
/** Exact amount in the major unit, as text. */
const Amount = T.String({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' })
const Currency = T.String({ pattern: '^[A-Z]{3}$' })
const Count = T.Integer({ minimum: 0, maximum: 1e12 })
/** Calendar day, such as `2026-11-21`. */
export const Day = T.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })
const Url = T.String({ pattern: '^https?://[^\\s]{1,2000}$' })

/** An ad account of a platform. */
export const AdAccount = namedSchema(
  'AdAccount',
  T.Object({
    id: ExternalId,
    name: Name,
    currency: Currency,
    timeZone: T.String({ pattern: '^[A-Za-z0-9_+/-]{1,60}$', description: 'time zone of its days' }),
    active: T.Boolean(),
    status: Maybe({ ...PrintableText(60), description: "in the platform's words" }),
  }),
)
/** Type of {@link AdAccount}. */
export type AdAccount = Static<typeof AdAccount>

const commonFields = {
  id: ExternalId,
  name: Name,
  state: oneOf(['active', 'paused', 'ended', 'unknown']),
  status: { ...PrintableText(60), description: "in the platform's words" },
}
const budgets = {
  dailyBudget: Maybe({ ...Amount, description: "in the major unit of the account's currency" }),
  lifetimeBudget: Maybe(Amount),
}
/** A campaign as the platform has it. */
export const Campaign = T.Object({ ...commonFields, objective: Maybe(PrintableText(100)), ...budgets })
/** Type of {@link Campaign}. */
export type Campaign = Static<typeof Campaign>
/** An ad set as the platform has it. */
export const AdSet = T.Object({ ...commonFields, campaignId: ExternalId, ...budgets })
/** Type of {@link AdSet}. */
export type AdSet = Static<typeof AdSet>

const Budget = Maybe(T.Number({ minimum: 0, description: "in the major unit of the account's currency" }))
const shownBudgets = { dailyBudget: Budget, lifetimeBudget: Budget }
/** A campaign as the interface shows it: amounts are numbers. */
export const ShownCampaign = namedSchema('AdCampaign', T.Object({ ...Campaign.properties, ...shownBudgets }))
/** An ad set as the interface shows it: amounts are numbers. */
export const ShownAdSet = namedSchema('AdSet', T.Object({ ...AdSet.properties, ...shownBudgets }))
/** An ad, with the ids of its campaign and its ad set. */
export const Ad = namedSchema(
  'Ad',
  T.Object({
    ...commonFields,
    campaignId: ExternalId,
    adSetId: ExternalId,
    url: Maybe({ ...Url, description: 'its destination' }),
    image: Maybe(Url),
  }),
)
/** Type of {@link Ad}. */
export type Ad = Static<typeof Ad>

/** Request for a page of an account's campaigns, ad sets or ads. `cursor` comes from the previous page. */
export const Listing = T.Object({
  accountId: ExternalId,
  campaignId: Maybe(ExternalId),
  adSetId: Maybe(ExternalId),
  /** Only for ads: restricts the page to this ad. */
  adId: Maybe(ExternalId),
  limit: T.Integer({ minimum: 1, maximum: ROWS_MAX }),
  cursor: Maybe(PrintableText(1000, 1)),
})
/** Type of {@link Listing}. */
export type Listing = Static<typeof Listing>

/** Request for the insights of an account between two days, both included. */
export const Period = T.Object({ accountId: ExternalId, from: Day, to: Day, cursor: Maybe(PrintableText(1000, 1)) })
/** Type of {@link Period}. */
export type Period = Static<typeof Period>

/** Figures of an ad on one day in the account's time zone. A purchase counts once, even if the platform reports it under several names. */
export const Insight = T.Object({
  day: Day,
  campaignId: ExternalId,
  campaignName: Maybe(Name),
  adSetId: ExternalId,
  adId: ExternalId,
  adName: Maybe(Name),
  spend: Amount,
  impressions: Count,
  clicks: Count,
  purchases: Maybe(Count),
  leads: Maybe(Count),
  /** Results by the campaign's goal, if the platform does not distinguish them further. */
  conversions: Maybe(Count),
})
/** Type of {@link Insight}. */
export type Insight = Static<typeof Insight>

/** A pixel, the platform's receiver of events. */
export const Pixel = namedSchema('AdPixel', T.Object({ id: ExternalId, name: Name, lastFiredAt: Maybe(T.String({ maxLength: 40 })) }))
/** Type of {@link Pixel}. */
export type Pixel = Static<typeof Pixel>

/** Name of an event. */
export const EventName = T.String({ pattern: '^[A-Za-z][A-Za-z0-9_ ]{0,49}$' })
/** Id by which the platform removes duplicate events. */
const EventId = T.String({ pattern: '^[A-Za-z0-9._:-]{1,100}$' })

/** Customer data as users enter them. Adapters normalize them for their platform with the functions of `person.ts`. */
const Person = {
  email: Maybe(PrintableText(320)),
  phone: Maybe({ ...PrintableText(40), description: 'with its country code' }),
  firstName: Maybe(PrintableText(200)),
  lastName: Maybe(PrintableText(200)),
  city: Maybe(PrintableText(200)),
  state: Maybe(PrintableText(200)),
  zip: Maybe(PrintableText(20)),
  country: Maybe(T.String({ pattern: '^[A-Za-z]{2}$' })),
  externalId: Maybe(PrintableText(200)),
  /** The following ones are never hashed. */
  ip: Maybe(PrintableText(60)),
  userAgent: Maybe(PrintableText(1000)),
  clickId: Maybe({ ...PrintableText(1000), description: "the platform's click id (`fbclid`, `ttclid`), unchanged" }),
  clickedAt: Maybe(T.Integer({ minimum: 0, maximum: 4e12, description: 'milliseconds since 1970' })),
  browserId: Maybe({ ...PrintableText(500), description: "the platform's cookie (`_fbp`, `_ttp`)" }),
}
const Content = exact({
  id: PrintableText(100, 1),
  name: Maybe(PrintableText(300)),
  quantity: T.Number({ minimum: 0, maximum: 1e9 }),
  price: T.Number({ minimum: 0, maximum: 1e11 }),
})
const event = {
  name: EventName,
  url: Maybe({ ...Url, description: 'page where it happened' }),
  person: exact(Person),
  value: Maybe(T.Number({ minimum: 0, maximum: 1e11 })),
  currency: Maybe(Currency),
  orderId: Maybe(PrintableText(100)),
  contents: Maybe(T.Array(Content, { maxItems: 200 })),
}
/** Action of a customer, as it is sent to a platform. */
export const PixelEvent = T.Object({
  ...event,
  id: EventId,
  at: T.Integer({ minimum: 1, maximum: 4e9, description: 'seconds since 1970' }),
})
/** Type of {@link PixelEvent}. */
export type PixelEvent = Static<typeof PixelEvent>

/** Request to send events to a pixel. */
export const Sending = T.Object({ pixelId: ExternalId, events: T.Array(PixelEvent, { minItems: 1, maxItems: EVENTS_MAX }) })
/** Type of {@link Sending}. */
export type Sending = Static<typeof Sending>
/** Request to send an event to the platform's test view. */
export const Testing = T.Object({ pixelId: ExternalId, code: PrintableText(60, 1), event: PixelEvent })
/** Type of {@link Testing}. */
export type Testing = Static<typeof Testing>
/** Outcome of sent events. An event in neither list was not judged and is sent again. */
export const Sent = namedSchema(
  'SentPixelEvents',
  T.Object({
    accepted: T.Array(EventId, { maxItems: EVENTS_MAX }),
    refused: T.Array(T.Object({ id: EventId, why: PrintableText(500) }), { maxItems: EVENTS_MAX }),
  }),
)
/** Type of {@link Sent}. */
export type Sent = Static<typeof Sent>

/** Event in a request of the API. */
export const GivenEvent = namedSchema(
  'PixelEvent',
  exact({
    ...event,
    id: Maybe({
      ...EventId,
      description: "id by which duplicates are removed, such as the browser's copy of the event; generated by default",
    }),
    at: Maybe(T.Integer({ minimum: 1, maximum: 4e9, description: 'seconds since 1970; now by default' })),
  }),
)
/** Type of {@link GivenEvent}. */
export type GivenEvent = Static<typeof GivenEvent>

/** Rule of a store: an order that reaches `status` is sent as this event of this pixel. */
export const PixelRule = namedSchema(
  'PixelRule',
  exact({
    status: { ...PrintableText(40, 1), description: 'status of an order' },
    event: { ...EventName, description: 'each order is sent at most once for each event of a pixel' },
    pixelId: ExternalId,
    value: Maybe(T.Boolean({ default: true, description: 'true to send the total of the order' })),
  }),
)
/** Type of {@link PixelRule}. */
export type PixelRule = Static<typeof PixelRule>
/** Change of a connection's advertising settings. */
export const AdsSettingsChange = namedSchema(
  'AdsSettingsChange',
  exact(
    {
      accountIds: Maybe(T.Array(ExternalId, { maxItems: ACCOUNTS_MAX, uniqueItems: true, description: 'accounts whose spend is read' })),
      rules: Maybe(T.Array(PixelRule, { maxItems: RULES_MAX, uniqueItems: true })),
    },
    { minProperties: 1 },
  ),
)
/** Type of {@link AdsSettingsChange}. */
export type AdsSettingsChange = Static<typeof AdsSettingsChange>
const Timestamp = T.String({ format: 'date-time' })
/** Advertising settings of a connection, with their state. */
export const AdsSettings = namedSchema(
  'AdsSettings',
  T.Object({
    connectionId: T.String(),
    accounts: T.Array(
      T.Object({
        id: T.String(),
        name: T.String(),
        currency: T.String(),
        timeZone: T.String(),
        readAt: Nullable(Timestamp, { description: 'time when its spend was last read' }),
        problem: Nullable(T.String()),
      }),
    ),
    rules: T.Array(
      T.Object({
        id: T.String(),
        status: T.String(),
        event: T.String(),
        pixelId: T.String(),
        value: T.Boolean(),
        since: { ...Timestamp, description: 'earlier orders with this status are not sent' },
      }),
    ),
    events: T.Object({ waiting: T.Integer(), sent: T.Integer(), refused: T.Integer(), late: T.Integer() }),
  }),
)
/** Type of {@link AdsSettings}. */
export type AdsSettings = Static<typeof AdsSettings>

/** Level of a link: a campaign or an ad. */
export const LinkLevel = oneOf(['campaign', 'ad'])
/** Link of a campaign or an ad to a product and a landing page. */
export const AdLink = namedSchema(
  'AdLink',
  T.Object({
    id: T.String(),
    level: LinkLevel,
    externalId: T.String({ description: 'id of the ad or the campaign' }),
    campaignId: T.String(),
    name: T.String(),
    url: Nullable(T.String()),
    productId: Nullable(T.String()),
    landingPageId: Nullable(T.String()),
    by: oneOf(['url', 'person'], {
      description: 'how the link came about',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link AdLink}. */
export type AdLink = Static<typeof AdLink>
/** Change of a link. */
export const AdLinkChange = namedSchema(
  'AdLinkChange',
  exact({ productId: Maybe(Nullable(PrintableText(64, 1))), landingPageId: Maybe(Nullable(PrintableText(100, 1))) }, { minProperties: 1 }),
)
/** Type of {@link AdLinkChange}. */
export type AdLinkChange = Static<typeof AdLinkChange>

/** Groupings of the summary. */
export const groupings = ['product', 'landingPage', 'campaign', 'day'] as const
/** Grouping in a request. */
export const AdsGrouping = namedSchema('AdsGrouping', oneOf(groupings, { default: 'product', description: 'grouping of the rows' }))
/** One of {@link groupings}. */
export type Grouping = (typeof groupings)[number]
const cost = (what: string) =>
  Nullable(T.Number(), { description: `spend for each ${what}; null if there are none, or if no linked account was read yet` })
const Figures = {
  spend: Nullable(T.Number(), { description: 'in the major unit of `currency`; null if no linked account was read yet' }),
  impressions: Nullable(T.Integer(), { description: 'null if no linked account was read yet' }),
  clicks: Nullable(T.Integer(), { description: 'null if no linked account was read yet' }),
  platformPurchases: Nullable(T.Integer(), {
    description:
      'as counted by the platform; if it does not distinguish them, the results of its campaigns; null if no linked account was read yet',
  }),
  platformLeads: Nullable(T.Integer(), { description: 'null if no linked account was read yet' }),
  leads: T.Integer({ description: 'orders created' }),
  confirmed: T.Integer({ description: 'of these, confirmed or in a later status' }),
  delivered: T.Integer({ description: 'of these, delivered' }),
  costPerLead: cost('created order'),
  costPerConfirmed: cost('confirmed order'),
  costPerDelivered: cost('delivered order'),
}
/** Costs and orders of ads in a period. */
export const AdsSummary = namedSchema(
  'AdsSummary',
  T.Object({
    currency: Nullable(T.String(), { description: 'currency of the accounts; null if none is linked' }),
    timeZone: T.String({ description: "time zone of the orders' days; days of spend are in each account's own" }),
    from: T.String(),
    to: T.String(),
    by: AdsGrouping,
    total: T.Object(Figures, { description: 'each order counts once, whatever its lines' }),
    groups: T.Array(
      T.Object({
        key: Nullable(T.String(), { description: 'null: spend without a link' }),
        name: Nullable(T.String()),
        ...Figures,
      }),
    ),
  }),
)
/** Type of {@link AdsSummary}. */
export type AdsSummary = Static<typeof AdsSummary>
