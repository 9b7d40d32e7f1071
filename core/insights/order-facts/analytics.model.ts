import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf } from '../../http/schema.ts'
import { orderStatuses } from '../../orders/statuses.ts'
import { DayRange } from '../product/product-figures.model.ts'

/** Maximum number of stores in one request. */
const STORES_MAX = 20
/** Maximum number of products in one request. */
const PRODUCTS_MAX = 50
/** Maximum number of values in one response; the total also counts the others. */
const VALUES_MAX = 500
/** Default number of values in one response. */
export const VALUES_DEFAULT = 50

/** Intervals of a series. */
export const intervals = ['day', 'week', 'month'] as const
/** Element of {@link intervals}. */
export type Interval = (typeof intervals)[number]
const Interval = oneOf(intervals, { default: 'day', description: 'a week begins on Monday; the first and the last may be parts of one' })

/** Fields by which the orders of a store can be counted. */
export const countableFields = [
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
/** Element of {@link countableFields}. */
export type CountableField = (typeof countableFields)[number]

const days = { from: DayRange.properties.from, to: DayRange.properties.to, interval: T.Optional(Interval) }
/** Query for a series over a range of days. */
export const SeriesQuery = T.Object(days)
/** Type of {@link SeriesQuery}. */
export type SeriesQuery = Static<typeof SeriesQuery>

/** Request for the lead-to-order rates of several stores. */
export const StoresLorRequest = named(
  'LorOfStores',
  exact({ storeIds: T.Array(Id, { minItems: 1, maxItems: STORES_MAX, uniqueItems: true }), ...days }),
)
/** Request for the lead-to-order rates of several products. */
export const ProductsLorRequest = named(
  'LorOfProducts',
  exact({ productIds: T.Array(Id, { minItems: 1, maxItems: PRODUCTS_MAX, uniqueItems: true }), ...days }),
)

const day = T.String({ description: "in the store's time zone" })
const heading = {
  storeId: Id,
  timeZone: T.String({ description: 'time zone in which days begin' }),
  from: day,
  to: day,
  interval: Interval,
}
const span = { from: day, to: day }
const count = (description: string) => T.Integer({ minimum: 0, description })
const share = (description: string) => Nullable(T.Number({ description }), { description: `${description}; null when there are none` })

const Lor = {
  views: count('pages that visitors viewed on these days, as storefronts report'),
  leads: count('orders created on these days and not deleted, without exchange orders'),
  orders: count('leads that are not cancelled'),
  confirmed: count('leads that were confirmed'),
  delivered: count('leads that are delivered'),
  returned: count('leads that are returned'),
  viewToLeadRate: share('leads of all views'),
  leadToOrderRate: share('orders of all leads'),
  confirmationRate: share('confirmed of all leads'),
  deliveryRate: share('delivered of those that have ended: delivered, returned or lost'),
  returnRate: share('returned of those that have ended'),
}
/** View of a page that a storefront reports. */
export const NewView = named(
  'NewView',
  exact({
    productId: T.Optional(Id),
    landingPageId: T.Optional(
      T.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'value that orders have as `landingPageId` in their metadata' }),
    ),
  }),
)
/** Confirmation that a view was counted. */
export const CountedView = named('View', T.Object({ counted: T.Boolean() }))

const LorFigures = T.Object(Lor)
/** Figures from views to delivered orders, with rates. */
export type LorFigures = Static<typeof LorFigures>
const lorSeries = { total: LorFigures, series: T.Array(T.Object({ ...span, ...Lor }), { description: 'every interval of the range' }) }

/** Lead-to-order rates of a store. */
export const StoreLor = named('StoreLor', T.Object({ ...heading, ...lorSeries }))
/** Type of {@link StoreLor}. */
export type StoreLor = Static<typeof StoreLor>
/** Lead-to-order rates of a product. */
export const ProductLor = named('ProductLor', T.Object({ productId: Id, ...heading, ...lorSeries }))
/** Lead-to-order rates of a landing page. */
export const LandingPageLor = named('LandingPageLor', T.Object({ landingPageId: Id, ...heading, ...lorSeries }))

const asked = { storeId: Id, ...days }
/** Request for the number of orders over time. */
export const OrdersTimelineRequest = named('TimelineQuestion', exact({ ...asked, productId: T.Optional(Id) }))
/** Type of {@link OrdersTimelineRequest}. */
export type OrdersTimelineRequest = Static<typeof OrdersTimelineRequest>
/** Request for the amounts of orders over time. */
export const FinancialTimelineRequest = named('FinancialTimelineQuestion', exact(asked))

