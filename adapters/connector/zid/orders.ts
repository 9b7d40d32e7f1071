import {
  AdapterError,
  instant,
  isRow,
  type PullAsked,
  type Pulled,
  present,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readable,
  rows,
  unreadable,
  word,
} from 'serai/connector'
import { LABEL, read, row } from './api.ts'
import type { Context } from './fields.ts'
import { orderOf, UTC } from './order-of.ts'

const PAGE = 10

/**
 * Those that were changed since, newest order first. What is changed while the pages are read may stand before them: the next reading
 * begins before this one did.
 */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const page = cursor === null ? 1 : Number(cursor)
  const answer = await read(context, 'store/orders', { payload_type: 'default', page, per_page: PAGE, ...changedSince(since) })
  if (!Array.isArray(answer.orders)) throw unreadable(LABEL, 'no list of orders')
  const listed = rows(answer.orders).filter((said) => since === null || isNews(said, Date.parse(since)))
  const found: Row[] = []
  for (const said of listed) {
    const whole = isWhole(said) ? said : await viewOf(context, said.id)
    if (whole) found.push(whole)
  }
  return { orders: readable(context, found, orderOf), cursor: answer.orders.length < PAGE ? null : String(page + 1) }
}

export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const said = await viewOf(context, externalId)
  return said ? present({ order: orderOf(said) }) : null
}

const changedSince = (since: string | null) => ({
  order_by: 'created_at',
  sort_by: 'desc',
  ...(since !== null && { date_attribute: 'updated_at', date_from: new Date(since).toISOString().replace('Z', '+0000') }),
})

function isNews({ updated_at: updated }: Row, since: number): boolean {
  const changed = instant(updated, UTC)
  return changed === undefined || Date.parse(changed) >= since
}

/** Lists may leave out goods and places. */
const isWhole = ({ products, shipping }: Row) => Array.isArray(products) && isRow(row(shipping).address)

/** An order as it stands; undefined where it is not there. */
export async function viewOf(context: Context, id: unknown): Promise<Row | undefined> {
  try {
    return row((await read(context, `store/orders/${encodeURIComponent(word(id) ?? '')}/view`)).order)
  } catch (error) {
    if (error instanceof AdapterError && error.reason === 'not_found') return undefined
    throw error
  }
}
