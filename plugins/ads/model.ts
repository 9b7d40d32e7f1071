import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, named, oneOf, Printed } from '../schema.ts'

/** Rows of one page, whatever an adapter may be able to give. */
export const ROWS_MAX = 200
/** Events that are handed over in one call. */
export const EVENTS_MAX = 1000
/** No platform takes an event that is older. */
export const EVENT_DAYS_MAX = 62
export const RULES_MAX = 20
export const ACCOUNTS_MAX = 20

/** The platform's own name of a thing. It stands in addresses: nothing but letters, digits, `_` and `-`. */
export const ExternalId = T.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })
const Name = Printed(500)
/** An exact amount in the major unit, as text. */
export const Amount = T.String({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' })
const Currency = T.String({ pattern: '^[A-Z]{3}$' })
const Count = T.Integer({ minimum: 0, maximum: 1e12 })
export const Day = T.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })
const Url = T.String({ pattern: '^https?://[^\\s]{1,2000}$' })

export const AdAccount = named(
  'AdAccount',
  T.Object({
    id: ExternalId,
    name: Name,
    currency: Currency,
    timeZone: T.String({ pattern: '^[A-Za-z0-9_+/-]{1,60}$', description: 'in which its days begin' }),
    active: T.Boolean(),
    status: Maybe({ ...Printed(60), description: "in the platform's words" }),
  }),
)
export type AdAccount = Static<typeof AdAccount>

const shown = {
  id: ExternalId,
  name: Name,
  state: oneOf(['active', 'paused', 'ended', 'unknown']),
  status: { ...Printed(60), description: "in the platform's words" },
}
const budgets = {
  dailyBudget: Maybe({ ...Amount, description: "in the major unit of the account's currency" }),
  lifetimeBudget: Maybe(Amount),
}
export const Campaign = T.Object({ ...shown, objective: Maybe(Printed(100)), ...budgets })
export type Campaign = Static<typeof Campaign>
export const AdSet = T.Object({ ...shown, campaignId: ExternalId, ...budgets })
export type AdSet = Static<typeof AdSet>

const Budget = Maybe(T.Number({ minimum: 0, description: "in the major unit of the account's currency" }))
const shownBudgets = { dailyBudget: Budget, lifetimeBudget: Budget }
/** A campaign as the interface shows it: amounts are numbers. */
export const ShownCampaign = named('AdCampaign', T.Object({ ...Campaign.properties, ...shownBudgets }))
/** An ad set as the interface shows it: amounts are numbers. */
export const ShownAdSet = named('AdSet', T.Object({ ...AdSet.properties, ...shownBudgets }))
export const Ad = named(
  'Ad',
  T.Object({
    ...shown,
    campaignId: ExternalId,
    adSetId: ExternalId,
    url: Maybe({ ...Url, description: 'where it leads' }),
    image: Maybe(Url),
  }),
)
export type Ad = Static<typeof Ad>

/** A page of what an account has. `cursor` is what the page before ended with. */
export const Listing = T.Object({
  accountId: ExternalId,
  campaignId: Maybe(ExternalId),
  adSetId: Maybe(ExternalId),
  /** Of ads: this one alone. */
  adId: Maybe(ExternalId),
  limit: T.Integer({ minimum: 1, maximum: ROWS_MAX }),
  cursor: Maybe(Printed(1000, 1)),
})
export type Listing = Static<typeof Listing>

/** What ads did on days of an account, both among them. */
export const Period = T.Object({ accountId: ExternalId, from: Day, to: Day, cursor: Maybe(Printed(1000, 1)) })
export type Period = Static<typeof Period>

/** What an ad did on a day of its account's zone. One purchase counts once, under however many names the platform tells it. */
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
  /** Whatever the campaign is after, where the platform says no more of it. */
  conversions: Maybe(Count),
})
export type Insight = Static<typeof Insight>

export const Pixel = named('AdPixel', T.Object({ id: ExternalId, name: Name, lastFiredAt: Maybe(T.String({ maxLength: 40 })) }))
export type Pixel = Static<typeof Pixel>

