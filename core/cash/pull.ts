import { Type as T } from '@sinclair/typebox'
import { CashBatch, CashBatchDetail, CashLine, type StatusReport } from '../../plugins/carrier/model.ts'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { CarrierFailure } from '../gateway/failure.ts'
import { type Account, callCarrier } from '../integrations/call-carrier.ts'
import type { Decimal } from '../lib/decimal.ts'
import { recordReports } from '../parcels/record-report.ts'
import { fromCarrier } from './from-carrier.ts'
import {
  type CarrierHeading,
  findRemittance,
  lockRemittance,
  type NewLine,
  type RemittanceKey,
  type RemittanceRow,
  replaceLines,
  saveCarrierHeadings,
} from './remittances.queries.ts'

/** Payouts that one synchronisation reads in full, newest first. */
const READ_MAX = 20
const BATCHES_MAX = 500
export const LINES_MAX = 20_000

/** Whether the carrier tells of money, and may be asked. */
const tells = ({ row, mounted }: Account) => row.enabled && mounted.carrier.cash !== undefined

/** Takes over which payouts the carrier says there are; without their lines. */
export async function pullPayouts(context: Context, account: Account): Promise<readonly CashBatch[]> {
  if (!tells(account)) return []
  const batches = await callCarrier(context, account, (carrier, adapter) => carrier.cash!.batches(adapter), {
    operation: 'cashBatches',
    schema: T.Array(CashBatch),
  })
  const newest = [...new Map(batches.slice(0, BATCHES_MAX).map((batch) => [batch.id, batch])).values()]
  if (newest.length > 0) await saveCarrierHeadings(context.sql, keyOf(account, ''), newest.map(headingOf))
  return newest
}

/** Takes over a payout of the carrier with its lines, unless it is a sheet of ours or was confirmed here. */
export async function pullPayout(context: Context, account: Account, id: string, known: RemittanceRow | undefined): Promise<void> {
  if (!tells(account) || (known && known.source !== 'carrier') || known?.state === 'confirmed') return
  await takePayout(context, account, id)
}

async function takePayout(context: Context, account: Account, id: string): Promise<CashBatchDetail> {
  const batch = await callCarrier(context, account, (carrier, adapter) => carrier.cash!.batch(adapter, id), {
    operation: 'cashBatch',
    schema: CashBatchDetail,
  })
  const lines = batch.lines.map(asLine)
  if (lines.length > LINES_MAX) throw unreadable(`A payout of more than ${LINES_MAX} parcels`)
  await transaction(context.sql, async (tx) => {
    const key = keyOf(account, batch.id)
    await saveCarrierHeadings(tx, key, [headingOf(batch)])
    const held = await lockRemittance(tx, key)
    if (held?.source === 'carrier' && held.state !== 'confirmed') await replaceLines(tx, key, lines)
  })
  return batch
}

const headingOf = ({ id, status, amount, parcels, at }: CashBatch): CarrierHeading => ({
  id,
  carrierStatus: status,
  amount: payoutAmount(amount),
  parcels,
  paidAt: at === undefined || Number.isNaN(Date.parse(at)) ? null : new Date(at).toISOString(),
})

/** What names a payout of this connection. */
export const keyOf = ({ row }: Account, id: string): RemittanceKey => ({ projectId: row.projectId, connectionId: row.id, id })

function asLine({ trackingId, reference, amount, fee }: CashLine): NewLine {
  const [collected, kept] = [lineAmount(amount), fee === undefined ? null : lineAmount(fee)]
  return {
    tracking: trackingId,
    reference: reference ?? null,
    amount: collected,
    fee: kept,
    net: kept === null ? null : collected - kept,
  }
}

function lineAmount(value: number): Decimal {
  const exact = fromCarrier(value)
  if (exact === null) throw unreadable(`An amount of ${value}`)
  return exact
}

function payoutAmount(value: number): Decimal {
  const exact = fromCarrier(value, LINES_MAX)
  if (exact === null) throw unreadable(`A payout of ${value}`)
  return exact
}

const unreadable = (what: string) => new CarrierFailure('unavailable', true, `${what} cannot be: the carrier's answer is not taken.`)

/** Takes over what the carrier says of money: what it holds, then its newest payouts that are not confirmed here. */
export async function syncCash(context: Context, account: Account, signal?: AbortSignal) {
  if (!tells(account)) return { parcels: 0, changed: 0 }
  const held = await callCarrier(context, account, (carrier, adapter) => carrier.cash!.preview(adapter), {
    operation: 'cashPreview',
    schema: T.Array(CashLine),
    ...(signal && { signal }),
  })
  const reports = held.map((line) => reportOf(line))
  const batches = await pullPayouts(context, account)
  for (const { id } of batches.slice(0, READ_MAX)) {
    signal?.throwIfAborted()
    const known = await findRemittance(context.sql, keyOf(account, id))
    if (known?.state === 'confirmed') continue
    const { lines } = await takePayout(context, account, id)
    reports.push(...lines.map((line) => reportOf(line, id)))
  }
  const { applied } = await recordReports(context, account, reports, 'poller')
  return { parcels: reports.length, changed: applied }
}

const reportOf = ({ trackingId, status, amount, fee }: CashLine, payoutId?: string): StatusReport => ({
  trackingId,
  at: new Date().toISOString(),
  eventId: `cash:${status}:${payoutId ?? ''}`,
  cash: { status, amount, ...(fee !== undefined && { fee }), ...(payoutId !== undefined && { payoutId }) },
})
