import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, Sum, stated } from '../../http/schema.ts'
import { orderStatuses } from '../../orders/statuses.ts'

/** Maximum number of days of one response. */
export const DAYS_MAX = 366
/** Default number of days of one response. */
export const DAYS_DEFAULT = 30

const DAY = T.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: "in the store's time zone" })
/** Query for a range of days. */
export const Day = stated(DAY, { format: 'date' })
/** Years that every calendar here knows. */
const Asked = stated(DAY, { format: 'date', pattern: '^(2[01]\\d{2}|2200)-\\d{2}-\\d{2}$' })
/** Query parameters of a range of days, both days included. */
export const DayRange = T.Object({
  from: T.Optional({ ...Asked, description: `the first day, in the store's time zone; ${DAYS_DEFAULT} days before the last, if left out` }),
  to: T.Optional({ ...Asked, description: 'the last day; today, if left out' }),
})
/** Type of {@link DayRange}. */
export type DayRange = Static<typeof DayRange>

const Pieces = T.Number()
const Sold = {
  orders: T.Integer({
    description: 'orders created on that day, neither cancelled nor deleted; exchange orders do not count, but their pieces do',
  }),
  units: Pieces,
  revenue: T.Number({ description: 'total of the goods, before promotions and delivery' }),
  deliveredUnits: T.Number({ description: 'pieces that were delivered and not returned' }),
  deliveredRevenue: Sum(),
}
const heading = {
  productId: Id,
  currencyCode: T.String(),
  timeZone: T.String({ description: 'time zone in which days begin' }),
  from: Day,
  to: Day,
}

/** Sales of a product by day. */
export const ProductSells = named(
  'ProductSells',
  T.Object({
    ...heading,
    total: T.Object(Sold),
    days: T.Array(T.Object({ day: Day, ...Sold }), { description: 'every day of the range' }),
  }),
)
/** Type of {@link ProductSells}. */
export type ProductSells = Static<typeof ProductSells>

/** Schema of a share between 0 and 1; null when there is nothing to share. */
export const shareSchema = (description: string) =>
  Nullable(T.Number({ minimum: 0, maximum: 1, description }), { description: `${description}; null when there are none` })
const figureFields = {
  orders: T.Integer({ description: 'orders created in the range and not deleted; exchange orders do not count, but their pieces do' }),
  units: Pieces,
  deliveredUnits: T.Number({ description: 'pieces that were delivered and not returned' }),
  returnedUnits: T.Number({ description: 'pieces that were returned, by their carrier or by their customer' }),
  confirmed: T.Integer({ description: 'orders that were confirmed' }),
  delivered: T.Integer(),
  returned: T.Integer(),
  cancelled: T.Integer(),
  confirmationRate: shareSchema('confirmed of all'),
  deliveryRate: shareSchema('delivered of those that have ended: delivered, returned or lost'),
  returnRate: shareSchema('returned of those that have ended'),
  cancellationRate: shareSchema('cancelled of all'),
  revenue: T.Number({ description: 'total of goods that were delivered and not returned, before promotions and delivery' }),
  cost: T.Number({ description: 'cost of goods that were delivered and not returned, as stored at the time of the order' }),
  margin: T.Number({ description: 'revenue less cost' }),
  unitsWithoutCost: T.Number({
    description: 'pieces that were delivered and not returned, whose cost is not known; they count as 0 in `cost`',
  }),
}
/** Report of a product: figures in total, by status, by variant and by state. */
export const ProductReport = named(
  'ProductReport',
  T.Object({
    ...heading,
    total: T.Object(figureFields),
    byStatus: T.Partial(T.Object(Object.fromEntries(orderStatuses.map((status) => [status, T.Integer()])))),
    byVariant: T.Array(T.Object({ variantId: Nullable(Id), name: T.String(), ...figureFields })),
    byState: T.Array(T.Object({ stateCode: T.String(), stateName: Nullable(T.String()), ...figureFields })),
  }),
)
/** Type of {@link ProductReport}. */
export type ProductReport = Static<typeof ProductReport>
/** Figures of the orders of a product. */
export type ProductFigures = ProductReport['total']
