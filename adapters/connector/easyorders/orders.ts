import {
  AdapterError,
  assertOrderOf,
  type ExternalOrder,
  instant,
  isRow,
  type Line,
  linesOf,
  money,
  OrderProblem,
  type OrderReader,
  type PullAsked,
  type Pulled,
  present,
  printed,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readOrderOf,
  readOrders,
  required,
  rows,
  type ShopStatus,
  totalOf,
  typed,
  unreadable,
  word,
} from 'serai/connector'
import { call, LABEL, row, rowsIn } from './api.ts'
import type { Context } from './fields.ts'
import { noteStore } from './store.ts'

const PAGE = 50
const UTC = '+00:00'

/**
 * Reads orders, oldest change first. A page begins at the time where the previous one ended, not at a page number: deletions shift no order
 * past the reader, and changed orders come again at the end.
 */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  if (context.settings.listOrders === 'off') return { orders: [], cursor: null }
  const [, from = since ?? '', at = '1'] = /^(\S*) (\d+)$/.exec(cursor ?? '') ?? []
  const page = Number(at)
  const filter = from === '' ? undefined : `updated_at||gte||${from}`
  const { value } = await call(context, 'GET', 'orders', { query: { limit: PAGE, page, sort: 'updated_at,ASC', filter } })
  const found = rowsIn(value)
  if (!found) throw unreadable(LABEL, 'no list of orders')
  await noteStore(context, row(found[0]).store_id)
  const { taken, next } = pageIn(found, { from, page })
  return { ...readOrders(context, taken, readerOf(context)), cursor: next }
}

const changedAt = (one: unknown): string | undefined => instant(row(one).updated_at, UTC)

/**
 * Returns the orders to keep, and the cursor. Orders of the last moment are left to the next page, since this one may not hold all of them.
 */
function pageIn(found: readonly unknown[], { from, page }: { readonly from: string; readonly page: number }) {
  if (found.length < PAGE) return { taken: found, next: null }
  const end = changedAt(found.at(-1))
  const taken = found.filter((one) => changedAt(one) !== end)
  const goesOn = end !== undefined && Date.parse(end) > (from === '' ? 0 : Date.parse(from))
  // Pages by number when orders have no time of change, or all changed at once.
  return goesOn && taken.length > 0 ? { taken, next: `${end} 1` } : { taken: found, next: `${from} ${page + 1}` }
}

/** Reads one order; null when it does not exist. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const said = await findOrder(context, externalId)
  if (said) await noteStore(context, said.store_id)
  return said && readOrderOf(context, said, readerOf(context))
}

/** Reads an order as the platform writes it; null when it does not exist. */
export async function findOrder(context: Context, externalId: string): Promise<Row | null> {
  try {
    const { value } = await call(context, 'GET', `orders/${encodeURIComponent(externalId)}`)
    if (!isRow(value)) throw unreadable(LABEL, 'no order')
    const found = isRow(value.data) ? value.data : value
    assertOrderOf(LABEL, found.id, externalId)
    return found
  } catch (error) {
    if (error instanceof AdapterError && error.reason === 'not_found') return null
    throw error
  }
}

/** Statuses; others are open. Undefined marks a checkout that is not an order yet. */
const statuses: Readonly<Record<string, ShopStatus | undefined>> = {
  pending_payment: undefined,
  paid_failed: undefined,
  in_delivery: 'fulfilled',
  delivered: 'fulfilled',
  canceled: 'cancelled',
  returning_from_delivery: 'cancelled',
  request_refund: 'cancelled',
  refund_in_progress: 'cancelled',
  refunded: 'cancelled',
}

const statusTextIn = ({ status }: Row) => printed(status, 100) ?? 'pending'
const statusIn = (said: Row): ShopStatus | undefined => {
  const words = statusTextIn(said)
  return Object.hasOwn(statuses, words) ? statuses[words] : 'open'
}

const readerOf = (context: Context): OrderReader<unknown> => ({
  identify: (said) => {
    const one = row(said)
    return { externalId: one.id, number: numberIn(one), status: statusIn(one), updatedAt: instant(one.updated_at, UTC) }
  },
  read: (said) => orderIn(context, said),
})

const numberIn = ({ short_id: short, id }: Row) => `#${printed(short, 99) ?? word(id)?.slice(0, 8) ?? ''}`

/** Presents an order; undefined when it is not an order yet. Throws `OrderProblem`. */
function orderIn(context: Context, said: unknown): ExternalOrder | undefined {
  if (!isRow(said)) throw new OrderProblem('It holds nothing.')
  const status = statusIn(said)
  if (status === undefined) return undefined
  return {
    externalId: required(word(said.id), 'It has no id.'),
    number: numberIn(said),
    status,
    statusWords: statusTextIn(said),
    currency: context.settings.currency,
    customer: { name: typed(said.full_name, 200), ...present({ phone: typed(said.phone, 60) || undefined }) },
    // The platform has no field for the city, so it is resolved from the address here.
    address: { state: typed(said.government, 120), city: '', address: typed(said.address, 500) },
    items: linesOf(said.cart_items, lineOf),
    total: totalOf(said.total_cost),
    delivery: money(said.shipping_cost) ?? '0',
    ...present({ createdAt: instant(said.created_at, UTC) }),
    updatedAt: instant(said.updated_at, UTC) ?? new Date(context.now()).toISOString(),
  }
}

function lineOf({ price, quantity, product: sold, variant }: Row): Line {
  const { name, sku } = row(sold)
  const version = rows(row(variant).variation_props).map(({ variation_prop: value }) => printed(value, 60))
  return { name, quantity, unitPrice: price, sku, variant: version.filter(Boolean).join(' / ') }
}
