import type { AdsSummary, Grouping } from '../../../../plugins/ads/summary.model.ts'
import { withCustomPlan } from '../../../data/keyset-page.ts'
import { expectOne, type Sql } from '../../../data/sql.ts'
import { dayAfter, listDays } from '../../../insights/product/range.ts'
import { CONFIRMED_STATUSES } from '../../../insights/product/read-figures.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { type Decimal, decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { timeZoneOf } from '../../../shop/stores/time-zone.ts'
import { adErrors } from '../ads.errors.ts'
import { listAccounts } from '../settings.queries.ts'
import { countOrdersByGroup, type OrderGroupRow, type SpendGroupRow, sumSpendByGroup } from './summary.queries.ts'

interface SummaryOptions {
  readonly from?: string
  readonly to?: string
  readonly by?: Grouping
  readonly currency?: string
}
type Figures = AdsSummary['total']

const GROUPS_MAX = 1000
const NO_ORDERS: Omit<OrderGroupRow, 'key'> = { orders: 0, confirmed: 0, delivered: 0 }

/**
 * Compares the spend of ads with the orders that resulted. Throws if the accounts have several currencies and none is named: amounts of
 * different currencies are never added.
 */
export async function summarizeSpend(
  sql: Sql,
  store: Store,
  connection: ConnectionRef,
  { from, to, by = 'product', currency }: SummaryOptions,
): Promise<AdsSummary> {
  const timeZone = timeZoneOf(store)
  const days = listDays({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, timeZone)
  const [first, last] = [expectOne(days), expectOne(days.slice(-1))]
  const accounts = await listAccounts(sql, connection)
  const currencies = [...new Set(accounts.map((account) => account.currency))]
  if (currency === undefined && currencies.length > 1)
    throw adErrors.currencyAmbiguous({ currencies: currencies.join(', ') }, { field: ['currency'] })
  const chosen = currency ?? currencies[0] ?? null
  const { id: storeId, projectId } = store
  const asked = {
    projectId,
    storeId,
    connectionId: connection.id,
    timeZone,
    currency: chosen,
    from: first,
    to: last,
    until: dayAfter(last),
    by,
  }
  const [spent, taken] = await withCustomPlan(sql, (tx) =>
    Promise.all([sumSpendByGroup(tx, asked), countOrdersByGroup(tx, asked, CONFIRMED_STATUSES)]),
  )
  const isRead = spent.length > 0 || accounts.some((account) => account.currency === chosen && account.readAt !== null)
  const ordersByKey = new Map(taken.map(({ key, ...counted }) => [key, counted]))
  const spentKeys = new Set(spent.map(({ key }) => key))
  const withoutSpend = taken.filter(({ key }) => key !== null && !spentKeys.has(key)).map(({ key }) => ({ ...NO_SPEND, key }))
  const groups = [...spent, ...withoutSpend].slice(0, GROUPS_MAX).map((row) => ({
    key: row.key,
    name: row.name,
    ...figuresOf(isRead ? [row] : null, row.key === null ? NO_ORDERS : (ordersByKey.get(row.key) ?? NO_ORDERS)),
  }))
  if (by === 'day') groups.sort((a, b) => String(a.key).localeCompare(String(b.key)))
  return {
    currency: chosen,
    timeZone,
    from: first,
    to: last,
    by,
    total: figuresOf(isRead ? spent : null, ordersByKey.get(null) ?? NO_ORDERS),
    groups,
  }
}

const NO_SPEND: SpendGroupRow = { key: null, name: null, spend: '0', impressions: 0, clicks: 0, purchases: 0, leads: 0 }

/** Computes the figures of a group. `rows` is null if the platform was never read: spend is then unknown, not zero. */
function figuresOf(rows: readonly SpendGroupRow[] | null, { orders, confirmed, delivered }: Omit<OrderGroupRow, 'key'>): Figures {
  const spend = rows?.reduce((sum, row) => sum + decimal(row.spend), 0n) ?? null
  const sum = (of: 'impressions' | 'clicks' | 'purchases' | 'leads') => rows?.reduce((total, row) => total + row[of], 0) ?? null
  return {
    spend: spend === null ? null : decimalNumber(spend),
    impressions: sum('impressions'),
    clicks: sum('clicks'),
    platformPurchases: sum('purchases'),
    platformLeads: sum('leads'),
    leads: orders,
    confirmed,
    delivered,
    costPerLead: costPer(spend, orders),
    costPerConfirmed: costPer(spend, confirmed),
    costPerDelivered: costPer(spend, delivered),
  }
}

/** Returns the spend per order with four decimals, rounded half up; null if either is unknown or zero. */
function costPer(spend: Decimal | null, count: number): number | null {
  if (spend === null || count === 0) return null
  const whole = BigInt(count)
  return decimalNumber((spend * 2n + whole) / (whole * 2n))
}
