import {
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
  type Row,
  readable,
  rows,
  type ShopStatus,
  text,
  typed,
  unreadable,
  word,
} from 'serai/connector'
import { call, LABEL } from './api.ts'
import type { Context } from './fields.ts'
import { PAGE, pageIn, UTC } from './pages.ts'

/**
 * Oldest change first, and each page from where the one before ended in time, not by its number: what is thrown away meanwhile moves no other
 * past us, and what is changed comes again at the end.
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
    orders: readable(context, taken, (row) => orderIn(context, row)),
    cursor: next,
    ...(cursor === null && Number.isInteger(total) && { total }),
  }
}

const over: Readonly<Record<string, ShopStatus>> = {
  completed: 'fulfilled',
  cancelled: 'cancelled',
  refunded: 'cancelled',
  failed: 'cancelled',
  trash: 'cancelled',
}

/** What is open for us; undefined of what is not an order yet, such as one that waits for its payment. */
function statusOf({ settings }: Context, said: string): ShopStatus | undefined {
  const wanted = settings.paidStatuses.split(',').map((status) => status.trim())
  return over[said] ?? (wanted.includes(said) ? 'open' : undefined)
}

/** An order as the shop writes it; undefined where it cannot be read, or is none yet. */
export function orderIn(context: Context, row: unknown): ExternalOrder | undefined {
  if (!isRow(row)) return undefined
  const [externalId, words] = [word(row.id), text(row.status)?.replace(/^wc-/, '')]
  const status = words === undefined ? undefined : statusOf(context, words)
  const updatedAt = instant(row.date_modified_gmt ?? row.date_created_gmt, UTC)
  const [total, currency] = [money(row.total), text(row.currency)?.toUpperCase()]
  const items = rows(row.line_items).map(itemIn)
  if (externalId === undefined || !status || !updatedAt || total === undefined || !/^[A-Z]{3}$/.test(currency ?? '')) return undefined
  if (items.length === 0 || items.length > 200 || items.includes(undefined)) return undefined
  const [billing, shipping] = [isRow(row.billing) ? row.billing : {}, isRow(row.shipping) ? row.shipping : {}]
  return {
    externalId,
    number: `#${printed(row.number, 99) ?? externalId}`,
    status,
    statusWords: printed(words, 100) ?? status,
    currency: currency ?? '',
    customer: customerIn(billing, shipping),
    address: addressIn(billing, shipping),
    items: items.filter((item) => item !== undefined),
    total,
    delivery: money(row.shipping_total) ?? '0',
    ...present({ note: typed(row.customer_note, 2000) || undefined, createdAt: instant(row.date_created_gmt, UTC) }),
    updatedAt,
  }
}

function itemIn(row: Row): ExternalItem | undefined {
  const [name, quantity] = [printed(row.name, 500), number(row.quantity)]
  if (name === undefined || quantity === undefined || !Number.isInteger(quantity) || quantity < 1 || quantity > 100_000) return undefined
  // What was paid for a line, over its pieces: coupons are in it.
  const unitPrice = money(row.price) ?? money((number(row.total) ?? Number.NaN) / quantity)
  return unitPrice === undefined ? undefined : { name, quantity, unitPrice, ...present({ sku: printed(row.sku, 80) }) }
}

/** Shops that ask for cash leave the address of delivery empty: then that of the bill counts. */
const filled = (shipping: Row, billing: Row, name: string, max: number): string => typed(shipping[name], max) || typed(billing[name], max)

function customerIn(billing: Row, shipping: Row): ExternalOrder['customer'] {
  const of = (row: Row) => [typed(row.first_name, 100), typed(row.last_name, 99)].filter(Boolean).join(' ')
  const [first, second] = [typed(billing.phone, 60), typed(shipping.phone, 60)]
  const phones = { phone: first || second || undefined, phoneAlt: first && second && first !== second ? second : undefined }
  return { name: of(shipping) || of(billing), ...present({ ...phones, email: typed(billing.email, 254) || undefined }) }
}

function addressIn(billing: Row, shipping: Row): ExternalOrder['address'] {
  const country = filled(shipping, billing, 'country', 2)
  const street = ['address_1', 'address_2', 'postcode'].map((name) => filled(shipping, billing, name, 160)).filter(Boolean)
  return {
    // `DZ-16` is the 16 of the country.
    state: filled(shipping, billing, 'state', 120).replace(/^[A-Z]{2}-(?=.)/, ''),
    city: filled(shipping, billing, 'city', 120),
    address: street.join(', '),
    ...(/^[A-Za-z]{2}$/.test(country) && { country }),
  }
}
