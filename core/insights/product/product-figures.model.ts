import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, Sum, stated } from '../../http/schema.ts'
import { orderStatuses } from '../../orders/statuses.ts'

/** Days of one answer. */
export const DAYS_MAX = 366
export const DAYS_DEFAULT = 30

const DAY = T.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: "in the store's time zone" })
export const Day = stated(DAY, { format: 'date' })
/** Years that every calendar here knows. */
const Asked = stated(DAY, { format: 'date', pattern: '^(2[01]\\d{2}|2200)-\\d{2}-\\d{2}$' })
export const Range = T.Object({
  from: T.Optional({ ...Asked, description: `the first day, in the store's time zone; ${DAYS_DEFAULT} days before the last, if left out` }),
  to: T.Optional({ ...Asked, description: 'the last day; today, if left out' }),
})
export type Range = Static<typeof Range>

const Pieces = T.Number()
const Sold = {
  orders: T.Integer({
    description: 'taken on that day, and neither cancelled nor deleted; those in exchange for another do not count, their pieces do',
  }),
  units: Pieces,
  revenue: T.Number({ description: 'what the goods came to, before promotions and delivery' }),
  deliveredUnits: T.Number({ description: 'that were delivered and kept' }),
  deliveredRevenue: Sum(),
}
const heading = {
  productId: Id,
  currencyCode: T.String(),
  timeZone: T.String({ description: 'in which days begin' }),
  from: Day,
  to: Day,
}

export const ProductSells = named(
  'ProductSells',
  T.Object({
    ...heading,
    total: T.Object(Sold),
    days: T.Array(T.Object({ day: Day, ...Sold }), { description: 'every day of the range' }),
  }),
)
export type ProductSells = Static<typeof ProductSells>

export const share = (description: string) =>
  Nullable(T.Number({ minimum: 0, maximum: 1, description }), { description: `${description}; null of none` })
const Figures = {
  orders: T.Integer({ description: 'taken in the range and not deleted; those in exchange for another do not count, their pieces do' }),
  units: Pieces,
  deliveredUnits: T.Number({ description: 'that were delivered and kept' }),
  returnedUnits: T.Number({ description: 'that came back, with their carrier or from their customer' }),
  confirmed: T.Integer({ description: 'of them confirmed, or further by now' }),
  delivered: T.Integer(),
  returned: T.Integer(),
  cancelled: T.Integer(),
  confirmationRate: share('confirmed of all'),
  deliveryRate: share('delivered of those that came to an end: delivered, returned or lost'),
  returnRate: share('returned of those that came to an end'),
  cancellationRate: share('cancelled of all'),
  revenue: T.Number({ description: 'of what was delivered and kept, before promotions and delivery' }),
  cost: T.Number({ description: 'of what was delivered and kept, as the products said when they were ordered' }),
  margin: T.Number({ description: 'revenue less cost' }),
  unitsWithoutCost: T.Number({ description: 'delivered and kept, of which nobody said what they cost; they count as nothing in cost' }),
}
export const ProductReport = named(
  'ProductReport',
  T.Object({
    ...heading,
    total: T.Object(Figures),
    byStatus: T.Partial(T.Object(Object.fromEntries(orderStatuses.map((status) => [status, T.Integer()])))),
    byVariant: T.Array(T.Object({ variantId: Nullable(Id), name: T.String(), ...Figures })),
    byState: T.Array(T.Object({ stateCode: T.String(), stateName: Nullable(T.String()), ...Figures })),
  }),
)
export type ProductReport = Static<typeof ProductReport>
export type Figures = ProductReport['total']
