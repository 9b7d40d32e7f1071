import { type Static, Type as T } from '@sinclair/typebox'
import { Maybe, namedSchema, oneOf, PrintableText } from '../schema.ts'

/** Maximum number of rows on a page. */
export const ROWS_MAX = 200

/** The platform's id of an object. It is part of paths, so it holds only letters, digits, `_` and `-`. */
export const ExternalId = T.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })
const Name = PrintableText(500)
/** Exact amount in the major unit, as text. */
const Amount = T.String({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' })
/** Currency code of ISO 4217. */
export const Currency = T.String({ pattern: '^[A-Z]{3}$' })
const Count = T.Integer({ minimum: 0, maximum: 1e12 })
/** Calendar day, such as `2026-11-21`. */
export const Day = T.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })
/** Address of a web page or an image. */
export const Url = T.String({ pattern: '^https?://[^\\s]{1,2000}$' })

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
