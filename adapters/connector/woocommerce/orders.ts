import {
  AdapterError,
  assertOrderOf,
  count,
  currencyOf,
  type ExternalOrder,
  instant,
  isRow,
  type Line,
  linesOf,
  money,
  number,
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
  text,
  totalOf,
  typed,
  unreadable,
  word,
} from 'serai/connector'
import { call, LABEL } from './api.ts'
import type { Context } from './fields.ts'
import { PAGE, pageIn, UTC } from './pages.ts'

/**
 * Reads orders, oldest change first. A page begins at the time where the previous one ended, not at a page number: deletions shift no order
 * past the reader, and changed orders come again at the end.
 */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const [, after = since ?? '', skipped = '0'] = /^(\S*) (\d+)$/.exec(cursor ?? '') ?? []
  const offset = Number(skipped)
  const answer = await call(context, 'GET', 'orders', {
    query: {
      per_page: PAGE,
      offset,
      orderby: 'modified',
      order: 'asc',
      dates_are_gmt: true,
      status: 'any',
      ...(after !== '' && { modified_after: after }),
    },
  })
  if (!Array.isArray(answer.value)) throw unreadable(LABEL, 'no list of orders')
  const total = Number(answer.headers.get('x-wp-total') ?? Number.NaN)
  const { taken, next } = pageIn(answer.value as unknown[], { after, offset, total })
  return {
    ...readOrders(context, taken, readerOf(context)),
    cursor: next,
    ...(cursor === null && Number.isInteger(total) && { total }),
  }
}

const closedStatuses: Readonly<Record<string, ShopStatus>> = {
  completed: 'fulfilled',
  cancelled: 'cancelled',
  refunded: 'cancelled',
  failed: 'cancelled',
  trash: 'cancelled',
}

/** WooCommerce's own statuses of open orders. One that the connection does not name is left out until it changes. */
const openStatuses = ['pending', 'processing', 'on-hold', 'checkout-draft', 'auto-draft', 'draft']

/** Returns the status; undefined when it is not an order yet, such as one that awaits payment. */
function statusOf({ settings }: Context, said: string): ShopStatus | undefined {
  const wanted = settings.paidStatuses.split(',').map((status) => status.trim().replace(/^wc-/, ''))
  return Object.hasOwn(closedStatuses, said) ? closedStatuses[said] : wanted.includes(said) ? 'open' : undefined
}

/** Throws for a status that a plugin of the shop added and the connection does not name, since its meaning is unknown. */
function assertKnownStatus(said: string): void {
  if (!openStatuses.includes(said))
    throw new OrderProblem(
      `Its status “${said}” is not one of WooCommerce's. Add it to “Statuses that become orders here” of the connection, or change it in the shop.`,
    )
}

const statusTextIn = (row: Row) => text(row.status)?.replace(/^wc-/, '')
const changedAt = (row: Row) => instant(row.date_modified_gmt ?? row.date_created_gmt, UTC)

/** Reads one order; null when it does not exist. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  try {
    const { value } = await call(context, 'GET', `orders/${encodeURIComponent(externalId)}`)
    if (!isRow(value)) throw unreadable(LABEL, 'no order')
    assertOrderOf(LABEL, value.id, externalId)
    return readOrderOf(context, value, readerOf(context))
  } catch (error) {
    if (error instanceof AdapterError && error.reason === 'not_found') return null
    throw error
  }
}

/** Builds the reader of orders, with the settings of the connection. */
export const readerOf = (context: Context): OrderReader<unknown> => ({
  identify: (said) => {
    const row = isRow(said) ? said : {}
    return { externalId: row.id, number: row.number, status: statusOf(context, statusTextIn(row) ?? ''), updatedAt: changedAt(row) }
  },
  read: (said) => orderIn(context, said),
})

/** Presents an order; undefined when it is not an order yet. Throws `OrderProblem`. */
function orderIn(context: Context, row: unknown): ExternalOrder | undefined {
  if (!isRow(row)) throw new OrderProblem('It holds nothing.')
  const words = required(statusTextIn(row), 'It has no status. Give it one in the shop.')
  const status = statusOf(context, words)
  if (!status) return Array.isArray(row.line_items) ? void assertKnownStatus(words) : undefined
  const externalId = required(word(row.id), 'It has no id.')
  const [billing, shipping] = [isRow(row.billing) ? row.billing : {}, isRow(row.shipping) ? row.shipping : {}]
  return {
    externalId,
    number: `#${printed(row.number, 99) ?? externalId}`,
    status,
    statusWords: printed(words, 100) ?? status,
    currency: currencyOf(row.currency),
    customer: customerIn(billing, shipping),
    address: addressIn(billing, shipping),
    items: linesOf(row.line_items, lineOf),
    total: totalOf(row.total),
    delivery: money(row.shipping_total) ?? '0',
    ...present({ note: typed(row.customer_note, 2000) || undefined, createdAt: instant(row.date_created_gmt, UTC) }),
    updatedAt: required(changedAt(row), 'It has no time of change. Save it once more in the shop.'),
  }
}

/** Unit price of a line: its total after coupons, divided by its quantity. A total that is no amount stays as it is, for the reason. */
const lineOf = ({ name, quantity, price, total, sku, meta_data: meta }: Row): Line => ({
  name,
  quantity,
  unitPrice: price ?? quotientOf(number(total), count(quantity)) ?? total,
  sku,
  variant: versionIn(meta, name),
})

const quotientOf = (total: number | undefined, pieces: number | undefined) =>
  total === undefined || pieces === undefined ? undefined : total / pieces

/** Chosen attributes that the name does not contain. Private data of plugins is ignored. */
const versionIn = (meta: unknown, name: unknown): string =>
  rows(meta)
    .filter(({ key }) => /^(pa_|attribute_)/.test(text(key) ?? ''))
    .flatMap(({ display_value: shown, value }) => printed(shown ?? value, 60) ?? [])
    .filter((value) => !String(name).includes(value))
    .join(' / ')

/** Returns the shipping field, else the billing one: cash-on-delivery shops often leave shipping empty. */
const addressField = (shipping: Row, billing: Row, name: string, max: number): string =>
  typed(shipping[name], max) || typed(billing[name], max)

function customerIn(billing: Row, shipping: Row): ExternalOrder['customer'] {
  const of = (row: Row) => [typed(row.first_name, 100), typed(row.last_name, 99)].filter(Boolean).join(' ')
  const [first, second] = [typed(billing.phone, 60), typed(shipping.phone, 60)]
  const phones = { phone: first || second || undefined, phoneAlt: first && second && first !== second ? second : undefined }
  return { name: of(shipping) || of(billing), ...present({ ...phones, email: typed(billing.email, 254) || undefined }) }
}

function addressIn(billing: Row, shipping: Row): ExternalOrder['address'] {
  const country = addressField(shipping, billing, 'country', 2)
  const street = ['address_1', 'address_2', 'postcode'].map((name) => addressField(shipping, billing, name, 160)).filter(Boolean)
  return {
    // `DZ-16` is state 16 of the country.
    state: addressField(shipping, billing, 'state', 120).replace(/^[A-Z]{2}-(?=.)/, ''),
    city: addressField(shipping, billing, 'city', 120),
    address: street.join(', '),
    ...(/^[A-Za-z]{2}$/.test(country) && { country }),
  }
}
