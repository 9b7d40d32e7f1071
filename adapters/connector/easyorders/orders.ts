import {
  AdapterError,
  type ExternalItem,
  type ExternalOrder,
  instant,
  isRow,
  money,
  number,
  type PullAsked,
  type Pulled,
  present,
  printed,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readable,
  rows,
  type ShopStatus,
  typed,
  unreadable,
  word,
} from 'serai/connector'
import { call, LABEL, listed, row } from './api.ts'
import type { Context } from './fields.ts'
import { noteStore } from './store.ts'

const PAGE = 50
const UTC = '+00:00'

/**
 * Oldest change first, and each page from where the one before ended in time, not by its number: what is thrown away meanwhile moves no other
 * past us, and what is changed comes again at the end.
 */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  if (context.settings.listOrders === 'off') return { orders: [], cursor: null }
  const [, from = since ?? '', at = '1'] = /^(\S*) (\d+)$/.exec(cursor ?? '') ?? []
  const page = Number(at)
  const filter = from === '' ? undefined : `updated_at||gte||${from}`
  const { value } = await call(context, 'GET', 'orders', { query: { limit: PAGE, page, sort: 'updated_at,ASC', filter } })
  const found = listed(value)
  if (!found) throw unreadable(LABEL, 'no list of orders')
  await noteStore(context, row(found[0]).store_id)
  const { taken, next } = pageIn(found, { from, page })
  return { orders: readable(context, taken, (one) => orderIn(context, one)), cursor: next }
}

const changedAt = (one: unknown): string | undefined => instant(row(one).updated_at, UTC)

/** What of a page is taken, and where the next one begins: with all of the moment in which this one ends, of which it may not hold all. */
function pageIn(found: readonly unknown[], { from, page }: { readonly from: string; readonly page: number }) {
  if (found.length < PAGE) return { taken: found, next: null }
  const end = changedAt(found.at(-1))
  const taken = found.filter((one) => changedAt(one) !== end)
  const goesOn = end !== undefined && Date.parse(end) > (from === '' ? 0 : Date.parse(from))
  // What does not say when it changed, or changed all at once, is left to the number of the page.
  return goesOn && taken.length > 0 ? { taken, next: `${end} 1` } : { taken: found, next: `${from} ${page + 1}` }
}

export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const said = await findOrder(context, externalId)
  if (said) await noteStore(context, said.store_id)
  return said && present({ order: orderIn(context, said) })
}

/** As the platform writes it; null where it is not there. */
export async function findOrder(context: Context, externalId: string): Promise<Row | null> {
  try {
    const { value } = await call(context, 'GET', `orders/${encodeURIComponent(externalId)}`)
    if (!isRow(value)) throw unreadable(LABEL, 'no order')
    return isRow(value.data) ? value.data : value
  } catch (error) {
    if (error instanceof AdapterError && error.reason === 'not_found') return null
    throw error
  }
}

/** What is not named here is open for us; undefined is no order yet. */
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

/** Undefined where it cannot be read, or is none yet. */
function orderIn(context: Context, said: unknown): ExternalOrder | undefined {
  if (!isRow(said)) return undefined
  const [externalId, total, words] = [word(said.id), money(said.total_cost), printed(said.status, 100) ?? 'pending']
  const status = Object.hasOwn(statuses, words) ? statuses[words] : 'open'
  const items = rows(said.cart_items).map(itemIn)
  if (externalId === undefined || total === undefined || status === undefined) return undefined
  if (items.length === 0 || items.length > 200 || items.includes(undefined)) return undefined
  return {
    externalId,
    number: `#${printed(said.short_id, 99) ?? externalId.slice(0, 8)}`,
    status,
    statusWords: words,
    currency: context.settings.currency,
    customer: { name: typed(said.full_name, 200), ...present({ phone: typed(said.phone, 60) || undefined }) },
    // It knows no cities: what stands in the address is resolved here.
    address: { state: typed(said.government, 120), city: '', address: typed(said.address, 500) },
    items: items.filter((item) => item !== undefined),
    total,
    delivery: money(said.shipping_cost) ?? '0',
    ...present({ createdAt: instant(said.created_at, UTC) }),
    updatedAt: instant(said.updated_at, UTC) ?? new Date(context.now()).toISOString(),
  }
}

function itemIn({ price, quantity: pieces, product: sold, variant }: Row): ExternalItem | undefined {
  const product = row(sold)
  const [name, unitPrice, quantity] = [printed(product.name, 500), money(price), number(pieces)]
  if (name === undefined || unitPrice === undefined || quantity === undefined) return undefined
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > 100_000) return undefined
  const version = rows(row(variant).variation_props).map(({ variation_prop: value }) => printed(value, 60))
  const words = version.filter(Boolean).join(' / ').slice(0, 300)
  return { name, quantity, unitPrice, ...present({ sku: printed(product.sku, 80), variant: words || undefined }) }
}
