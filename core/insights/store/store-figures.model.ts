import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Sum } from '../../http/schema.ts'
import { orderStatuses } from '../../orders/statuses.ts'
import { Day, Range, share } from '../product/product-figures.model.ts'

export const LEADERS_MAX = 100

const heading = {
  timeZone: T.String({ description: 'in which days begin' }),
  from: Day,
  to: Day,
}

const counts = {
  orders: T.Integer({ description: 'taken in the range and not deleted; those in exchange for another do not count' }),
  confirmed: T.Integer({ description: 'of them confirmed, or further by now' }),
  delivered: T.Integer(),
  returned: T.Integer(),
  cancelled: T.Integer(),
  revenue: Sum(),
}
const Figures = T.Object({
  ...counts,
  revenue: T.Number({
    description: 'what was collected for what was delivered, with delivery and less promotions, and not given back since',
  }),
  expected: T.Number({ description: 'what those goods come to that are confirmed, or with a carrier' }),
  averageOrder: Nullable(T.Number(), { description: 'of those that are not cancelled; null of none' }),
  confirmationRate: share('confirmed of all'),
  deliveryRate: share('delivered of those that came to an end: delivered, returned or lost'),
  returnRate: share('returned of those that came to an end'),
  cancellationRate: share('cancelled of all'),
})
export type Figures = Static<typeof Figures>

const sources = ['member', 'api', 'storefront', 'connector'] as const
export const StoreSummary = named(
  'StoreSummary',
  T.Object({
    currencyCode: T.String(),
    ...heading,
    total: Figures,
    before: T.Composite([Figures], { description: 'the same of as many days just before' }),
    bySource: T.Object(Object.fromEntries(sources.map((source) => [source, T.Integer()]))),
  }),
)
export type StoreSummary = Static<typeof StoreSummary>

export const steps = ['day', 'week', 'month'] as const
export const ChartQuery = T.Object({
  ...Range.properties,
  by: T.Optional(oneOf(steps, { default: 'day', description: 'how long a point is; weeks begin on Monday' })),
})
export type ChartQuery = Static<typeof ChartQuery>

export const StoreChart = named(
  'StoreChart',
  T.Object({
    currencyCode: T.String(),
    ...heading,
    by: oneOf(steps),
    points: T.Array(
      T.Object({
        day: { ...Day, description: 'with which it begins; of the first it may be before the range, of which alone it tells' },
        ...counts,
      }),
      { description: 'every one of the range, by the day when orders were taken' },
    ),
  }),
)
export type StoreChart = Static<typeof StoreChart>

export const StatusCounts = named(
  'OrderStatusCounts',
  T.Object({
    total: T.Integer(),
    byStatus: T.Object(Object.fromEntries(orderStatuses.map((status) => [status, T.Integer()])), {
      description: 'also those of which there are none',
    }),
  }),
)
export type StatusCounts = Static<typeof StatusCounts>
export const CountsQuery = T.Object({
  from: T.Optional({ ...Day, description: 'orders taken on this day or later; all, where neither is given' }),
  to: T.Optional({ ...Day, description: 'the last day' }),
})
export type CountsQuery = Static<typeof CountsQuery>

export const Leaderboard = named(
  'Leaderboard',
  T.Object({
    currencyCode: T.String(),
    ...heading,
    agents: T.Array(
      T.Object({
        rank: T.Integer(),
        userId: Id,
        name: Nullable(T.String(), { description: 'null where the person has no account any more' }),
        isMember: T.Boolean(),
        handled: T.Integer({ description: 'orders of which the person set a status in the range' }),
        confirmed: T.Integer({ description: 'orders that nobody confirmed after the person did, in the range' }),
        delivered: T.Integer({ description: 'of the confirmed, by now' }),
        returned: T.Integer({ description: 'of the confirmed, by now' }),
        confirmationRate: share('confirmed of handled'),
        deliveryRate: share('delivered of the confirmed that came to an end: delivered, returned or lost'),
        revenue: T.Number({ description: 'what was collected for the delivered, and not given back since' }),
      }),
      { description: `by confirmed orders, then by delivered ones; at most ${LEADERS_MAX}` },
    ),
  }),
)
export type Leaderboard = Static<typeof Leaderboard>