export const EventName = T.String({ pattern: '^[A-Za-z][A-Za-z0-9_ ]{0,49}$' })
/** What tells one event from another at the platform: a repeated one is the same. */
export const EventId = T.String({ pattern: '^[A-Za-z0-9._:-]{1,100}$' })

/** As people type it: adapters write it as their platform wants it, by the tools of `person.ts`. */
const Person = {
  email: Maybe(Printed(320)),
  phone: Maybe({ ...Printed(40), description: 'with its country code' }),
  firstName: Maybe(Printed(200)),
  lastName: Maybe(Printed(200)),
  city: Maybe(Printed(200)),
  state: Maybe(Printed(200)),
  zip: Maybe(Printed(20)),
  country: Maybe(T.String({ pattern: '^[A-Za-z]{2}$' })),
  externalId: Maybe(Printed(200)),
  /** Those below are never hashed. */
  ip: Maybe(Printed(60)),
  userAgent: Maybe(Printed(1000)),
  clickId: Maybe({ ...Printed(1000), description: "of the platform's click: `fbclid` and `ttclid`, letter by letter" }),
  clickedAt: Maybe(T.Integer({ minimum: 0, maximum: 4e12, description: 'milliseconds since 1970' })),
  browserId: Maybe({ ...Printed(500), description: "the platform's cookie: `_fbp` and `_ttp`" }),
}
const Content = exact({
  id: Printed(100, 1),
  name: Maybe(Printed(300)),
  quantity: T.Number({ minimum: 0, maximum: 1e9 }),
  price: T.Number({ minimum: 0, maximum: 1e11 }),
})
const event = {
  name: EventName,
  url: Maybe({ ...Url, description: 'the page that it happened on' }),
  person: exact(Person),
  value: Maybe(T.Number({ minimum: 0, maximum: 1e11 })),
  currency: Maybe(Currency),
  orderId: Maybe(Printed(100)),
  contents: Maybe(T.Array(Content, { maxItems: 200 })),
}
/** Something that a customer did, as it is told to a platform. */
export const PixelEvent = T.Object({
  ...event,
  id: EventId,
  at: T.Integer({ minimum: 1, maximum: 4e9, description: 'seconds since 1970' }),
})
export type PixelEvent = Static<typeof PixelEvent>

export const Sending = T.Object({ pixelId: ExternalId, events: T.Array(PixelEvent, { minItems: 1, maxItems: EVENTS_MAX }) })
export type Sending = Static<typeof Sending>
export const Testing = T.Object({ pixelId: ExternalId, code: Printed(60, 1), event: PixelEvent })
export type Testing = Static<typeof Testing>
/** What became of events. One that stands in neither list was not judged: it is sent again. */
export const Sent = named(
  'SentPixelEvents',
  T.Object({
    accepted: T.Array(EventId, { maxItems: EVENTS_MAX }),
    refused: T.Array(T.Object({ id: EventId, why: Printed(500) }), { maxItems: EVENTS_MAX }),
  }),
)
export type Sent = Static<typeof Sent>

/** An event that a caller tells. */
export const GivenEvent = named(
  'PixelEvent',
  exact({
    ...event,
    id: Maybe({
      ...EventId,
      description: "what a repeated one is known by, and the browser's own copy of it; one is made where it is left out",
    }),
    at: Maybe(T.Integer({ minimum: 1, maximum: 4e9, description: 'seconds since 1970; now, if left out' })),
  }),
)
export type GivenEvent = Static<typeof GivenEvent>

