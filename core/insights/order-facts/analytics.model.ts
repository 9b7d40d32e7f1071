import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf } from '../../http/schema.ts'
import { orderStatuses } from '../../orders/statuses.ts'
import { Range } from '../product/product-figures.model.ts'

/** In one batch. */
export const STORES_MAX = 20
export const PRODUCTS_MAX = 50
/** Values that are told apart in one answer; what the rest comes to is in the total. */
export const VALUES_MAX = 500
export const VALUES_DEFAULT = 50

export const intervals = ['day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]
const Interval = oneOf(intervals, { default: 'day', description: 'a week begins on Monday; the first and the last may be parts of one' })

/** What the orders of a store can be counted by. */
export const fields = [
  'status',
  'stateCode',
  'source',
  'deliveryType',
  'assignedTo',
  'paymentStatus',
  'promoCode',
  'landingPageId',
  'productId',
] as const
export type Field = (typeof fields)[number]

const days = { from: Range.properties.from, to: Range.properties.to, interval: T.Optional(Interval) }
export const AskedSeries = T.Object(days)
export type AskedSeries = Static<typeof AskedSeries>

export const StoresAsked = named(
  'LorOfStores',
  exact({ storeIds: T.Array(Id, { minItems: 1, maxItems: STORES_MAX, uniqueItems: true }), ...days }),
)
export const ProductsAsked = named(
  'LorOfProducts',
  exact({ productIds: T.Array(Id, { minItems: 1, maxItems: PRODUCTS_MAX, uniqueItems: true }), ...days }),
)

const day = T.String({ description: "in the store's time zone" })
const heading = { storeId: Id, timeZone: T.String({ description: 'in which days begin' }), from: day, to: day, interval: Interval }
const span = { from: day, to: day }
const count = (description: string) => T.Integer({ minimum: 0, description })
const share = (description: string) => Nullable(T.Number({ description }), { description: `${description}; null of none` })

const Lor = {
  views: count('pages that visitors looked at on these days, as storefronts tell'),
  leads: count('orders taken on these days, and not deleted; those in exchange for another do not count'),
  orders: count('of them not cancelled'),
  confirmed: count('of them confirmed, or further by now'),
  delivered: count('of them'),
  returned: count('of them'),
  viewToLeadRate: share('leads of all views'),
  leadToOrderRate: share('orders of all leads'),
  confirmationRate: share('confirmed of all leads'),
  deliveryRate: share('delivered of those that came to an end: delivered, returned or lost'),
  returnRate: share('returned of those that came to an end'),
}
/** What a storefront tells of. */
export const NewView = named(
  'NewView',
  exact({
    productId: T.Optional(Id),
    landingPageId: T.Optional(
      T.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'what orders have as `landingPageId` in their metadata' }),
    ),
  }),
)
export const View = named('View', T.Object({ counted: T.Boolean() }))

const LorFigures = T.Object(Lor)
export type LorFigures = Static<typeof LorFigures>
const lorSeries = { total: LorFigures, series: T.Array(T.Object({ ...span, ...Lor }), { description: 'every interval of the range' }) }

export const StoreLor = named('StoreLor', T.Object({ ...heading, ...lorSeries }))
export type StoreLor = Static<typeof StoreLor>
export const ProductLor = named('ProductLor', T.Object({ productId: Id, ...heading, ...lorSeries }))
export const LandingPageLor = named('LandingPageLor', T.Object({ landingPageId: Id, ...heading, ...lorSeries }))

const asked = { storeId: Id, ...days }
export const TimelineAsked = named('TimelineQuestion', exact({ ...asked, productId: T.Optional(Id) }))
export type TimelineAsked = Static<typeof TimelineAsked>
export const FinancialAsked = named('FinancialTimelineQuestion', exact(asked))

