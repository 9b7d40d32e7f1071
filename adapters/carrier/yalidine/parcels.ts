import {
  amount,
  type CarrierParcel,
  dayIn,
  pageIn,
  present,
  type Row,
  readable,
  type StatusReport,
  text,
  webAddress,
  word,
  instant as zoned,
} from 'serai/carrier'
import { type Account, all, maxPageSize, page } from './api.ts'
import type { Context } from './fields.ts'
import { delivered, payments, unpaid } from './statuses.ts'

/** Parcels per call. */
export const trackMax = 100

/** Reads a local time, which the carrier writes without a zone. */
export const instant = ({ settings }: Context, value: unknown) => zoned(value, settings.utcOffset)

/** Presents a row as a parcel. Name, phone and address are masked in the answer, so they are ignored. */
function parcelIn(context: Context, row: Row): CarrierParcel | undefined {
  const [trackingId, carrierStatus] = [text(row.tracking), text(row.last_status)]
  const at = instant(context, row.date_last_status) ?? instant(context, row.date_creation)
  if (!trackingId || !carrierStatus || !at) return undefined
  return {
    trackingId,
    carrierStatus,
    at,
    ...present({
      reference: word(row.order_id),
      codAmount: amount(row.price),
      deliveryFee: amount(row.delivery_fee),
      labelUrl: webAddress(row.label),
      stateName: text(row.to_wilaya_name),
      cityName: text(row.to_commune_name),
      cash: cashIn(row),
    }),
  }
}

/** Returns the cash status; undefined when the carrier gives none that is known. */
export function cashIn(row: Row): StatusReport['cash'] {
  const raw = text(row.payment_status)
  const status = raw === unpaid ? (row.last_status === delivered ? 'collected' : 'none') : payments[raw ?? '']
  if (!status) return undefined
  return {
    status,
    ...present({
      amount: status === 'none' ? undefined : amount(row.price),
      fee: deductedFee(row),
      payoutId: word(row.payment_id),
    }),
  }
}

/** Returns the delivery fee when the shop pays it, which the carrier then deducts. */
export const deductedFee = (row: Row) => (row.freeshipping === true || row.freeshipping === 1 ? amount(row.delivery_fee) : undefined)

/** Reads parcels. A single one comes with its history, which costs a call. */
export async function track(account: Account, trackingIds: readonly string[]): Promise<CarrierParcel[]> {
  if (trackingIds.length === 0) return []
  const rows = await all(account, 'parcels/', { tracking: trackingIds.join(',') })
  const parcels = readable(account.context, rows, (row) => parcelIn(account.context, row)).filter(({ trackingId }) =>
    trackingIds.includes(trackingId),
  )
  const [parcel] = parcels
  if (trackingIds.length > 1 || !parcel) return parcels
  return [{ ...parcel, history: await historyOf(account, parcel.trackingId) }]
}

async function historyOf(account: Account, trackingId: string): Promise<StatusReport[]> {
  const rows = await all(account, `histories/${encodeURIComponent(trackingId)}`)
  const steps = readable(account.context, rows, (row) => stepIn(account.context, trackingId, row))
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function stepIn(context: Context, trackingId: string, row: Row): StatusReport | undefined {
  const [carrierStatus, at, reason] = [text(row.status), instant(context, row.date_status), text(row.reason)]
  return carrierStatus && at ? { trackingId, carrierStatus, at, ...(reason !== undefined && { reason }) } : undefined
}

/** Lists parcels, oldest first, so that new ones follow those already read. */
export async function list(account: Account, query: { cursor?: string; limit: number; status?: string; since?: string }) {
  const at = pageIn(query.cursor)
  const found = await page(account, 'parcels/', {
    page: at,
    page_size: Math.min(query.limit, maxPageSize),
    last_status: query.status,
    date_last_status: query.since && daysSince(account.context, query.since),
    order_by: 'date_creation',
    asc: '',
  })
  const rows = readable(account.context, found.rows, (row) => parcelIn(account.context, row))
  return { rows, nextCursor: found.hasMore ? String(at + 1) : null }
}

/** Returns the range of days, in the carrier's time zone. */
function daysSince({ settings, now }: Context, since: string): string {
  return `${dayIn(Date.parse(since), settings.utcOffset)},${dayIn(now(), settings.utcOffset)}`
}
