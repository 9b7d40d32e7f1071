import { Type as T } from '@sinclair/typebox'
import { CashBatch, CashBatchDetail, CashLine } from '../../../plugins/carrier/cash.model.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import type { Decimal } from '../../lib/money/decimal.ts'
import { type IncomingReport, recordReports } from '../../logistics/tracking/record-report.ts'
import { parseCarrierAmount } from '../ledger/entries/carrier-amount.ts'
import {
  type CarrierHeading,
  findRemittance,
  lockRemittance,
  type NewRemittanceLine,
  type RemittanceKey,
  type RemittanceRow,
  replaceRemittanceLines,
  upsertCarrierHeadings,
} from './remittances.queries.ts'

/** Maximum number of remittances that one sync reads in full, newest first. */
const READ_MAX = 20
const BATCHES_MAX = 500
/** Maximum number of lines of a remittance. */
export const LINES_MAX = 20_000

/** True when the connection is enabled and its carrier reports cash. */
const reportsCash = ({ row, mounted }: CarrierConnection) => row.enabled && mounted.carrier.cash !== undefined

/**
 * Pulls the carrier's list of remittances and stores it, without their lines. Returns the list, at most 500, or an empty list if the
 * carrier cannot be called.
 */
export async function pullRemittances(context: Context, connection: CarrierConnection): Promise<readonly CashBatch[]> {
  if (!reportsCash(connection)) return []
  const batches = await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'cash').cash.batches(adapter), {
    operation: 'cashBatches',
    quota: 'read',
    schema: T.Array(CashBatch),
  })
  const newest = [...new Map(batches.slice(0, BATCHES_MAX).map((batch) => [batch.id, batch])).values()]
  if (newest.length > 0) await upsertCarrierHeadings(context.sql, remittanceKeyOf(connection, ''), newest.map(headingOf))
  return newest
}

/** Pulls a remittance with its lines from the carrier. Skips remittances that came from a sheet or are confirmed here. */
export async function pullRemittance(
  context: Context,
  connection: CarrierConnection,
  id: string,
  known: RemittanceRow | undefined,
): Promise<void> {
  if (!reportsCash(connection) || (known && known.source !== 'carrier') || known?.state === 'confirmed') return
  await fetchRemittance(context, connection, id)
}

async function fetchRemittance(context: Context, connection: CarrierConnection, id: string): Promise<CashBatchDetail> {
  const batch = await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'cash').cash.batch(adapter, id), {
    operation: 'cashBatch',
    quota: 'read',
    schema: CashBatchDetail,
  })
  const lines = batch.lines.map(toLine)
  if (lines.length > LINES_MAX) throw invalidResponse(`A payout of more than ${LINES_MAX} parcels`)
  await transaction(context.sql, async (tx) => {
    const key = remittanceKeyOf(connection, batch.id)
    await upsertCarrierHeadings(tx, key, [headingOf(batch)])
    const locked = await lockRemittance(tx, key)
    if (locked?.source === 'carrier' && locked.state !== 'confirmed') await replaceRemittanceLines(tx, key, lines)
  })
  return batch
}

const headingOf = ({ id, status, amount, net, parcels, at }: CashBatch): CarrierHeading => ({
  id,
  carrierStatus: status,
  amount: parseTotal(amount ?? net),
  parcels,
  paidAt: at === undefined || Number.isNaN(Date.parse(at)) ? null : new Date(at).toISOString(),
})

/** Returns the key of a remittance of this connection. */
export const remittanceKeyOf = ({ row }: CarrierConnection, id: string): RemittanceKey => ({
  projectId: row.projectId,
  connectionId: row.id,
  id,
})

/** Converts a carrier's line. When it states both amount and net, the fee is their difference, so that the line always adds up. */
function toLine({ trackingId, reference, ...stated }: CashLine): NewRemittanceLine {
  if (stated.amount === undefined && stated.net === undefined) throw invalidResponse(`A line of ${trackingId} without an amount`)
  const toDecimal = (value: number | undefined) => (value === undefined ? null : parseLineAmount(value))
  const [amount, fee, net] = [toDecimal(stated.amount), toDecimal(stated.fee), toDecimal(stated.net)]
  const named = { tracking: trackingId, reference: reference ?? null }
  if (amount !== null && net !== null) return { ...named, amount, fee: amount - net, net }
  return { ...named, amount, fee, net: amount !== null && fee !== null ? amount - fee : net }
}

function parseLineAmount(value: number): Decimal {
  const exact = parseCarrierAmount(value)
  if (exact === null) throw invalidResponse(`An amount of ${value}`)
  return exact
}

function parseTotal(value: number | undefined): Decimal {
  const exact = value === undefined ? null : parseCarrierAmount(value, LINES_MAX)
  if (exact === null) throw invalidResponse(`A payout of ${value}`)
  return exact
}

const invalidResponse = (what: string) =>
  new AdapterFailure('unavailable', `${what} is invalid, so the carrier's response is rejected.`, { wasSent: true })

/**
 * Pulls the cash that the carrier holds and its newest unconfirmed remittances, and records the cash status of their parcels. Returns the
 * number of reports and of changed parcels.
 */
export async function syncCash(context: Context, connection: CarrierConnection, signal?: AbortSignal) {
  if (!reportsCash(connection)) return { parcels: 0, changed: 0 }
  const { preview } = requireMembers(connection.mounted.carrier, 'cash').cash
  const heldLines = preview
    ? await callAdapter(context, connection, (_carrier, adapter) => preview(adapter), {
        operation: 'cashPreview',
        quota: 'read',
        schema: T.Array(CashLine),
        ...(signal && { signal }),
      })
    : []
  const reports = heldLines.map((line) => reportOf(line))
  const batches = await pullRemittances(context, connection)
  for (const { id } of batches.slice(0, READ_MAX)) {
    signal?.throwIfAborted()
    const known = await findRemittance(context.sql, remittanceKeyOf(connection, id))
    if (known?.state === 'confirmed') continue
    const { lines } = await fetchRemittance(context, connection, id)
    reports.push(...lines.map((line) => reportOf(line, id)))
  }
  const { applied } = await recordReports(context, connection, reports, 'poller')
  return { parcels: reports.length, changed: applied }
}

const reportOf = ({ trackingId, status, amount, fee }: CashLine, payoutId?: string): IncomingReport => ({
  trackingId,
  at: new Date().toISOString(),
  key: `cash:${status}:${payoutId ?? ''}`,
  cash: { status, ...(amount !== undefined && { amount }), ...(fee !== undefined && { fee }), ...(payoutId !== undefined && { payoutId }) },
})
