import {
  type ExternalOrder,
  instant,
  isRow,
  type Line,
  linesOf,
  money,
  type OrderReader,
  type PullAsked,
  type Pulled,
  present,
  printed,
  quoted,
  type Row,
  readOrders,
  required,
  type StatusPushed,
  text,
  totalOf,
  typed,
  unreadable,
} from 'serai/connector'
import { call } from './api.ts'
import { type Context, label } from './fields.ts'

const statuses = { new: 'open', done: 'fulfilled', cancelled: 'cancelled' } as const

/** Reads one page of orders that changed since a time. */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const query = present({ since: since ?? undefined, cursor: cursor ?? undefined })
  const { value } = await call(context, 'GET', 'orders', { query })
  if (!isRow(value) || !Array.isArray(value.orders)) throw unreadable(label, 'no list of orders')
  return { ...readOrders(context, value.orders, reader), cursor: text(value.next) ?? null }
}

const statusIn = ({ status }: Row) =>
  Object.hasOwn(statuses, String(status)) ? statuses[String(status) as keyof typeof statuses] : undefined
const changedAt = (row: Row) => instant(row.updatedAt, '+00:00')

/** Describes the platform's orders to the toolkit, which reads them. */
export const reader: OrderReader<Row> = {
  identify: (row) => ({ externalId: row.id, number: row.id, status: statusIn(row), updatedAt: changedAt(row) }),
  read: orderIn,
}

/** Reads one order. Throws the reason when it cannot: the order then waits in the inbox. Returns undefined for a draft that is no order yet. */
function orderIn(row: Row): ExternalOrder | undefined {
  const externalId = required(printed(row.id, 200), 'It has no id.')
  const phone = typed(row.phone, 60)
  return {
    externalId,
    number: `#${externalId}`.slice(0, 100),
    status: required(statusIn(row), `Its status is ${quoted(row.status)}, which is not known. Choose another in the shop.`),
    currency: 'DZD',
    customer: { name: typed(row.name, 200), ...(phone && { phone }) },
    address: { state: typed(row.state, 120), city: typed(row.city, 120), address: typed(row.street, 500) },
    items: linesOf(row.items, lineOf),
    total: totalOf(row.total),
    delivery: money(row.delivery) ?? '0',
    updatedAt: required(changedAt(row), 'It has no time of change. Save it once more in the shop.'),
  }
}

const lineOf = ({ name, quantity, price: unitPrice, sku, variant }: Row): Line => ({ name, quantity, unitPrice, sku, variant })

/** Writes an order's status to the shop. It replaces the former value, so a repeated push adds nothing. */
export async function pushStatus(context: Context, { externalId, ...told }: StatusPushed): Promise<void> {
  await call(context, 'PUT', `orders/${encodeURIComponent(externalId)}/parcel`, { json: told })
}
