import {
  amount,
  CarrierError,
  type CashBatch,
  type CashBatchDetail,
  type CashLine,
  payoutOf,
  present,
  type Row,
  refuse,
  text,
  word,
} from 'serai/carrier'
import { cachedForHost } from './api.ts'
import type { Account } from './fields.ts'
import { page } from './orders.ts'
import { cashStatus } from './statuses.ts'

type Line = CashLine & { readonly payoutId?: string }

// The platform has no endpoint for money, so amounts are read from the rows of orders. Each page is cached for ten minutes: a list longer
// than a minute's quota can resume, and further payouts cost no calls.
const KEPT_MS = 10 * 60_000
const PAGES_MAX = 200

interface Part {
  readonly lines: readonly Line[]
  readonly hasMore: boolean
}

async function linesOf(account: Account): Promise<Line[]> {
  const found = new Map<string, Line>()
  for (let number = 1; number <= PAGES_MAX; number++) {
    const part = await cachedForHost(account, `money:${number}`, () => readPart(account, number), KEPT_MS)
    for (const line of part.lines) found.set(line.trackingId, line)
    if (!part.hasMore) return [...found.values()]
  }
  // A partial payout would be wrong.
  return refuse(
    'too_many_orders',
    'The carrier lists too many orders to add up. Archive paid ones in its panel, or import its payout sheet.',
  )
}

async function readPart(account: Account, number: number): Promise<Part> {
  const { rows, hasMore } = await page(account, { page: number })
  return { lines: rows.flatMap((row) => lineIn(account, row)), hasMore }
}

function lineIn({ context }: Account, row: Row): Line[] {
  const status = cashStatus(String(row.status))
  if (status === undefined) return []
  const [trackingId, collected] = [text(row.tracking), amount(row.montant)]
  if (trackingId === undefined || collected === undefined) {
    context.log('left out an order whose amount cannot be read', { trackingId })
    return []
  }
  const told = { reference: word(row.reference), fee: amount(row.tarif_prestation), payoutId: word(row.payment_id) }
  return [{ trackingId, amount: collected, status, ...present(told) }]
}

const withoutPayout = ({ payoutId: _, ...line }: Line): CashLine => line

/** Lists collected amounts that are in no payout yet. */
export const preview = async (account: Account): Promise<CashLine[]> =>
  (await linesOf(account)).filter(({ payoutId, status }) => payoutId === undefined && status !== 'paid_out').map(withoutPayout)

/** Lists payouts. */
export const batches = async (account: Account): Promise<CashBatch[]> => (await payouts(account)).map(({ lines: _, ...head }) => head)

/** Reads one payout with its lines. */
export async function batch(account: Account, id: string): Promise<CashBatchDetail> {
  const found = (await payouts(account)).find((payout) => payout.id === id)
  if (!found)
    throw new CarrierError('not_found', `${account.company.label} lists no order of payout ${id}; it forgets those that are archived.`)
  return found
}

async function payouts(account: Account): Promise<CashBatchDetail[]> {
  const groups = Map.groupBy(
    (await linesOf(account)).filter(({ payoutId }) => payoutId !== undefined),
    ({ payoutId }) => payoutId!,
  )
  return [...groups].map(([id, members]) => payoutOf(id, members.map(withoutPayout)))
}
