import {
  type ExternalItem,
  type ExternalOrder,
  instant,
  isRow,
  money,
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
  text,
  typed,
  word,
} from 'serai/connector'
import { graphql, pageIn, row } from './api.ts'
import type { Context } from './fields.ts'

const PAGE = 25
const UTC = '+00:00'
const DAY_MS = 86_400_000

/** Without a format its times are told as people tell them: three days ago. */
const FIELDS = `id _id name email phone total shipping currency financial_status fulfillment_status cancelled_at test notes
  created_at(format: "YYYY-MM-DDTHH:mm:ssZ") updated_at(format: "YYYY-MM-DDTHH:mm:ssZ")
  customer { full_name email phone } items { id title sku price } shipping_address { first_name last_name line1 line2 city state country zip phone }`
const LIST = `query ($query: String!, $first: Int!, $after: String) { orders(query: $query, first: $first, after: $after) {
  edges { node { ${FIELDS} } } pageInfo { hasNextPage endCursor } } }`
const ONE = `query ($id: ID!) { node(id: $id) { ... on Order { ${FIELDS} } } }`

/** Newest order first, for as long as orders are read again. Of those, the ones that changed since. */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const variables = { query: 'order_by:id order_dir:desc', first: PAGE, after: cursor }
  const { orders } = await graphql(context, LIST, variables, { readsOnly: true })
  const { found, cursor: next } = pageIn(orders, 'orders')
  const from = since === null ? 0 : Date.parse(since) - context.settings.readDays * DAY_MS
  const recent = found.filter((one) => madeAt(one) >= from)
  const news = recent.filter((one) => isReal(one) && (since === null || isNews(one, Date.parse(since))))
  const isOver = found.length > 0 && recent.length === 0
  return { orders: readable(context, news, (one) => orderIn(context, one)), cursor: isOver ? null : next }
}

export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const { node } = await graphql(context, ONE, { id: externalId }, { readsOnly: true })
  if (!isRow(node)) return null
  return present({ order: isReal(node) ? orderIn(context, node) : undefined })
}

/** The owner tries out funnels of his own. */
const isReal = ({ test }: Row) => test !== true
/** One whose time cannot be read is never too old. */
const madeAt = ({ created_at: made }: Row) => Date.parse(instant(made, UTC) ?? '9999-01-01')
/** One that does not say when it changed may have changed. */
const isNews = ({ updated_at: changed }: Row, since: number) => Date.parse(instant(changed, UTC) ?? '9999-01-01') >= since

function statusOf({ cancelled_at: cancelled, fulfillment_status: fulfilment, financial_status: paid }: Row): ShopStatus {
  if (text(cancelled) !== undefined || paid === 'refunded') return 'cancelled'
  return fulfilment === 'fulfilled' ? 'fulfilled' : 'open'
}

function orderIn(context: Context, said: Row): ExternalOrder | undefined {
  const [externalId, total, currency] = [text(said.id), money(said.total), text(said.currency)?.toUpperCase()]
  const items = itemsIn(rows(said.items))
  if (externalId === undefined || total === undefined || !/^[A-Z]{3}$/.test(currency ?? '') || !items) return undefined
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
    currency: currency ?? '',
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
    items,
    total,
    delivery: money(said.shipping) ?? '0',
    ...present({ note: typed(said.notes, 2000) || undefined, createdAt: instant(said.created_at, UTC) }),
    // Where it does not say when it changed, this is how it stands now.
    updatedAt: instant(said.updated_at, UTC) ?? new Date(context.now()).toISOString(),
  }
}

/** Each piece is a row of its own: those alike are one line. Undefined where a row cannot be read. */
function itemsIn(pieces: readonly Row[]): ExternalItem[] | undefined {
  const lines = new Map<string, ExternalItem>()
  for (const piece of pieces) {
    const [name, unitPrice, sku] = [printed(piece.title, 500), money(piece.price), printed(piece.sku, 80)]
    if (name === undefined || unitPrice === undefined) return undefined
    const key = JSON.stringify([name, sku, unitPrice])
    const quantity = (lines.get(key)?.quantity ?? 0) + 1
    lines.set(key, { name, quantity, unitPrice, ...present({ sku }) })
  }
  return lines.size === 0 || lines.size > 200 ? undefined : [...lines.values()]
}
