import {
  amount,
  CarrierError,
  type CashBatch,
  type CashBatchDetail,
  type CashLine,
  type CashStatus,
  foldName,
  isRow,
  number,
  present,
  type Row,
  readable,
  recalled,
  remember,
  text,
  unreadable,
} from 'serai/carrier'
import { all, call, label, listIn, pageSizeMax } from './api.ts'
import type { Context } from './fields.ts'
import { timeIn } from './parcels.ts'

/** Recent payouts to search, when entries do not name theirs. */
const recent = 3
const pagesMax = 10
const headsMax = 200
const headsForMs = 60_000
const headsKey = 'payouts'
const feeFields = ['weightCost', 'swapCost', 'phoneChangeCost'] as const
const parcelFeeFields = ['deliveryPrice', 'managementFee'] as const

/** Lists entries that are in no payout. */
export async function preview(context: Context): Promise<CashLine[]> {
  const entries = await all(context, 'treasury-transactions')
  const open = entries.filter((entry) => paymentOf(entry) === undefined)
  const isUnmarked = open.length > 0 && open.length === entries.length
  const paid = isUnmarked ? await recentlyPaidParcels(context) : new Set<string>()
  return linesIn(context, open, 'collected').filter(({ trackingId }) => !paid.has(trackingId))
}

/** Returns the payout of an entry, if the entry names it. */
const paymentOf = ({ supplierPaymentId, supplierPayment }: Row) =>
  text(supplierPaymentId) ?? (isRow(supplierPayment) ? text(supplierPayment.id) : undefined)

async function recentlyPaidParcels(context: Context): Promise<Set<string>> {
  const newest = (await batches(context)).slice(0, recent)
  const lines = await Promise.all(newest.map(({ id, status }) => linesOf(context, id, status)))
  return new Set(lines.flat().map(({ trackingId }) => trackingId))
}

/** Lists payouts, newest first. Cached for a minute, so that reading them in a row costs one call each. */
export async function batches(context: Context): Promise<CashBatch[]> {
  const heads = readable(context, await all(context, 'supplier-payment'), (row) => headIn(context, row))
  const ordered = heads.toSorted((a, b) => Date.parse(b.at ?? '') - Date.parse(a.at ?? '') || 0)
  await remember(context, headsKey, ordered.slice(0, headsMax))
  return Promise.all(ordered.map((head) => withAcceptance(context, head)))
}

/** Reads a payout. Its states are not documented: a payout that was not accepted is `payout_ready`. */
function headIn(context: Context, row: Row): CashBatch | undefined {
  const [id, total] = [text(row.id) ?? text(row.referenceId), amount(row.amount)]
  if (id === undefined || total === undefined) return undefined
  const isAccepted = foldName(String(row.status ?? '')) === foldName(context.settings.acceptedStatus)
  const parcels = (number(row.totalParcelsDelivered) ?? 0) + (number(row.totalParcelsCancelled) ?? 0)
  const status: CashStatus = isAccepted ? 'payout_confirmed' : 'payout_ready'
  return { id, status, amount: total, parcels, ...present({ at: timeIn(context, row.createdAt) }) }
}

/** Reads one payout; throws `not_found`. */
async function headOf(context: Context, id: string): Promise<CashBatch> {
  const row = await call(context, 'GET', `supplier-payment/${encodeURIComponent(id)}/details`)
  const head = isRow(row) ? headIn(context, { ...row, id }) : undefined
  if (!head) throw unreadable(label, `no payout ${id}`)
  return head
}

/** Reads one payout with its lines. */
export async function batch(context: Context, id: string): Promise<CashBatchDetail> {
  const known = (await recalled<CashBatch[]>(context, headsKey, { forMs: headsForMs }))?.find((head) => head.id === id)
  const head = await withAcceptance(context, known ?? (await headOf(context, id)))
  return { ...head, lines: await linesOf(context, id, head.status) }
}

async function linesOf(context: Context, id: string, status: CashStatus): Promise<CashLine[]> {
  const entries: Row[] = []
  for (let pageNumber = 1; pageNumber <= pagesMax; pageNumber++) {
    const query = { pageNumber, pageSize: pageSizeMax }
    const value = await call(context, 'GET', `treasury-transactions/by-supplier-payment/${encodeURIComponent(id)}`, { query })
    entries.push(...listIn(value, 'treasury transactions'))
    if (!isRow(value) || value.hasNext !== true) break
  }
  return linesIn(context, entries, status)
}

interface Entry {
  readonly trackingId: string
  readonly booked: number
  /** Costs of this entry. */
  readonly costs: readonly number[]
  readonly parcel: Row
}

function entryIn(row: Row): Entry | undefined {
  const parcel = isRow(row.parcel) ? row.parcel : {}
  const [trackingId, booked] = [text(parcel.trackingNumber), number(row.amount)]
  if (!trackingId || booked === undefined) return undefined
  // A debit collects nothing; its amount is a cost.
  return { trackingId, booked, costs: booked < 0 ? [-booked] : amountsIn(row, feeFields), parcel }
}

/** Groups entries into one line per parcel. */
const linesIn = (context: Context, entries: readonly Row[], status: CashStatus): CashLine[] =>
  [...Map.groupBy(readable(context, entries, entryIn), ({ trackingId }) => trackingId)].map(([trackingId, own]) => {
    const credits = own.filter(({ booked }) => booked >= 0)
    const { parcel } = own[0]!
    // The parcel's own cost is repeated on each of its entries.
    const costs = [...own.flatMap((entry) => entry.costs), ...(credits.length > 0 ? amountsIn(parcel, parcelFeeFields) : [])]
    const told = { reference: text(parcel.externalId), fee: costs.length === 0 ? undefined : sumOf(costs) }
    return { trackingId, amount: sumOf(credits.map(({ booked }) => booked)), status, ...present(told) }
  })

const amountsIn = (row: Row, fields: readonly string[]) => fields.map((field) => amount(row[field])).filter((part) => part !== undefined)

/** Sums in centimes, to stay exact. */
const sumOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + Math.round(part * 100), 0) / 100

const acceptedKey = (id: string) => `accepted:${id}`

/** Applies an acceptance that was made here, whatever state the carrier shows. */
async function withAcceptance({ storage }: Context, head: CashBatch): Promise<CashBatch> {
  return (await storage.get(acceptedKey(head.id))) === true ? { ...head, status: 'payout_confirmed' } : head
}

/** Accepts the payout at the carrier. */
export async function confirm(context: Context, id: string): Promise<CashBatch> {
  await call(context, 'PUT', `supplier-payment/${encodeURIComponent(id)}`, { json: {} })
  await context.storage.set(acceptedKey(id), true)
  const head = await headOf(context, id).catch((error: unknown) => {
    throw new CarrierError('unavailable', `${label} accepted the payout ${id}, but does not show it.`, {}, { cause: error })
  })
  return withAcceptance(context, head)
}
