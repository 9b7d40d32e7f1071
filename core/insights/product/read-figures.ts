import { expectOne, type Queryable } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { type OrderStatus, orderStatuses } from '../../orders/statuses.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { timeZoneOf } from '../../shop/stores/time-zone.ts'
import type { DayRange, ProductFigures, ProductReport, ProductSells } from './product-figures.model.ts'
import { type ProductDays, type ReportRow, readReportRows, readSoldByDay, type SoldDayRow } from './product-figures.queries.ts'
import { dayAfter, listDays } from './range.ts'

/** Statuses of orders that were never confirmed, or may not have been. */
const UNCONFIRMED: readonly OrderStatus[] = ['pending', 'unreachable', 'postponed', 'cancelled']
/** Statuses of orders that were confirmed, whatever followed. */
export const CONFIRMED_STATUSES = orderStatuses.filter((status) => !UNCONFIRMED.includes(status))

async function openRange(sql: Queryable, store: Store, productId: string, range: DayRange) {
  const timeZone = timeZoneOf(store)
  const days = listDays(range, timeZone)
  const [product] = await findProducts(sql, store.projectId, [productId])
  if (!product) throw notFound('The product')
  const [from, to] = [expectOne(days), expectOne(days.slice(-1))]
  const asked: ProductDays = { storeId: store.id, productId, timeZone, from, until: dayAfter(to) }
  return { product, days, asked, heading: { productId, currencyCode: store.currencyCode, timeZone, from, to } }
}

const NO_SALES = { orders: 0, units: 0, revenue: 0, deliveredUnits: 0, deliveredRevenue: 0 }

/** Reads the sales of a product for every day of a range. Throws `not_found`. */
export async function readProductSells(sql: Queryable, store: Store, productId: string, range: DayRange): Promise<ProductSells> {
  const { days, asked, heading } = await openRange(sql, store, productId, range)
  const rows = await readSoldByDay(sql, asked)
  const byDay = new Map(rows.map(({ day, ...row }) => [day, toNumbers(row)]))
  const sum = (of: keyof typeof NO_SALES) => decimalNumber(rows.reduce((total, row) => total + decimal(row[of]), 0n))
  const total = {
    orders: sum('orders'),
    units: sum('units'),
    revenue: sum('revenue'),
    deliveredUnits: sum('deliveredUnits'),
    deliveredRevenue: sum('deliveredRevenue'),
  }
  return { ...heading, total, days: days.map((day) => ({ day, ...(byDay.get(day) ?? NO_SALES) })) }
}

const toNumbers = ({ orders, units, revenue, deliveredUnits, deliveredRevenue }: Omit<SoldDayRow, 'day'>) => ({
  orders,
  units: Number(units),
  revenue: Number(revenue),
  deliveredUnits: Number(deliveredUnits),
  deliveredRevenue: Number(deliveredRevenue),
})

/** Reads the results and the revenue of a product over a range. Throws `not_found`. */
export async function readProductReport(sql: Queryable, store: Store, productId: string, range: DayRange): Promise<ProductReport> {
  const { product, asked, heading } = await openRange(sql, store, productId, range)
  const rows = await readReportRows(sql, asked, CONFIRMED_STATUSES)
  const of = (grouping: ReportRow['of']) => rows.filter((row) => row.of === grouping)
  const nameOf = ({ variantId, name }: ReportRow) => product.variants.find(({ id }) => id === variantId)?.name ?? name ?? product.name
  return {
    ...heading,
    total: figuresOf(expectOne(of('total'))),
    byStatus: Object.fromEntries(of('status').map(({ status, orders }) => [String(status), orders])),
    byVariant: of('variant').map((row) => ({ variantId: row.variantId || null, name: nameOf(row), ...figuresOf(row) })),
    byState: of('state').map((row) => ({ stateCode: row.stateCode ?? '', stateName: row.stateName, ...figuresOf(row) })),
  }
}

const PLACES = 10_000
/** Ratio with four decimal places; null when `whole` is 0. */
export const ratio = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * PLACES) / PLACES)

function figuresOf(row: ReportRow): ProductFigures {
  const { orders, confirmed, delivered, returned, cancelled, lost } = row
  const settled = delivered + returned + lost
  return {
    orders,
    units: Number(row.units),
    deliveredUnits: Number(row.deliveredUnits),
    returnedUnits: Number(row.returnedUnits),
    confirmed,
    delivered,
    returned,
    cancelled,
    confirmationRate: ratio(confirmed, orders),
    deliveryRate: ratio(delivered, settled),
    returnRate: ratio(returned, settled),
    cancellationRate: ratio(cancelled, orders),
    revenue: Number(row.revenue),
    cost: Number(row.cost),
    margin: decimalNumber(decimal(row.revenue) - decimal(row.cost)),
    unitsWithoutCost: Number(row.unitsWithoutCost),
  }
}
