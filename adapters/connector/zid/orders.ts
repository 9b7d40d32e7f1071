import {
  AdapterError,
  assertOrderOf,
  instant,
  isRow,
  type PullAsked,
  type Pulled,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readOrderOf,
  readOrders,
  unreadable,
  word,
} from 'serai/connector'
import { LABEL, read, row } from './api.ts'
import type { Context } from './fields.ts'
import { reader, UTC } from './order-of.ts'

const PAGE = 10
/** So often a reading is begun anew. */
const BEGUN_MAX = 9

/**
 * Those that were changed since, newest order first. What is changed while the pages are read may stand before them: the next reading
 * begins before this one did. What is thrown away moves the others up, past what was read, and nothing says how many there are: the page before
 * is looked at again for what has come behind its orders, which the cursor names. Where none of them is left, it is begun anew.
 */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const [at = '1', ...before] = cursor?.split(' ') ?? []
  const [page = 1, begun = 0] = at.split('.').map(Number)
  const listed = await pageOf(context, since, page)
  const moved = before.length === 0 || placeIn(listed, before) >= 0 ? [] : await movedUp(context, since, page - 1, before)
  if (!moved && begun === BEGUN_MAX) throw new AdapterError('refused', `${LABEL} lists other orders each time that it is asked.`)
  if (!moved) return { orders: [], cursor: `1.${begun + 1}` }
  const found: Row[] = []
  for (const said of [...moved, ...listed].filter((one) => since === null || isNews(one, Date.parse(since)))) {
    const whole = isWhole(said) ? said : await viewOf(context, said.id)
    if (whole) found.push(whole)
  }
  const next = [`${page + 1}.${begun}`, ...listed.map(idOf)].join(' ')
  return { ...readOrders(context, found, reader), cursor: listed.length < PAGE ? null : next }
}

async function pageOf(context: Context, since: string | null, page: number): Promise<Row[]> {
  const { orders } = await read(context, 'store/orders', { payload_type: 'default', page, per_page: PAGE, ...changedSince(since) })
  if (!Array.isArray(orders)) throw unreadable(LABEL, 'no list of orders')
  return orders.map(row)
}

/** What stands behind those that were read of a page; undefined where it has none of them any more. */
async function movedUp(context: Context, since: string | null, page: number, before: readonly string[]): Promise<Row[] | undefined> {
  const listed = await pageOf(context, since, page)
  const last = placeIn(listed, before)
  return last < 0 ? undefined : listed.slice(last + 1)
}

/** Of the last that is one of these. */
const placeIn = (listed: readonly Row[], ids: readonly string[]): number => listed.findLastIndex((one) => ids.includes(idOf(one)))

const idOf = ({ id }: Row): string => /^\d{1,20}$/.exec(word(id) ?? '')?.[0] ?? '-'

export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const said = await viewOf(context, externalId)
  return said ? readOrderOf(context, said, reader) : null
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
    const found = row((await read(context, `store/orders/${encodeURIComponent(word(id) ?? '')}/view`)).order)
    assertOrderOf(LABEL, found.id, word(id) ?? '')
    return found
  } catch (error) {
    if (error instanceof AdapterError && error.reason === 'not_found') return undefined
    throw error
  }
}
