import type { Finance, OwedLine } from '../../../plugins/carrier/cash.model.ts'
import type { CashStatus } from '../../../plugins/carrier/model.ts'
import type { Context } from '../../context.ts'
import { type PageInput, type PageOf, readKeysetPage } from '../../http/resource/page.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { type Decimal, decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { type AccountBalances, listOwedParcels, type OwedRow, sumAccounts, sumDeliveredParcels, sumMonths } from './owed.queries.ts'

/** Default number of days after which an owed parcel is aged. */
export const AGED_DAYS = 14
const MONTHS = 12

/** Returns a page of the parcels whose cash the carrier owes. A parcel is aged after `agedDays` days. */
export async function previewOwed(
  { sql }: Context,
  { row }: CarrierConnection,
  { agedDays, ...asked }: PageInput & { agedDays?: number },
): Promise<PageOf<OwedLine>> {
  const found = await readKeysetPage(
    asked,
    (after, take) => listOwedParcels(sql, row.projectId, row.id, after, take),
    ({ parcelId }) => parcelId,
  )
  return { ...found, data: found.data.map((each) => presentOwed(each, agedDays)) }
}

/** Presents an owed parcel in the API format. */
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

/** Summarizes the cash of a connection: by the carrier's status of delivered parcels, by the ledger's balances, and by month. */
export async function summarizeFinance(
  { sql }: Context,
  { row, mounted }: CarrierConnection,
  { agedDays = AGED_DAYS }: { agedDays?: number },
): Promise<Finance> {
  const of = [row.projectId, row.id] as const
  const [delivered, connections, months] = await Promise.all([
    sumDeliveredParcels(sql, ...of, agedDays),
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
    owed: decimalNumber(decimal(connections.carrier)),
    aged: sum(() => true, 'aged'),
    ...presentBalances(connections),
    months: months.map(({ month, ...balances }) => ({ month, ...presentBalances(balances) })),
  }
}

/** Returns the four main cash totals of a connection, for the parcel statistics. */
export async function readCashTotals({ sql }: Context, { row, mounted }: CarrierConnection) {
  const { carrier, sales, fees, bank } = await sumAccounts(sql, row.projectId, row.id)
  return {
    currency: mounted.carrier.currency,
    collected: decimalNumber(decimal(sales)),
    owed: decimalNumber(decimal(carrier)),
    fees: decimalNumber(decimal(fees)),
    received: decimalNumber(decimal(bank)),
  }
}

const presentBalances = ({ sales, fees, bank, difference }: AccountBalances) => ({
  sales: decimalNumber(decimal(sales)),
  fees: decimalNumber(decimal(fees)),
  received: decimalNumber(decimal(bank)),
  differences: decimalNumber(decimal(difference)),
})
