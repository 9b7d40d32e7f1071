import {
  currencyOf,
  type ExternalOrder,
  isRow,
  type Line,
  linesOf,
  money,
  number,
  type OrderReader,
  present,
  printed,
  type Row,
  required,
  rows,
  text,
  totalOf,
  typed,
  word,
} from 'serai/connector'
import { row } from './api.ts'
import type { Context } from './fields.ts'
import { withTax } from './prices.ts'
import { isUnfinished, statusIn } from './statuses.ts'
import { timeIn } from './times.ts'

/** Order in the platform's parts: order, items and destination. Their content is not validated. */
export interface Whole {
  readonly said: Row
  readonly items: unknown
  readonly place: Place
}

/** Destination of an order, with its recipient. */
export interface Place {
  readonly name?: unknown
  readonly phone?: unknown
  readonly country?: unknown
  readonly state?: unknown
  readonly city?: unknown
  readonly street?: readonly unknown[]
}

/** Builds the reader of orders, with the settings of the connection. */
export const readerOf = (context: Context): OrderReader<Whole> => ({
  identify: ({ said }) => ({
    externalId: said.id,
    number: numberIn(said),
    status: statusIn(said)?.status,
    updatedAt: timeIn(said.updated_at),
  }),
  read: (whole) => orderOf(context, whole),
})

const numberIn = ({ reference_id: reference, id }: Row) => `#${printed(reference, 99) ?? word(id) ?? ''}`

/** Presents an order; undefined when it is not an order yet. Throws `OrderProblem`. */
function orderOf(context: Context, { said, items, place }: Whole): ExternalOrder | undefined {
  const [customer, amounts] = [row(said.customer), row(said.amounts)]
  if (isUnfinished(context, said)) return undefined
  const [status, total] = [required(statusIn(said), 'It has no status. Give it one in the shop.'), row(amounts.total)]
  const externalId = required(word(said.id), 'It has no id.')
  return {
    externalId,
    number: numberIn(said),
    ...status,
    currency: currencyOf(said.currency ?? total.currency),
    customer: customerOf(customer, [place, row(said.receiver)]),
    address: addressOf(customer, place),
    items: linesOf(items, lineOf),
    total: totalOf(total.amount),
    delivery: money(row(amounts.shipping_cost).amount) ?? '0',
    ...present({ createdAt: timeIn(said.date) }),
    updatedAt: timeIn(said.updated_at) ?? new Date(context.now()).toISOString(),
  }
}

const firstText = (max: number, ...values: readonly unknown[]) => values.map((value) => typed(value, max).trim()).find(Boolean) ?? ''

/** Returns the recipient if there is one, else the buyer. */
function customerOf(customer: Row, receivers: readonly Place[]): ExternalOrder['customer'] {
  const code = typed(customer.mobile_code, 8).replace(/\D/g, '')
  const own = [customer.first_name, customer.last_name].map((part) => typed(part, 99).trim())
  const mobile = typed(customer.mobile, 40)
  const said = [...receivers.map(({ phone }) => typed(phone, 60)), mobile && !mobile.startsWith('+') ? `+${code}${mobile}` : mobile]
  const [phone, phoneAlt] = new Set(said.map((each) => zoned(each, code)).filter(Boolean))
  return {
    name: firstText(200, ...receivers.map(({ name }) => name), own.filter(Boolean).join(' ')),
    ...present({ phone, phoneAlt, email: typed(customer.email, 254) || undefined }),
  }
}

/** Adds the plus to a number that begins with its country's code, as the platform writes it. */
const zoned = (phone: string, code: string) => (code !== '' && /^\d{10,15}$/.test(phone) && phone.startsWith(code) ? `+${phone}` : phone)

const isCode = (country: string | undefined) => /^[A-Za-z]{2}$/.test(country ?? '')

/** Returns the address. An order may lack one before shipping; the customer's is used then. */
function addressOf(customer: Row, { country, state, city, street = [] }: Place): ExternalOrder['address'] {
  const isIn = (said: unknown) => typed(said, 60) !== '' && typed(said, 60) === typed(customer.country, 60)
  const [code, home] = [text(country), text(customer.country_code)]
  const known = isCode(code) ? code : code === undefined || isIn(code) ? home : undefined
  return {
    state: firstText(120, state),
    city: firstText(120, city, customer.city),
    address: typed(
      street
        .map((part) => firstText(400, part))
        .filter(Boolean)
        .join(', ') || firstText(500, customer.location),
      500,
    ),
    ...present({ country: isCode(known) ? known : undefined }),
  }
}

function lineOf({ name, sku, quantity, amounts, options }: Row): Line {
  const { price_without_tax: price, tax } = row(amounts)
  // Without tax the price keeps its written precision.
  const unitPrice = number(row(tax).percent) ? (withTax(row(price).amount, row(tax).percent) ?? row(price).amount) : row(price).amount
  return { name, sku, quantity, unitPrice, variant: rows(options).flatMap(valuesOf).join(' / ') }
}

/** Chosen values of an option: one, several, or a typed text. */
const valuesOf = ({ value }: Row): string[] => [value].flat().flatMap((one) => printed(isRow(one) ? one.name : one, 60) ?? [])
