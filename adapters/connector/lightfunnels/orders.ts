import {
  currencyOf,
  type ExternalItem,
  type ExternalOrder,
  instant,
  isRow,
  LINES_MAX,
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
  type ShopStatus,
  text,
  totalOf,
  typed,
  word,
} from 'serai/connector'
import { graphql, pageIn, row } from './api.ts'
import type { Context } from './fields.ts'

const PAGE = 25
const PIECES_MAX = 2_000
const UTC = '+00:00'
const DAY_MS = 86_400_000

/** Fields of an order. Without a format, times come as text such as "3 days ago". */
const FIELDS = `id _id name email phone total shipping currency financial_status fulfillment_status cancelled_at test notes
  created_at(format: "YYYY-MM-DDTHH:mm:ssZ") updated_at(format: "YYYY-MM-DDTHH:mm:ssZ")
  customer { full_name email phone } items { id title sku price } shipping_address { first_name last_name line1 line2 city state country zip phone }`
const LIST = `query ($query: String!, $first: Int!, $after: String) { orders(query: $query, first: $first, after: $after) {
  edges { node { ${FIELDS} } } pageInfo { hasNextPage endCursor } } }`
const ONE = `query ($id: ID!) { node(id: $id) { ... on Order { ${FIELDS} } } }`

/** Reads orders, newest first, up to the age at which orders are no longer read again. Returns those that changed since. */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const variables = { query: 'order_by:id order_dir:desc', first: PAGE, after: cursor }
  const { orders } = await graphql(context, LIST, variables, { readsOnly: true })
  const { found, cursor: next } = pageIn(orders, 'orders')
  const from = since === null ? 0 : Date.parse(since) - context.settings.readDays * DAY_MS
  const recent = found.filter((one) => madeAt(one) >= from)
  const news = recent.filter((one) => isReal(one) && (since === null || hasChanged(one, Date.parse(since))))
  const isOver = found.length > 0 && recent.length === 0
  return { ...readOrders(context, news, readerOf(context)), cursor: isOver ? null : next }
}

/** Reads one order; null when it does not exist. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const { node } = await graphql(context, ONE, { id: externalId }, { readsOnly: true })
  if (!isRow(node)) return null
  return isReal(node) ? readOrderOf(context, node, readerOf(context)) : {}
}

/** Returns false for test orders of the shop's owner. */
const isReal = ({ test }: Row) => test !== true
/** Time of creation, in ms; unreadable times count as new. */
const madeAt = ({ created_at: made }: Row) => Date.parse(instant(made, UTC) ?? '9999-01-01')
/** Returns true when the order changed since then, or does not say. */
const hasChanged = ({ updated_at: changed }: Row, since: number) => Date.parse(instant(changed, UTC) ?? '9999-01-01') >= since

function statusOf({ cancelled_at: cancelled, fulfillment_status: fulfilment, financial_status: paid }: Row): ShopStatus {
  if (text(cancelled) !== undefined || paid === 'refunded') return 'cancelled'
  return fulfilment === 'fulfilled' ? 'fulfilled' : 'open'
}

const readerOf = (context: Context): OrderReader<Row> => ({
  identify: (said) => ({ externalId: said.id, number: said.name, status: statusOf(said), updatedAt: instant(said.updated_at, UTC) }),
  read: (said) => orderIn(context, said),
})

/** Presents an order; throws `OrderProblem`. */
function orderIn(context: Context, said: Row): ExternalOrder {
  const externalId = required(text(said.id), 'It has no id.')
  const [customer, address] = [row(said.customer), row(said.shipping_address)]
  const name = [address.first_name, address.last_name]
    .map((part) => typed(part, 99))
    .filter(Boolean)
    .join(' ')
  const phones = [...new Set([address.phone, said.phone, customer.phone].map((phone) => typed(phone, 60)).filter(Boolean))]
  const country = word(address.country) ?? ''
  return {
    externalId,
    number: printed(said.name, 100) ?? `#${word(said._id) ?? externalId}`,
    status: statusOf(said),
    statusWords: printed(said.financial_status, 100) ?? 'pending',
    currency: currencyOf(said.currency),
    customer: {
      name: name || typed(customer.full_name, 200),
      ...present({ phone: phones[0], phoneAlt: phones[1], email: typed(said.email ?? customer.email, 254) || undefined }),
    },
    address: {
      state: typed(address.state, 120),
      city: typed(address.city, 120),
      address: [address.line1, address.line2, address.zip]
        .map((line) => typed(line, 160))
        .filter(Boolean)
        .join(', '),
      ...(/^[A-Za-z]{2}$/.test(country) && { country }),
    },
    items: piecesIn(linesOf(said.items, lineOf, { most: PIECES_MAX })),
    total: totalOf(said.total),
    delivery: money(said.shipping) ?? '0',
    ...present({ note: typed(said.notes, 2000) || undefined, createdAt: instant(said.created_at, UTC) }),
    // Without a time of change, the time of reading is used.
    updatedAt: instant(said.updated_at, UTC) ?? new Date(context.now()).toISOString(),
  }
}

/** The platform writes each unit as its own row. */
const lineOf = ({ title: name, price: unitPrice, sku, quantity = 1 }: Row): Line => ({ name, unitPrice, sku, quantity })

/** Merges equal rows into one line; throws `OrderProblem` when there are too many lines. */
function piecesIn(pieces: readonly ExternalItem[]): ExternalItem[] {
  const lines = new Map<string, ExternalItem>()
  for (const { quantity, lineTotal: _, ...piece } of pieces) {
    const key = JSON.stringify([piece.name, piece.sku, piece.unitPrice])
    lines.set(key, { ...piece, quantity: (lines.get(key)?.quantity ?? 0) + quantity })
  }
  if (lines.size > LINES_MAX)
    throw new OrderProblem(`It has ${lines.size} lines; at most ${LINES_MAX} are allowed. Divide it into several orders in the shop.`)
  return [...lines.values()]
}
