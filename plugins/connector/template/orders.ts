import {
  type ExternalOrder,
  instant,
  isRow,
  money,
  number,
  type PullAsked,
  type Pulled,
  present,
  printed,
  type Row,
  readable,
  rows,
  type StatusPushed,
  text,
  typed,
  unreadable,
} from 'serai/connector'
import { call } from './api.ts'
import { type Context, label } from './fields.ts'

const statuses = { new: 'open', done: 'fulfilled', cancelled: 'cancelled' } as const

export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const query = present({ since: since ?? undefined, cursor: cursor ?? undefined })
  const { value } = await call(context, 'GET', 'orders', { query })
  if (!isRow(value) || !Array.isArray(value.orders)) throw unreadable(label, 'no list of orders')
  return { orders: readable(context, rows(value.orders), orderIn), cursor: text(value.next) ?? null }
}

/** Undefined where it cannot be read: it is left out, and hides no other. */
export function orderIn(row: Row): ExternalOrder | undefined {
  const [externalId, updatedAt, total] = [printed(row.id, 200), instant(row.updatedAt, '+00:00'), money(row.total)]
  const status =
    typeof row.status === 'string' && Object.hasOwn(statuses, row.status) ? statuses[row.status as keyof typeof statuses] : undefined
  const items = rows(row.items).map(itemIn)
  if (!externalId || !updatedAt || !total || !status || items.length === 0 || items.includes(undefined)) return undefined
  const phone = typed(row.phone, 60)
  return {
    externalId,
    number: `#${externalId}`.slice(0, 100),
    status,
    currency: 'DZD',
    customer: { name: typed(row.name, 200), ...(phone && { phone }) },
    address: { state: typed(row.state, 120), city: typed(row.city, 120), address: typed(row.street, 500) },
    items: items.filter((item) => item !== undefined),
    total,
    delivery: money(row.delivery) ?? '0',
    updatedAt,
  }
}

function itemIn(row: Row) {
  const [name, quantity, unitPrice] = [printed(row.name, 500), number(row.quantity), money(row.price)]
  if (!name || !unitPrice || quantity === undefined || !Number.isInteger(quantity) || quantity < 1) return undefined
  return { name, quantity, unitPrice, ...present({ sku: printed(row.sku, 80) }) }
}

/** What stands there is replaced: told again, nothing is added. */
export async function pushStatus(context: Context, { externalId, ...told }: StatusPushed): Promise<void> {
  await call(context, 'PUT', `orders/${encodeURIComponent(externalId)}/parcel`, { json: told })
}
