import type { CashStatus } from '../../plugins/carrier/model.ts'
import {
  type LineOutcome,
  lineOutcomes,
  type OwedLine,
  type Payout,
  type PayoutDetail,
  type PayoutLine,
} from '../../plugins/carrier/segments.model.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../data/sql.ts'
import { CarrierFailure } from '../gateway/failure.ts'
import { notFound } from '../http/errors.ts'
import type { Account } from '../integrations/call-carrier.ts'
import { type Decimal, decimal, decimalNumber } from '../lib/decimal.ts'
import { type Judged, judge } from './judge.ts'
import { matchLines } from './lines.queries.ts'
import { missingParcels, sumMissing } from './owed.queries.ts'
import { presentOwed } from './owed.ts'
import { keyOf, pullPayout, pullPayouts } from './pull.ts'
import { findRemittance, listRemittances, type RemittanceRow } from './remittances.queries.ts'

const MISSING_MAX = 1000

/** Payouts of a connection, newest first. Where the carrier tells of its own, it is asked; what cannot be had of it now is left as it was. */
export async function listPayouts(context: Context, account: Account, query: { limit?: number; after?: string }): Promise<Payout[]> {
  await pullPayouts(context, account).catch(unlessCarrierFailed)
  const { projectId, id } = account.row
  return (await listRemittances(context.sql, projectId, id, query.after ?? null, query.limit ?? 200)).map(presentPayout)
}

/** One payout, held line by line against what was owed. Throws `not_found`. */
export async function readPayout(context: Context, account: Account, id: string): Promise<PayoutDetail> {
  const key = keyOf(account, id)
  const known = await findRemittance(context.sql, key)
  await pullPayout(context, account, id, known).catch(known ? unlessCarrierFailed : (error) => Promise.reject(error))
  const payout = await findRemittance(context.sql, key)
  if (!payout) throw notFound('The payout')
  return detailOf(context.sql, payout)
}

function unlessCarrierFailed(error: unknown) {
  if (!(error instanceof CarrierFailure)) throw error
}

export async function detailOf(sql: Queryable, payout: RemittanceRow): Promise<PayoutDetail> {
  const [lines, missing, sums] = await Promise.all([
    matchLines(sql, payout),
    missingParcels(sql, payout, MISSING_MAX),
    sumMissing(sql, payout),
  ])
  const judged = lines.map(judge)
  return {
    ...presentPayout(payout),
    lines: judged.map(presentLine),
    missing: missing.map((row): OwedLine => presentOwed(row)),
    totals: { ...totalsOf(judged), missing: decimalNumber(decimal(sums.amount)), missingParcels: sums.parcels },
  }
}

function totalsOf(judged: readonly Judged[]) {
  const sum = (of: (line: Judged) => Decimal) => decimalNumber(judged.reduce((total, line) => total + of(line), 0n))
  const count = (outcome: LineOutcome) => judged.filter((line) => line.outcome === outcome).length
  return {
    expected: sum(({ expected }) => expected),
    amount: sum(({ amount }) => amount),
    fees: sum(({ fee }) => fee),
    received: sum(({ net }) => net),
    difference: sum(({ difference }) => difference),
    unposted: sum(({ outcome, net }) => (outcome === 'paid_already' ? net : 0n)),
    lines: Object.fromEntries(lineOutcomes.map((outcome) => [outcome, count(outcome)])) as Record<LineOutcome, number>,
  }
}

const presentLine = ({ matched, outcome, amount, fee, net, expected, difference }: Judged): PayoutLine => ({
  line: matched.line,
  trackingId: matched.tracking ?? matched.parcel?.trackingId ?? '',
  ...(matched.reference !== null && { reference: matched.reference }),
  parcelId: matched.parcel?.id ?? null,
  outcome,
  status: matched.parcel?.cashStatus ?? 'none',
  amount: decimalNumber(amount),
  fee: decimalNumber(fee),
  net: decimalNumber(net),
  expected: decimalNumber(expected),
  difference: decimalNumber(difference),
})

export const presentPayout = (row: RemittanceRow): Payout => ({
  id: row.id,
  status: statusOf(row),
  amount: decimalNumber(decimal(row.amount)),
  parcels: row.parcels,
  at: row.paidAt,
  source: row.source,
  state: row.state,
  fileName: row.fileName,
  confirmedAt: row.confirmedAt,
  reversedAt: row.reversedAt,
})

/** What was decided here goes before what the carrier says; a sheet comes with the money. */
function statusOf({ state, carrierStatus }: RemittanceRow): CashStatus {
  if (state === 'confirmed') return 'payout_confirmed'
  return state === 'reversed' ? 'payout_cancelled' : (carrierStatus ?? 'paid_out')
}
