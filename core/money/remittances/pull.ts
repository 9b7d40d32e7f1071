import { Type as T } from '@sinclair/typebox'
import { CashBatch, CashBatchDetail, CashLine } from '../../../plugins/carrier/model.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import { having } from '../../integrations/connections/calls/having.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import type { Decimal } from '../../lib/money/decimal.ts'
import { type News, recordReports } from '../../logistics/tracking/record-report.ts'
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
const tells = ({ row, mounted }: CarrierConnection) => row.enabled && mounted.carrier.cash !== undefined

/** Takes over which payouts the carrier says there are; without their lines. */
export async function pullPayouts(context: Context, connection: CarrierConnection): Promise<readonly CashBatch[]> {
  if (!tells(connection)) return []
  const batches = await callAdapter(context, connection, (carrier, adapter) => having(carrier, 'cash').cash.batches(adapter), {
    operation: 'cashBatches',
    quota: 'read',
    schema: T.Array(CashBatch),
  })
  const newest = [...new Map(batches.slice(0, BATCHES_MAX).map((batch) => [batch.id, batch])).values()]
  if (newest.length > 0) await saveCarrierHeadings(context.sql, keyOf(connection, ''), newest.map(headingOf))
  return newest
}

/** Takes over a payout of the carrier with its lines, unless it is a sheet of ours or was confirmed here. */
export async function pullPayout(
  context: Context,
  connection: CarrierConnection,
  id: string,
  known: RemittanceRow | undefined,
): Promise<void> {
  if (!tells(connection) || (known && known.source !== 'carrier') || known?.state === 'confirmed') return
  await takePayout(context, connection, id)
}

async function takePayout(context: Context, connection: CarrierConnection, id: string): Promise<CashBatchDetail> {
  const batch = await callAdapter(context, connection, (carrier, adapter) => having(carrier, 'cash').cash.batch(adapter, id), {
    operation: 'cashBatch',
    quota: 'read',
    schema: CashBatchDetail,
  })
  const lines = batch.lines.map(asLine)
  if (lines.length > LINES_MAX) throw unreadable(`A payout of more than ${LINES_MAX} parcels`)
  await transaction(context.sql, async (tx) => {
    const key = keyOf(connection, batch.id)
    await saveCarrierHeadings(tx, key, [headingOf(batch)])
    const held = await lockRemittance(tx, key)
    if (held?.source === 'carrier' && held.state !== 'confirmed') await replaceLines(tx, key, lines)
  })
  return batch
}

const headingOf = ({ id, status, amount, net, parcels, at }: CashBatch): CarrierHeading => ({
  id,
  carrierStatus: status,
  amount: payoutAmount(amount ?? net),
  parcels,
  paidAt: at === undefined || Number.isNaN(Date.parse(at)) ? null : new Date(at).toISOString(),
})

/** What names a payout of this connection. */
export const keyOf = ({ row }: CarrierConnection, id: string): RemittanceKey => ({ projectId: row.projectId, connectionId: row.id, id })

/** Where a carrier tells both what it collected and what arrives, the fee is what lies between: whatever else it calls so, the books have to add up. */
function asLine({ trackingId, reference, ...told }: CashLine): NewLine {
  if (told.amount === undefined && told.net === undefined) throw unreadable(`A line of ${trackingId} without an amount`)
  const exactly = (value: number | undefined) => (value === undefined ? null : lineAmount(value))
  const [amount, fee, net] = [exactly(told.amount), exactly(told.fee), exactly(told.net)]
  const named = { tracking: trackingId, reference: reference ?? null }
  if (amount !== null && net !== null) return { ...named, amount, fee: amount - net, net }
  return { ...named, amount, fee, net: amount !== null && fee !== null ? amount - fee : net }
}

function lineAmount(value: number): Decimal {
  const exact = fromCarrier(value)
  if (exact === null) throw unreadable(`An amount of ${value}`)
  return exact
}

function payoutAmount(value: number | undefined): Decimal {
  const exact = value === undefined ? null : fromCarrier(value, LINES_MAX)
  if (exact === null) throw unreadable(`A payout of ${value}`)
  return exact
}

const unreadable = (what: string) => new AdapterFailure('unavailable', true, `${what} cannot be: the carrier's answer is not taken.`)

/** Takes over what the carrier says of money: what it holds, then its newest payouts that are not confirmed here. */
export async function syncCash(context: Context, connection: CarrierConnection, signal?: AbortSignal) {
  if (!tells(connection)) return { parcels: 0, changed: 0 }
  const { preview } = having(connection.mounted.carrier, 'cash').cash
  const held = preview
    ? await callAdapter(context, connection, (_carrier, adapter) => preview(adapter), {
        operation: 'cashPreview',
        quota: 'read',
        schema: T.Array(CashLine),
        ...(signal && { signal }),
      })
    : []
  const reports = held.map((line) => reportOf(line))
  const batches = await pullPayouts(context, connection)
  for (const { id } of batches.slice(0, READ_MAX)) {
    signal?.throwIfAborted()
    const known = await findRemittance(context.sql, keyOf(connection, id))
    if (known?.state === 'confirmed') continue
    const { lines } = await takePayout(context, connection, id)
    reports.push(...lines.map((line) => reportOf(line, id)))
  }
  const { applied } = await recordReports(context, connection, reports, 'poller')
  return { parcels: reports.length, changed: applied }
}

const reportOf = ({ trackingId, status, amount, fee }: CashLine, payoutId?: string): News => ({
  trackingId,
  at: new Date().toISOString(),
  key: `cash:${status}:${payoutId ?? ''}`,
  cash: { status, ...(amount !== undefined && { amount }), ...(fee !== undefined && { fee }), ...(payoutId !== undefined && { payoutId }) },
})
