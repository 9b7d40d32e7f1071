import { type Static, Type as T } from '@sinclair/typebox'
import { Nullable, namedSchema, oneOf } from '../schema.ts'

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
