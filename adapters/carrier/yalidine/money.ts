import {
  amount,
  CarrierError,
  type CashBatch,
  type CashBatchDetail,
  type CashLine,
  payoutOf,
  present,
  type Row,
  readable,
  text,
  word,
} from 'serai/carrier'
import { type Account, all, maxPageSize } from './api.ts'
import { cashIn, deductedFee } from './parcels.ts'
import { delivered, payments, unpaid } from './statuses.ts'

// The carrier has no finance endpoints: amounts are read from the parcels, and a payout is all parcels with one payment_id.
const fields = 'tracking,order_id,price,delivery_fee,freeshipping,last_status,payment_status,payment_id'
const maxPages = 10
const maxRows = maxPages * maxPageSize

export const preview = async (account: Account): Promise<CashLine[]> => {
  const rows = await parcels(account, { last_status: delivered, payment_status: [unpaid, ...awaited].join(',') })
  return readable(
    account.context,
    rows.filter((row) => payoutId(row) === undefined),
    lineIn,
  )
}

const awaited = Object.keys(payments).filter((raw) => payments[raw] === 'payout_ready')

/** Lists payouts. */
export async function batches(account: Account): Promise<CashBatch[]> {
  return (await payouts(account)).map(({ lines: _, ...head }) => head)
}

/** Reads one payout with its lines. */
export async function batch(account: Account, id: string): Promise<CashBatchDetail> {
  const found = (await payouts(account)).find((payout) => payout.id === id)
  if (!found) throw new CarrierError('not_found', `${account.company.label} shows no payout ${id}.`)
  return found
}

async function payouts(account: Account): Promise<CashBatchDetail[]> {
  const rows = await parcels(account, { payment_status: Object.keys(payments).join(',') })
  // Payouts on the last page of a truncated list may be incomplete, so they are left out.
  const cutShort = new Set(rows.length < maxRows ? [] : rows.slice(-maxPageSize).map(payoutId))
  // Returned parcels are in a payout too, for their fee. They are left out: nothing was collected, and the fee is not published.
  const groups = Map.groupBy(
    rows.filter((row) => row.last_status === delivered),
    payoutId,
  )
  return [...groups].flatMap(([id, members]) =>
    id === undefined || cutShort.has(id) ? [] : [payoutOf(id, readable(account.context, members, lineIn))],
  )
}

const payoutId = (row: Row) => word(row.payment_id)

const parcels = (account: Account, filter: Readonly<Record<string, string>>): Promise<Row[]> =>
  all(account, 'parcels/', { ...filter, fields, order_by: 'date_last_status', desc: '' }, maxPages)

function lineIn(row: Row): CashLine | undefined {
  const [trackingId, price, cash] = [text(row.tracking), amount(row.price), cashIn(row)]
  if (!trackingId || price === undefined || !cash) return undefined
  return { trackingId, amount: price, status: cash.status, ...present({ reference: word(row.order_id), fee: deductedFee(row) }) }
}
