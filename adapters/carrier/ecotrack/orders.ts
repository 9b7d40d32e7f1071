import {
  amount,
  badCursor,
  type CarrierParcel,
  dayIn,
  instant,
  isRow,
  number,
  present,
  type Row,
  readable,
  text,
  unreadable,
  word,
} from 'serai/carrier'
import { call } from './api.ts'
import type { Account } from './fields.ts'
import { listIn } from './geography.ts'

/** Page of `get/orders`: 40 rows of the last 90 days, without archived orders. */
export interface Page {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

interface Search {
  readonly page?: number
  /** Date such as `2026-11-21`, in the carrier's time zone. */
  readonly start_date?: string | undefined
  readonly tracking?: string
}

export async function page(account: Account, search: Search): Promise<Page> {
  const value = await call(account, 'get/orders', { query: { ...search } })
  if (!isRow(value)) throw unreadable(account.company.label, 'no page of orders')
  const found = listIn(account, value.data, 'orders')
  const [at, last] = [number(value.current_page) ?? search.page ?? 1, number(value.last_page)]
  return { rows: found, hasMore: last === undefined ? text(value.next_page_url) !== undefined : at < last }
}

/** Reads the row of one order; undefined when it is archived, too old or unknown. */
export async function rowOf(account: Account, trackingId: string): Promise<Row | undefined> {
  const { rows } = await page(account, { tracking: trackingId })
  return rows.find((row) => row.tracking === trackingId)
}

/** Details of a row other than its status and time. */
export const detailsIn = (row: Row): Partial<CarrierParcel> =>
  present({
    reference: word(row.reference),
    codAmount: amount(row.montant),
    deliveryFee: amount(row.tarif_prestation),
    cityName: text(row.commune),
  })

/** Presents a row as a parcel. Rows hold the time of creation, not of the status. */
function parcelIn({ context }: Account, row: Row): CarrierParcel | undefined {
  const [trackingId, carrierStatus, at] = [text(row.tracking), text(row.status), instant(row.created_at, context.settings.utcOffset)]
  return trackingId && carrierStatus && at ? { trackingId, carrierStatus, at, ...detailsIn(row) } : undefined
}

/** Lists parcels. The cursor holds the page and the row in it, because the platform's page size is fixed. */
export async function list(account: Account, query: { cursor?: string; limit: number; status?: string; since?: string }) {
  const [, at, from] = /^(\d{1,9})\.(\d{1,9})$/.exec(query.cursor ?? '1.0') ?? badCursor()
  const [number, first] = [Number(at), Number(from)]
  const { context } = account
  const found = await page(account, { page: number, start_date: query.since && dayIn(Date.parse(query.since), context.settings.utcOffset) })
  const shown = found.rows.slice(first, first + query.limit)
  const parcels = readable(context, shown, (row) => parcelIn(account, row))
  const rows = query.status === undefined ? parcels : parcels.filter(({ carrierStatus }) => carrierStatus === query.status)
  if (first + query.limit < found.rows.length) return { rows, nextCursor: `${number}.${first + query.limit}` }
  return { rows, nextCursor: found.hasMore ? `${number + 1}.0` : null }
}
