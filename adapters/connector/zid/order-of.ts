import {
  currencyOf,
  type ExternalOrder,
  fromMinor,
  instant,
  type Line,
  linesOf,
  money,
  number,
  type OrderReader,
  present,
  printed,
  quoted,
  type Row,
  required,
  rows,
  type ShopStatus,
  text,
  typed,
  word,
} from 'serai/connector'
import { row } from './api.ts'

export const UTC = '+00:00'

/** Statuses; others are open. */
const closedStatuses: Readonly<Record<string, ShopStatus>> = {
  indelivery: 'fulfilled',
  delivered: 'fulfilled',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  failed: 'cancelled',
  expired: 'cancelled',
  denied: 'cancelled',
  voided: 'cancelled',
  refunded: 'cancelled',
  reversed: 'cancelled',
  reverse_in_progress: 'cancelled',
  processingreverse: 'cancelled',
  chargeback: 'cancelled',
}

const codeIn = ({ order_status: status }: Row) => text(row(status).code)?.toLowerCase()
const statusOf = (code: string): ShopStatus => (Object.hasOwn(closedStatuses, code) ? (closedStatuses[code] ?? 'open') : 'open')
const changedAt = ({ updated_at: updated }: Row) => instant(updated, UTC)

/** Reader of orders. */
export const reader: OrderReader<Row> = {
  identify: (said) => ({
    externalId: said.id,
    number: `#${word(said.id) ?? ''}`,
    status: statusOf(codeIn(said) ?? ''),
    updatedAt: changedAt(said),
  }),
  read: orderOf,
}

/** Presents an order; throws `OrderProblem`. */
function orderOf(said: Row): ExternalOrder {
  const externalId = required(word(said.id), 'It has no id.')
  const code = required(codeIn(said), 'It has no status. Give it one in the shop.')
  return {
    externalId,
    number: `#${externalId}`.slice(0, 100),
    status: statusOf(code),
    statusWords: printed(code, 100) ?? 'new',
    currency: currencyOf(said.currency_code),
    customer: customerOf(row(said.customer), row(said.consignee)),
    address: addressOf(row(row(said.shipping).address)),
    items: linesOf(said.products, lineOf),
    total: required(
      amountIn(said.order_total),
      `Its total is ${quoted(said.order_total)}; it must be an amount of 0 or more. Correct it in the shop.`,
    ),
    delivery: deliveryIn(row(said.payment)),
    ...present({ note: typed(said.customer_note, 2000).trim() || undefined, createdAt: instant(said.created_at, UTC) }),
    updatedAt: required(changedAt(said), 'It has no time of change. Save it once more in the shop.'),
  }
}

/** Rounds an amount to four decimals, since the platform writes floats. */
const amountIn = (value: unknown): string | undefined => {
  const found = number(value)
  return found === undefined ? undefined : money(found)
}

/** Delivery fee after its discount, from the lines of the invoice. */
function deliveryIn({ invoice }: Row): string {
  const lines = rows(invoice).filter(({ code }) => code === 'shipping' || code === 'shipping_discount')
  const sum = lines.reduce((all, { value }) => all + Math.round((number(value) ?? 0) * 10_000), 0)
  return fromMinor(Math.max(0, sum), 4) ?? '0'
}

/** Returns the consignee if there is one, else the buyer. */
function customerOf(customer: Row, consignee: Row): ExternalOrder['customer'] {
  const [phone, phoneAlt] = new Set([consignee.mobile, customer.mobile].map((mobile) => zoned(typed(mobile, 60).trim())).filter(Boolean))
  return {
    name: typed(consignee.name, 200).trim() || typed(customer.name, 200).trim(),
    ...present({ phone, phoneAlt, email: typed(customer.email, 254) || undefined }),
  }
}

/** Adds the plus to a number; the platform writes the country's code with or without it. */
const zoned = (phone: string) => (/^[1-9]\d{10,14}$/.test(phone) ? `+${phone}` : phone)

function addressOf({ formatted_address: whole, street, district, short_address: short, city, country }: Row): ExternalOrder['address'] {
  const parts = typed(whole, 400).trim() ? [whole, short] : [street, district, short]
  const code = text(row(country).code)
  const line = parts
    .map((part) => typed(part, 400).trim())
    .filter(Boolean)
    .join(', ')
  return {
    state: '',
    city: typed(row(city).name, 120),
    address: typed(line, 500),
    ...present({ country: /^[A-Za-z]{2}$/.test(code ?? '') ? code : undefined }),
  }
}

const lineOf = ({ name, sku, quantity, price: unitPrice }: Row): Line => ({ name, sku, quantity, unitPrice })
