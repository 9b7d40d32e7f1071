import type { AdsSummary, Grouping } from '../../../../plugins/ads/model.ts'
import { expectOne, type Sql } from '../../../data/sql.ts'
import { invalidValue } from '../../../http/errors/errors.ts'
import { dayAfter, daysOf } from '../../../insights/product/range.ts'
import { CONFIRMED } from '../../../insights/product/read-figures.ts'
import { type Decimal, decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { timeZoneOf } from '../../../shop/stores/time-zone.ts'
import { listAccounts } from '../settings.queries.ts'
import { type SpentRow, spentRows, type TakenRow, takenRows } from './summary.queries.ts'

interface Question {
  readonly from?: string
  readonly to?: string
  readonly by?: Grouping
  readonly currency?: string
}
type Figures = AdsSummary['total']

const GROUPS_MAX = 1000
const NOBODY: Omit<TakenRow, 'key'> = { orders: 0, confirmed: 0, delivered: 0 }

/** What ads cost for what came of them. Amounts of different currencies are never added. */
export async function summarise(
  sql: Sql,
  store: Store,
  connectionId: string,
  { from, to, by = 'product', currency }: Question,
): Promise<AdsSummary> {
  const timeZone = timeZoneOf(store)
  const days = daysOf({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, timeZone)
  const [first, last] = [expectOne(days), expectOne(days.slice(-1))]
  const accounts = await listAccounts(sql, connectionId)
  const currencies = [...new Set(accounts.map((account) => account.currency))]
  if (currency === undefined && currencies.length > 1)
    throw invalidValue('/query/currency', `The linked accounts spend in ${currencies.join(', ')}. Say which.`)
  const chosen = currency ?? currencies[0] ?? null
  const asked = { storeId: store.id, connectionId, timeZone, currency: chosen, from: first, to: last, until: dayAfter(last), by }
  const [spent, taken] = await Promise.all([spentRows(sql, asked), takenRows(sql, asked, CONFIRMED)])
  const isRead = spent.length > 0 || accounts.some((account) => account.currency === chosen && account.readAt !== null)
  const ofKey = new Map(taken.map(({ key, ...counted }) => [key, counted]))
  const spentKeys = new Set(spent.map(({ key }) => key))
  const quiet = taken.filter(({ key }) => key !== null && !spentKeys.has(key)).map(({ key }) => ({ ...NOTHING, key }))
  const groups = [...spent, ...quiet].slice(0, GROUPS_MAX).map((row) => ({
    key: row.key,
    name: row.name,
    ...figuresOf(isRead ? [row] : null, row.key === null ? NOBODY : (ofKey.get(row.key) ?? NOBODY)),
  }))
  if (by === 'day') groups.sort((a, b) => String(a.key).localeCompare(String(b.key)))
  return {
    currency: chosen,
    timeZone,
    from: first,
    to: last,
    by,
    total: figuresOf(isRead ? spent : null, ofKey.get(null) ?? NOBODY),
    groups,
  }
}

const NOTHING: SpentRow = { key: null, name: null, spend: '0', impressions: 0, clicks: 0, purchases: 0, leads: 0 }

/** `rows` is null where the platform was not read: what it spent is unknown then, and not nothing. */
function figuresOf(rows: readonly SpentRow[] | null, { orders, confirmed, delivered }: Omit<TakenRow, 'key'>): Figures {
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
    costPerLead: shareOf(spend, orders),
    costPerConfirmed: shareOf(spend, confirmed),
    costPerDelivered: shareOf(spend, delivered),
  }
}

/** To four places, half up. */
function shareOf(spend: Decimal | null, count: number): number | null {
  if (spend === null || count === 0) return null
  const whole = BigInt(count)
  return decimalNumber((spend * 2n + whole) / (whole * 2n))
}
