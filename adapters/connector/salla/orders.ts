import {
  AdapterError,
  assertOrderOf,
  type PullAsked,
  type Pulled,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readOrderOf,
  readOrders,
  rows,
  text,
  unreadable,
  word,
} from 'serai/connector'
import { call, hasMore, LABEL, row, totalIn } from './api.ts'
import type { Context } from './fields.ts'
import { type Place, readerOf, type Whole } from './order-of.ts'
import { isUnfinished } from './statuses.ts'
import { timeIn } from './times.ts'

/** Orders per page. Lists lack items and addresses: each order takes up to three more calls, and the smallest plan has 120 a minute. */
const PAGE = 10
/** Errors that end a page early and are retried later. */
const LATER: ReadonlySet<string> = new Set(['rate_limited', 'unavailable'])
/** Age up to which an order without a time of change is read again. */
const WATCHED_MS = 60 * 86_400_000

/**
 * Reads orders, newest change first: orders changed meanwhile move to the front, so none is skipped. Deletions shift the others forward;
 * when the total drops, the position goes back by the difference. The cursor holds the position and the total.
 */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const [position = 0, before = 0] = (cursor ?? '0 0').split(' ').map(Number)
  const page = Math.floor(position / PAGE) + 1
  const answer = await call(context, 'GET', 'orders', { query: { page, per_page: PAGE, sort_by: 'updated_at-desc' } })
  if (!Array.isArray(answer.data)) throw unreadable(LABEL, 'no list of orders')
  const total = totalIn(answer) ?? before
  if (total < before) return { orders: [], cursor: `${Math.max(0, position - (before - total))} ${total}` }
  const from = since === null ? null : Date.parse(since)
  const listed = (answer.data as unknown[]).slice(position % PAGE)
  const { found, read, news } = await readOrdersOf(context, listed, from)
  const orders = readOrders(context, found, readerOf(context))
  const next = `${position + read} ${total}`
  if (read < listed.length) return { ...orders, cursor: next }
  const isOver = listed.length === 0 || (from !== null && news === 0)
  return { ...orders, cursor: !isOver && hasMore(answer, page) ? next : null }
}

/** Reads as many orders as the quota allows. The next read continues after them. */
async function readOrdersOf(context: Context, listed: readonly unknown[], from: number | null) {
  const found: Whole[] = []
  let [read, news] = [0, 0]
  try {
    for (const one of listed) {
      const said = await detailsOf(context, word(row(one).id))
      // An order deleted meanwhile tells nothing about the age of the next ones, so reading continues.
      const isNew = !said || from === null || hasChanged(said, from)
      if (said && isNew && !isUnfinished(context, said)) found.push(await wholeOf(context, said))
      if (isNew) news += 1
      read += 1
    }
  } catch (error) {
    if (read === 0 || !(error instanceof AdapterError) || !LATER.has(error.reason)) throw error
  }
  return { found, read, news }
}

function hasChanged(said: Row, from: number): boolean {
  const [changed, made] = [timeIn(said.updated_at), timeIn(said.date)]
  if (changed !== undefined) return Date.parse(changed) >= from
  return made === undefined || Date.parse(made) >= from - WATCHED_MS
}

/** Reads one order; null when it does not exist. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const said = await detailsOf(context, externalId)
  if (!said) return null
  return isUnfinished(context, said) ? {} : readOrderOf(context, await wholeOf(context, said), readerOf(context))
}

/** Reads an order without its items; undefined when it does not exist. */
export async function detailsOf(context: Context, id: string | undefined): Promise<Row | undefined> {
  if (id === undefined || !/^\d{1,20}$/.test(id)) return undefined
  const answer = await undefinedIfMissing(call(context, 'GET', `orders/${id}`, { query: { format: 'light' } }))
  if (!answer) return undefined
  const found = row(answer.data)
  assertOrderOf(LABEL, found.id, id)
  return found
}

/** Adds the items and the destination, which only older apps receive with the order. */
async function wholeOf(context: Context, said: Row): Promise<Whole> {
  const shipping = row(said.shipping)
  const [items, place] = await Promise.all([
    said.items === undefined ? itemsOf(context, said) : said.items,
    shipping.address === undefined ? shipmentPlace(context, said) : placeOnOrder(shipping),
  ])
  return { said, items, place }
}

async function itemsOf(context: Context, { id }: Row): Promise<unknown> {
  const answer = await undefinedIfMissing(call(context, 'GET', 'orders/items', { query: { order_id: word(id) } }))
  return answer?.data
}

/** Reads the destination from the shipments. That of a return is an origin, so it is ignored. */
async function shipmentPlace(context: Context, { id }: Row): Promise<Place> {
  const answer = await undefinedIfMissing(call(context, 'GET', 'shipments', { query: { order_id: word(id) } }))
  const parcels = rows(answer?.data).filter(({ type }) => type !== 'return')
  const parcel = parcels.find(({ status }) => status !== 'cancelled') ?? parcels[0]
  const to = row(parcel?.ship_to)
  const { name, phone, country, city, region, address_line: line, short_address: short } = to
  return { name, phone, country, city, state: row(region).name, street: text(line) ? [line, short] : [...streetIn(to), short] }
}

function placeOnOrder({ receiver, address }: Row): Place {
  const [{ name, phone }, to] = [row(receiver), row(address)]
  const line = text(to.shipping_address)
  return { name, phone, country: to.country_code ?? to.country, city: to.city, street: line ? [line] : streetIn(to) }
}

const streetIn = ({ street_number: street, block, postal_code: code }: Row) => [street, block, code]

async function undefinedIfMissing(answer: Promise<Row>): Promise<Row | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof AdapterError && error.reason === 'not_found') return undefined
    throw error
  }
}