const ByStatus = T.Partial(T.Object(Object.fromEntries(orderStatuses.map((status) => [status, T.Integer()]))))
const Counted = { orders: count('taken on these days, and not deleted'), units: T.Integer({ description: 'pieces' }), byStatus: ByStatus }
export const OrdersTimeline = named(
  'OrdersTimeline',
  T.Object({ productId: Nullable(Id), ...heading, total: T.Object(Counted), series: T.Array(T.Object({ ...span, ...Counted })) }),
)
export type OrdersTimeline = Static<typeof OrdersTimeline>

const money = (description: string) => T.Number({ description })
const Financial = {
  orders: count('taken on these days, neither cancelled nor deleted'),
  goods: money('what their goods come to'),
  delivery: money('what their customers pay for delivery'),
  discount: money('what promotions took off, and the people of the store'),
  credit: money('what goods that came back counted for, in orders that went out for them'),
  total: money('goods and delivery less discounts and credits'),
  paid: money('what was paid of it beforehand, less what was given back'),
  delivered: money('what was collected for what was delivered, less what was given back for goods that came back'),
  returned: money('what those goods come to that came back, or are on their way, unless others went out for them'),
  underWay: money('what those goods come to that are neither delivered nor returned nor lost'),
  cost: money('what the goods cost that were delivered and kept, as the products said when they were ordered'),
  unitsWithoutCost: T.Integer({ description: 'pieces that were delivered and kept, of which nobody said what they cost' }),
  margin: money('delivered, less delivery and cost'),
}
const FinancialFigures = T.Object(Financial)
export type FinancialFigures = Static<typeof FinancialFigures>
export const FinancialTimeline = named(
  'FinancialTimeline',
  T.Object({ currencyCode: T.String(), ...heading, total: FinancialFigures, series: T.Array(T.Object({ ...span, ...Financial })) }),
)

export const CountAsked = named(
  'OrdersCountQuestion',
  exact({
    storeId: Id,
    field: oneOf(fields, { description: "landingPageId: what storefronts say in the order's `metadata` under this name" }),
    from: Range.properties.from,
    to: Range.properties.to,
    limit: T.Optional(
      T.Integer({ minimum: 1, maximum: VALUES_MAX, default: VALUES_DEFAULT, description: 'how many values, the commonest first' }),
    ),
  }),
)
export type CountAsked = Static<typeof CountAsked>
const { interval: _, ...headingOfCounts } = heading
export const OrdersCount = named(
  'OrdersCount',
  T.Object({
    field: oneOf(fields),
    ...headingOfCounts,
    total: T.Integer({ description: 'orders; one of several products counts once with each, and once here' }),
    values: T.Array(
      T.Object({ value: Nullable(T.String(), { description: 'null: of those that have none' }), orders: T.Integer(), byStatus: ByStatus }),
    ),
    others: T.Integer({ description: 'values that are not told' }),
  }),
)
export type OrdersCount = Static<typeof OrdersCount>

export const InsightsAsked = named(
  'ConfirmationInsightsQuestion',
  exact({ storeId: Id, from: Range.properties.from, to: Range.properties.to }),
)
export type InsightsAsked = Static<typeof InsightsAsked>
const Insight = {
  assigned: count(
    'orders taken on these days that the agent confirmed last; of those nobody did, decided about last, or has to decide about',
  ),
  confirmed: count('of them confirmed, or further by now'),
  cancelled: count('of them'),
  waiting: count('of them: pending, unreachable or postponed'),
  delivered: count('of them'),
  returned: count('of them'),
  confirmationRate: share('confirmed of those that were decided: confirmed or cancelled'),
  deliveryRate: share('delivered of those that came to an end'),
  deliveredTotal: money('what was collected for the delivered ones, less what was given back'),
  byStatus: ByStatus,
}
const InsightFigures = T.Object(Insight)
export type InsightFigures = Static<typeof InsightFigures>
export const ConfirmationInsights = named(
  'ConfirmationInsights',
  T.Object({
    ...headingOfCounts,
    currencyCode: T.String(),
    total: InsightFigures,
    agents: T.Array(T.Object({ agentId: Nullable(Id, { description: 'null: of orders that are nobody’s' }), ...Insight })),
  }),
)
export type ConfirmationInsights = Static<typeof ConfirmationInsights>
