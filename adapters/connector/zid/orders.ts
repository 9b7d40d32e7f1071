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
/** Maximum restarts of one read. */
const BEGUN_MAX = 9

/**
 * Reads orders changed since, newest order first. Orders that change meanwhile may be missed here; the next read starts earlier than this
 * one did. Deletions shift orders forward past the reader, so the previous page is checked for rows behind those that the cursor names.
 * When none of them is found, the read restarts.
 */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const [at = '1', ...before] = cursor?.split(' ') ?? []
  const [page = 1, begun = 0] = at.split('.').map(Number)
  const listed = await pageOf(context, since, page)
  const moved = before.length === 0 || placeIn(listed, before) >= 0 ? [] : await rowsMovedUp(context, since, page - 1, before)
  if (!moved && begun === BEGUN_MAX) throw new AdapterError('refused', `${LABEL} lists other orders each time that it is asked.`)
  if (!moved) return { orders: [], cursor: `1.${begun + 1}` }
  const found: Row[] = []
  for (const said of [...moved, ...listed].filter((one) => since === null || hasChanged(one, Date.parse(since)))) {
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

/** Returns the rows of a page behind those already read; undefined when it has none of these. */
async function rowsMovedUp(context: Context, since: string | null, page: number, before: readonly string[]): Promise<Row[] | undefined> {
  const listed = await pageOf(context, since, page)
  const last = placeIn(listed, before)
  return last < 0 ? undefined : listed.slice(last + 1)
}

/** Position of the last row with one of these ids. */
const placeIn = (listed: readonly Row[], ids: readonly string[]): number => listed.findLastIndex((one) => ids.includes(idOf(one)))

const idOf = ({ id }: Row): string => /^\d{1,20}$/.exec(word(id) ?? '')?.[0] ?? '-'

/** Reads one order; null when it does not exist. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const said = await viewOf(context, externalId)
  return said ? readOrderOf(context, said, reader) : null
}

const changedSince = (since: string | null) => ({
  order_by: 'created_at',
  sort_by: 'desc',
  ...(since !== null && { date_attribute: 'updated_at', date_from: new Date(since).toISOString().replace('Z', '+0000') }),
})

function hasChanged({ updated_at: updated }: Row, since: number): boolean {
  const changed = instant(updated, UTC)
  return changed === undefined || Date.parse(changed) >= since
}

/** Returns true for a row with items and address, which lists may lack. */
const isWhole = ({ products, shipping }: Row) => Array.isArray(products) && isRow(row(shipping).address)

/** Reads an order; undefined when it does not exist. */
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
