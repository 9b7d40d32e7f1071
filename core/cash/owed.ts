import type { CashStatus } from '../../plugins/carrier/model.ts'
import type { Finance, OwedLine } from '../../plugins/carrier/segments.model.ts'
import type { Context } from '../context.ts'
import type { Account } from '../integrations/call-carrier.ts'
import { type Decimal, decimal, decimalNumber } from '../lib/decimal.ts'
import { type Balances, listOwed, type OwedRow, sumAccounts, sumDelivered, sumMonths } from './owed.queries.ts'

export const AGED_DAYS = 14
const OWED_MAX = 5000
const MONTHS = 12
const DAY_MS = 86_400_000

/** What the carrier owes, parcel by parcel. `agedDays`: what is owed for longer is aged. */
export async function previewOwed(
  { sql }: Context,
  { row }: Account,
  { agedDays, limit = OWED_MAX, after }: { agedDays?: number; limit?: number; after?: string },
): Promise<OwedLine[]> {
  const rows = await listOwed(sql, row.projectId, row.id, after ?? null, limit)
  return rows.map((each) => presentOwed(each, agedDays))
}

export function presentOwed(row: OwedRow, agedDays = AGED_DAYS): OwedLine {
  const age = Date.now() - Date.parse(row.at)
  const fee = decimal(row.fees)
  return {
    parcelId: row.parcelId,
    trackingId: row.trackingId ?? '',
    reference: row.reference,
    amount: decimalNumber(decimal(row.cod)),
    ...(fee !== 0n && { fee: decimalNumber(fee) }),
    net: decimalNumber(decimal(row.carrier)),
    status: row.cashStatus,
    deliveredAt: row.at,
    ageDays: Math.max(0, Math.floor(age / DAY_MS)),
    aged: age > agedDays * DAY_MS,
  }
}

const paidStatuses: readonly CashStatus[] = ['paid_out', 'payout_confirmed']

/** Where the cash of a connection is: as the carrier says of the delivered parcels, and as the ledger holds it. */
export async function finance(
  { sql }: Context,
  { row, mounted }: Account,
  { agedDays = AGED_DAYS }: { agedDays?: number },
): Promise<Finance> {
  const of = [row.projectId, row.id] as const
  const [delivered, accounts, months] = await Promise.all([
    sumDelivered(sql, ...of, agedDays),
    sumAccounts(sql, ...of),
    sumMonths(sql, ...of, MONTHS),
  ])
  const sum = (which: (group: (typeof delivered)[number]) => boolean, what: 'cod' | 'aged' = 'cod') =>
    decimalNumber(delivered.filter(which).reduce((total: Decimal, group) => total + decimal(group[what]), 0n))
  const isPaid = (group: { isPaid: boolean; cashStatus: CashStatus }) => group.isPaid || paidStatuses.includes(group.cashStatus)
  return {
    currency: mounted.carrier.currency,
    collected: sum((group) => !isPaid(group) && group.cashStatus !== 'payout_ready'),
    payoutReady: sum((group) => !isPaid(group) && group.cashStatus === 'payout_ready'),
    paidOut: sum(isPaid),
    due: sum((group) => !isPaid(group)),
    parcels: delivered.reduce((total, { parcels }) => total + parcels, 0),
    owed: decimalNumber(decimal(accounts.carrier)),
    aged: sum(() => true, 'aged'),
    ...presentBalances(accounts),
    months: months.map(({ month, ...balances }) => ({ month, ...presentBalances(balances) })),
  }
}

/** The same in four numbers, for those who look at parcels. */
export async function cashOf({ sql }: Context, { row, mounted }: Account) {
  const { carrier, sales, fees, bank } = await sumAccounts(sql, row.projectId, row.id)
  return {
    currency: mounted.carrier.currency,
    collected: decimalNumber(decimal(sales)),
    owed: decimalNumber(decimal(carrier)),
    fees: decimalNumber(decimal(fees)),
    received: decimalNumber(decimal(bank)),
  }
}

const presentBalances = ({ sales, fees, bank, difference }: Balances) => ({
  sales: decimalNumber(decimal(sales)),
  fees: decimalNumber(decimal(fees)),
  received: decimalNumber(decimal(bank)),
  differences: decimalNumber(decimal(difference)),
})
