import {
  type LineOutcome,
  lineOutcomes,
  type OwedLine,
  type Payout,
  type PayoutDetail,
  type PayoutLine,
} from '../../../plugins/carrier/cash.model.ts'
import type { CashStatus } from '../../../plugins/carrier/model.ts'
import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { type PageInput, type PageOf, readKeysetPage } from '../../http/resource/page.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { AGED_DAYS, presentOwed } from '../ledger/owed.ts'
import { listMissingParcels, sumMissingParcels } from './lines.queries.ts'
import { matchLines } from './match-lines.ts'
import { LINES_MAX, pullRemittance, pullRemittances, remittanceKeyOf } from './pull-remittances.ts'
import { type ReconciledLine, reconcileLine } from './reconcile-line.ts'
import { findRemittance, listRemittances, type RemittanceRow } from './remittances.queries.ts'

const MISSING_MAX = 1000

/**
 * Returns a page of a connection's remittances, newest first. Pulls the carrier's list first, and returns the stored one when the carrier
 * fails.
 */
export async function readRemittances(context: Context, connection: CarrierConnection, query: PageInput): Promise<PageOf<Payout>> {
  await pullRemittances(context, connection).catch(ignoreCarrierFailure)
  const { projectId, id } = connection.row
  const found = await readKeysetPage(query, (after, take) => listRemittances(context.sql, projectId, id, after, take))
  return { ...found, data: found.data.map(presentRemittance) }
}

/** Lines to return: at most `limit` of some outcomes, after line `after`. Missing parcels are aged after `agedDays` days. */
export interface DetailOptions {
  readonly limit?: number
  readonly after?: number
  /** Outcomes, separated by commas; all without it. */
  readonly outcome?: string
  readonly agedDays?: number
}

/**
 * Returns a remittance with its reconciled lines, missing parcels and totals. For the first lines it pulls the remittance from the carrier
 * before; a failure of the carrier is thrown only if the remittance is not stored yet. Throws `not_found`.
 */
export async function readRemittance(
  context: Context,
  connection: CarrierConnection,
  id: string,
  shown: DetailOptions = {},
): Promise<PayoutDetail> {
  const key = remittanceKeyOf(connection, id)
  const known = await findRemittance(context.sql, key)
  const isFirstPage = (shown.after ?? 0) === 0 && shown.outcome === undefined
  if (isFirstPage || !known)
    await pullRemittance(context, connection, id, known).catch(known ? ignoreCarrierFailure : (error) => Promise.reject(error))
  const payout = await findRemittance(context.sql, key)
  if (!payout) throw notFound('The payout')
  return buildRemittanceDetail(context.sql, payout, shown)
}

function ignoreCarrierFailure(error: unknown) {
  if (!(error instanceof AdapterFailure)) throw error
}

/** Builds the detail of a remittance. Totals cover all lines, whatever range is returned; `limit` 0 also leaves out missing parcels. */
export async function buildRemittanceDetail(
  sql: Queryable,
  payout: RemittanceRow,
  { limit = LINES_MAX, after = 0, outcome, agedDays = AGED_DAYS }: DetailOptions,
): Promise<PayoutDetail> {
  const missing = await listMissingParcels(sql, payout, limit === 0 ? 0 : MISSING_MAX)
  const sums = await sumMissingParcels(sql, payout, agedDays)
  const totals = emptyTotals()
  const outcomes = outcome?.split(',')
  const lines: PayoutLine[] = []
  for await (const matched of matchLines(sql, payout)) {
    for (const line of matched.map(reconcileLine)) {
      addTo(totals, line)
      if (line.matched.line > after && lines.length < limit && (outcomes?.includes(line.outcome) ?? true)) lines.push(presentLine(line))
    }
  }
  return {
    ...presentRemittance(payout),
    lines,
    missing: missing.map((row): OwedLine => presentOwed(row, agedDays)),
    totals: {
      ...presentTotals(totals),
      missing: decimalNumber(decimal(sums.amount)),
      missingParcels: sums.parcels,
      aged: decimalNumber(decimal(sums.aged)),
      agedParcels: sums.agedParcels,
    },
  }
}

const emptyTotals = () => ({
  expected: 0n,
  amount: 0n,
  fees: 0n,
  received: 0n,
  difference: 0n,
  unposted: 0n,
  lines: Object.fromEntries(lineOutcomes.map((outcome) => [outcome, 0])) as Record<LineOutcome, number>,
})
type Totals = ReturnType<typeof emptyTotals>

function addTo(totals: Totals, { outcome, expected, amount, fee, net, difference }: ReconciledLine) {
  totals.expected += expected
  totals.amount += amount
  totals.fees += fee
  totals.received += net
  totals.difference += difference
  if (outcome === 'paid_already') totals.unposted += net
  totals.lines[outcome] += 1
}

const presentTotals = ({ lines, ...sums }: Totals) => ({
  expected: decimalNumber(sums.expected),
  amount: decimalNumber(sums.amount),
  fees: decimalNumber(sums.fees),
  received: decimalNumber(sums.received),
  difference: decimalNumber(sums.difference),
  unposted: decimalNumber(sums.unposted),
  lines,
})

const presentLine = ({ matched, outcome, amount, fee, net, expected, difference }: ReconciledLine): PayoutLine => ({
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

/** Presents a remittance in the API format. */
export const presentRemittance = (row: RemittanceRow): Payout => ({
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

/** Returns the cash status of a remittance. Our own state wins over the carrier's; a sheet without one counts as paid out. */
function statusOf({ state, carrierStatus }: RemittanceRow): CashStatus {
  if (state === 'confirmed') return 'payout_confirmed'
  return state === 'reversed' ? 'payout_cancelled' : (carrierStatus ?? 'paid_out')
}

/** Records in the audit log a change of a remittance, with the state before it. */
export const recordPayoutChange = (
  tx: Tx,
  { projectId, id, connectionId, state, amount, parcels }: RemittanceRow,
  what: 'carrier_payout.imported' | 'carrier_payout.confirmed' | 'carrier_payout.reversed',
  before: RemittanceRow['state'] | null,
) =>
  recordAudit(
    tx,
    { storeId: storeIdOf(projectId) },
    {
      what,
      thing: id,
      ...(before !== null && { before: { connectionId, state: before, amount: Number(amount), parcels } }),
      after: { connectionId, state, amount: Number(amount), parcels },
    },
  )