/** What a store says: an order that comes to `status` is this event of this pixel. */
export const PixelRule = named(
  'PixelRule',
  exact({
    status: { ...Printed(40, 1), description: 'of an order' },
    event: { ...EventName, description: 'an order is each event of a pixel once, by whichever rule it came first' },
    pixelId: ExternalId,
    value: Maybe(T.Boolean({ default: true, description: 'whether the total of the order is told' })),
  }),
)
export type PixelRule = Static<typeof PixelRule>
export const AdsSettingsChange = named(
  'AdsSettingsChange',
  exact(
    {
      accountIds: Maybe(T.Array(ExternalId, { maxItems: ACCOUNTS_MAX, uniqueItems: true, description: 'whose spend is read' })),
      rules: Maybe(T.Array(PixelRule, { maxItems: RULES_MAX, uniqueItems: true })),
    },
    { minProperties: 1 },
  ),
)
export type AdsSettingsChange = Static<typeof AdsSettingsChange>
const Timestamp = T.String({ format: 'date-time' })
export const AdsSettings = named(
  'AdsSettings',
  T.Object({
    connectionId: T.String(),
    accounts: T.Array(
      T.Object({
        id: T.String(),
        name: T.String(),
        currency: T.String(),
        timeZone: T.String(),
        readAt: Nullable(Timestamp, { description: 'when its spend was last read' }),
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
        since: { ...Timestamp, description: 'orders that came to the status before are left' },
      }),
    ),
    events: T.Object({ waiting: T.Integer(), sent: T.Integer(), refused: T.Integer(), late: T.Integer() }),
  }),
)
export type AdsSettings = Static<typeof AdsSettings>

export const LinkLevel = oneOf(['campaign', 'ad'])
export const AdLink = named(
  'AdLink',
  T.Object({
    id: T.String(),
    level: LinkLevel,
    externalId: T.String({ description: 'of the ad or the campaign' }),
    campaignId: T.String(),
    name: T.String(),
    url: Nullable(T.String()),
    productId: Nullable(T.String()),
    landingPageId: Nullable(T.String()),
    by: oneOf(['url', 'person'], { description: 'who linked it: what a person said is not changed by where an ad leads' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type AdLink = Static<typeof AdLink>
export const AdLinkChange = named(
  'AdLinkChange',
  exact({ productId: Maybe(Nullable(Printed(64, 1))), landingPageId: Maybe(Nullable(Printed(100, 1))) }, { minProperties: 1 }),
)
export type AdLinkChange = Static<typeof AdLinkChange>

export const groupings = ['product', 'landingPage', 'campaign', 'day'] as const
export const AdsGrouping = named('AdsGrouping', oneOf(groupings, { default: 'product', description: 'what the rows are of' }))
export type Grouping = (typeof groupings)[number]
const cost = (what: string) =>
  Nullable(T.Number(), { description: `spend for each ${what}; null of none, and where no linked account was read yet` })
const Figures = {
  spend: Nullable(T.Number(), { description: 'in the major unit of `currency`; null where no linked account was read yet' }),
  impressions: Nullable(T.Integer(), { description: 'null where no linked account was read yet' }),
  clicks: Nullable(T.Integer(), { description: 'null where no linked account was read yet' }),
  platformPurchases: Nullable(T.Integer(), {
    description:
      'as the platform counts them; where it tells none apart, whatever its campaigns are after; null where no linked account was read yet',
  }),
  platformLeads: Nullable(T.Integer(), { description: 'null where no linked account was read yet' }),
  leads: T.Integer({ description: 'orders taken' }),
  confirmed: T.Integer({ description: 'of them, or further by now' }),
  delivered: T.Integer({ description: 'of them' }),
  costPerLead: cost('order that was taken'),
  costPerConfirmed: cost('order that was confirmed'),
  costPerDelivered: cost('order that was delivered'),
}
export const AdsSummary = named(
  'AdsSummary',
  T.Object({
    currency: Nullable(T.String(), { description: 'of the accounts; null where none is linked' }),
    timeZone: T.String({ description: "in which orders' days begin; those of spend begin in each account's own" }),
    from: T.String(),
    to: T.String(),
    by: AdsGrouping,
    total: T.Object(Figures, { description: 'each order once, whatever it has lines of' }),
    groups: T.Array(
      T.Object({
        key: Nullable(T.String(), { description: 'null: spend that is linked to none' }),
        name: Nullable(T.String()),
        ...Figures,
      }),
    ),
  }),
)
export type AdsSummary = Static<typeof AdsSummary>
