import { CarrierError, type CarrierParcel, type CashBatch, type CashBatchDetail, type CashLine } from 'serai/carrier'
import type { Sandbox } from './fields.ts'
import { allParcels, current, type Kept } from './store.ts'

// Amounts collected on a day (UTC) form one payout when that day is over; a callback can pay out earlier.
const prefix = 'confirmed:'

export async function confirmedPayouts(context: Sandbox): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let after = prefix; ; ) {
    const rows = await context.storage.list(prefix, { after, limit: 1000 })
    for (const { key } of rows) found.add(key.slice(prefix.length))
    if (rows.length < 1000) return found
    after = rows.at(-1)!.key
  }
}

function payoutOf(context: Sandbox, parcel: Kept): string | undefined {
  const { status, at } = current(parcel)
  if (parcel.payout !== undefined || status !== 'delivered') return parcel.payout
  const day = new Date(at).toISOString().slice(0, 10)
  return day < new Date(context.now()).toISOString().slice(0, 10) ? `SBP-${day}` : undefined
}

export function cashOf(context: Sandbox, parcel: Kept, confirmed: ReadonlySet<string>): NonNullable<CarrierParcel['cash']> {
  const payoutId = payoutOf(context, parcel)
  const isCollected = payoutId !== undefined || current(parcel).status === 'delivered'
  if (!isCollected) return { status: 'none' }
  const money = { amount: parcel.shipment.codAmount, fee: parcel.fee }
  if (payoutId === undefined) return { status: 'collected', ...money }
  return { status: confirmed.has(payoutId) ? 'payout_confirmed' : 'paid_out', ...money, payoutId }
}

async function linesByPayout(context: Sandbox): Promise<Map<string | undefined, CashLine[]>> {
  const confirmed = await confirmedPayouts(context)
  const lines = new Map<string | undefined, CashLine[]>()
  for await (const parcel of allParcels(context)) {
    const { status, payoutId } = cashOf(context, parcel, confirmed)
    if (status === 'none') continue
    const { codAmount: amount, reference } = parcel.shipment
    const line = { trackingId: parcel.tracking, reference, amount, fee: parcel.fee, status }
    const others = lines.get(payoutId)
    if (others) others.push(line)
    else lines.set(payoutId, [line])
  }
  return lines
}

export async function preview(context: Sandbox): Promise<CashLine[]> {
  return (await linesByPayout(context)).get(undefined) ?? []
}

async function details(context: Sandbox): Promise<CashBatchDetail[]> {
  const payouts = [...(await linesByPayout(context))].filter(([id]) => id !== undefined)
  return payouts.map(([id, lines]) => ({
    id: id!,
    status: lines[0]!.status,
    amount: total(lines),
    parcels: lines.length,
    lines,
  }))
}

/** Sums in hundredths, to avoid rounding errors. */
const total = (lines: readonly CashLine[]) => lines.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0) / 100

/** Lists payouts. */
export async function batches(context: Sandbox): Promise<CashBatch[]> {
  return (await details(context)).map(({ lines: _, ...head }) => head).sort((a, b) => (a.id < b.id ? 1 : -1))
}

/** Reads one payout with its lines. */
export async function batch(context: Sandbox, id: string): Promise<CashBatchDetail> {
  const found = (await details(context)).find((payout) => payout.id === id)
  if (!found) throw new CarrierError('not_found', `The sandbox made no payout ${id}.`)
  return found
}

export async function confirm(context: Sandbox, id: string): Promise<CashBatch> {
  const { lines: _, ...head } = await batch(context, id)
  await context.storage.add(prefix + id, context.now())
  return { ...head, status: 'payout_confirmed' }
}
