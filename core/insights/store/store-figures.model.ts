import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Sum } from '../../http/schema.ts'
import { orderStatuses } from '../../orders/statuses.ts'
import { Day, DayRange, shareSchema } from '../product/product-figures.model.ts'

/** Maximum number of agents in a leaderboard. */
export const LEADERS_MAX = 100

const heading = {
  timeZone: T.String({ description: 'time zone in which days begin' }),
  from: Day,
  to: Day,
}

const counts = {
  orders: T.Integer({ description: 'orders created in the range and not deleted, without exchange orders' }),
  confirmed: T.Integer({ description: 'orders that were confirmed' }),
  delivered: T.Integer(),
  returned: T.Integer(),
  cancelled: T.Integer(),
  revenue: Sum(),
}
const FigureFields = T.Object({
  ...counts,
  revenue: T.Number({
    description: 'amount collected for delivered orders, with delivery, less promotions and refunds',
  }),
  expected: T.Number({ description: 'total of the orders that are confirmed or with a carrier' }),
  averageOrder: Nullable(T.Number(), { description: 'average total of the orders that are not cancelled; null when there are none' }),
  confirmationRate: shareSchema('confirmed of all'),
  deliveryRate: shareSchema('delivered of those that have ended: delivered, returned or lost'),
  returnRate: shareSchema('returned of those that have ended'),
  cancellationRate: shareSchema('cancelled of all'),
})
/** Figures of the orders of a range. */
export type StoreFigures = Static<typeof FigureFields>

const sources = ['member', 'api', 'storefront', 'connector'] as const
/** Summary of a store's orders over a range of days. */
export const StoreSummary = named(
  'StoreSummary',
  T.Object({
    currencyCode: T.String(),
    ...heading,
    total: FigureFields,
    before: T.Composite([FigureFields], { description: 'figures of the same number of days before' }),
    bySource: T.Object(Object.fromEntries(sources.map((source) => [source, T.Integer()]))),
  }),
)
/** Type of {@link StoreSummary}. */
export type StoreSummary = Static<typeof StoreSummary>

/** Lengths of a point of a chart. */
const chartSteps = ['day', 'week', 'month'] as const
/** Query for a chart. */
export const ChartQuery = T.Object({
  ...DayRange.properties,
  by: T.Optional(oneOf(chartSteps, { default: 'day', description: 'length of a point; weeks begin on Monday' })),
})
/** Type of {@link ChartQuery}. */
export type ChartQuery = Static<typeof ChartQuery>

/** Chart of a store's orders. */
export const StoreChart = named(
  'StoreChart',
  T.Object({
    currencyCode: T.String(),
    ...heading,
    by: oneOf(chartSteps),
    points: T.Array(
      T.Object({
        day: {
          ...Day,
          description: 'first day of the point; the first point may begin before the range, but counts only days of the range',
        },
        ...counts,
      }),
      { description: 'all points of the range, by the creation of the orders' },
    ),
  }),
)
/** Type of {@link StoreChart}. */
export type StoreChart = Static<typeof StoreChart>

/** Number of orders by status. */
export const StatusCounts = named(
  'OrderStatusCounts',
  T.Object({
    total: T.Integer(),
    byStatus: T.Object(Object.fromEntries(orderStatuses.map((status) => [status, T.Integer()])), {
      description: 'all statuses, also those without orders',
    }),
  }),
)
/** Type of {@link StatusCounts}. */
export type StatusCounts = Static<typeof StatusCounts>
/** Query for the number of orders by status. */
export const StatusCountsQuery = T.Object({
  from: T.Optional({ ...Day, description: 'orders created on this day or later; all orders when neither is given' }),
  to: T.Optional({ ...Day, description: 'the last day' }),
})
/** Type of {@link StatusCountsQuery}. */
export type StatusCountsQuery = Static<typeof StatusCountsQuery>

/** Ranking of the agents that confirm orders. */
export const Leaderboard = named(
  'Leaderboard',
  T.Object({
    currencyCode: T.String(),
    ...heading,
    agents: T.Array(
      T.Object({
        rank: T.Integer(),
        userId: Id,
        name: Nullable(T.String(), { description: 'null when the user has no account any more' }),
        isMember: T.Boolean(),
        handled: T.Integer({ description: 'orders whose status the user changed in the range' }),
        confirmed: T.Integer({ description: 'orders that the user was the last to confirm in the range' }),
        delivered: T.Integer({ description: 'confirmed orders that are delivered by now' }),
        returned: T.Integer({ description: 'confirmed orders that are returned by now' }),
        confirmationRate: shareSchema('confirmed of handled'),
        deliveryRate: shareSchema('delivered of the confirmed that have ended: delivered, returned or lost'),
        revenue: T.Number({ description: 'amount collected for the delivered orders, less refunds' }),
      }),
      { description: `by confirmed orders, then by delivered ones; at most ${LEADERS_MAX}` },
    ),
  }),
)
/** Type of {@link Leaderboard}. */
export type Leaderboard = Static<typeof Leaderboard>