const ByStatus = T.Partial(T.Object(Object.fromEntries(orderStatuses.map((status) => [status, T.Integer()]))))
const Counted = {
  orders: count('orders created on these days and not deleted'),
  units: T.Integer({ description: 'pieces' }),
  byStatus: ByStatus,
}
/** Number of orders over time, by current status. */
export const OrdersTimeline = named(
  'OrdersTimeline',
  T.Object({ productId: Nullable(Id), ...heading, total: T.Object(Counted), series: T.Array(T.Object({ ...span, ...Counted })) }),
)
/** Type of {@link OrdersTimeline}. */
export type OrdersTimeline = Static<typeof OrdersTimeline>

const money = (description: string) => T.Number({ description })
const Financial = {
  orders: count('orders created on these days, neither cancelled nor deleted'),
  goods: money('total of their goods'),
  delivery: money('total of their delivery prices'),
  discount: money('discounts of promotions and manual discounts'),
  credit: money('credits for returned goods, in exchange orders'),
  total: money('goods and delivery less discounts and credits'),
  paid: money('amount prepaid, less refunds'),
  delivered: money('amount collected for delivered goods, less refunds for returned goods'),
  returned: money('total of goods that were returned or are on their way back, unless they were exchanged'),
  underWay: money('total of goods that are neither delivered nor returned nor lost'),
  cost: money('cost of goods that were delivered and not returned, as stored at the time of the order'),
  unitsWithoutCost: T.Integer({ description: 'pieces that were delivered and not returned, whose cost is not known' }),
  margin: money('delivered, less delivery and cost'),
}
const FinancialFigures = T.Object(Financial)
/** Amounts of the orders of a range. */
export type FinancialFigures = Static<typeof FinancialFigures>
/** Amounts of orders over time. */
export const FinancialTimeline = named(
  'FinancialTimeline',
  T.Object({ currencyCode: T.String(), ...heading, total: FinancialFigures, series: T.Array(T.Object({ ...span, ...Financial })) }),
)

/** Request for the number of orders by a field. */
export const OrdersCountRequest = named(
  'OrdersCountQuestion',
  exact({
    storeId: Id,
    field: oneOf(countableFields, { description: "landingPageId: the value under this name in the order's `metadata`" }),
    from: DayRange.properties.from,
    to: DayRange.properties.to,
    limit: T.Optional(
      T.Integer({ minimum: 1, maximum: VALUES_MAX, default: VALUES_DEFAULT, description: 'number of values, the most frequent first' }),
    ),
  }),
)
/** Type of {@link OrdersCountRequest}. */
export type OrdersCountRequest = Static<typeof OrdersCountRequest>
const { interval: _, ...headingOfCounts } = heading
/** Number of orders by the value of a field. */
export const OrdersCount = named(
  'OrdersCount',
  T.Object({
    field: oneOf(countableFields),
    ...headingOfCounts,
    total: T.Integer({ description: 'orders; an order of several products counts once per product, and once here' }),
    values: T.Array(
      T.Object({
        value: Nullable(T.String(), { description: 'null for orders without a value' }),
        orders: T.Integer(),
        byStatus: ByStatus,
      }),
    ),
    others: T.Integer({ description: 'number of values that are left out' }),
  }),
)
/** Type of {@link OrdersCount}. */
export type OrdersCount = Static<typeof OrdersCount>

/** Request for the results of agents that confirm orders. */
export const ConfirmationInsightsRequest = named(
  'ConfirmationInsightsQuestion',
  exact({ storeId: Id, from: DayRange.properties.from, to: DayRange.properties.to }),
)
/** Type of {@link ConfirmationInsightsRequest}. */
export type ConfirmationInsightsRequest = Static<typeof ConfirmationInsightsRequest>
const Insight = {
  assigned: count(
    'orders created on these days that the agent was the last to confirm; of unconfirmed orders, those that the agent handled last or is assigned to',
  ),
  confirmed: count('assigned orders that were confirmed'),
  cancelled: count('assigned orders that are cancelled'),
  waiting: count('assigned orders that are pending, unreachable or postponed'),
  delivered: count('assigned orders that are delivered'),
  returned: count('assigned orders that are returned'),
  confirmationRate: share('confirmed of those that were decided: confirmed or cancelled'),
  deliveryRate: share('delivered of those that have ended'),
  deliveredTotal: money('amount collected for the delivered orders, less refunds'),
  byStatus: ByStatus,
}
const InsightFigures = T.Object(Insight)
/** Results of one agent, or of all agents. */
export type InsightFigures = Static<typeof InsightFigures>
/** Results of the agents that confirm orders. */
export const ConfirmationInsights = named(
  'ConfirmationInsights',
  T.Object({
    ...headingOfCounts,
    currencyCode: T.String(),
    total: InsightFigures,
    agents: T.Array(T.Object({ agentId: Nullable(Id, { description: 'null for orders without an agent' }), ...Insight })),
  }),
)
/** Type of {@link ConfirmationInsights}. */
export type ConfirmationInsights = Static<typeof ConfirmationInsights>
