import {
  AdapterError,
  assertOrderOf,
  currencyOf,
  type ExternalOrder,
  instant,
  type Line,
  linesOf,
  money,
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
import { hasMore, LABEL, read, row, totalIn } from './api.ts'
import type { Context } from './fields.ts'

const INCLUDED = 'customer,variants,payment,shipping'
const UTC = '+00:00'
/** Age up to which an order without a time of change is read again. */
const WATCHED_MS = 60 * 86_400_000

/** Reads orders. Deletions shift the others forward: when the total drops, reading goes back by the difference. */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const [page = 1, before = 0] = (cursor ?? '1 0').split(' ').map(Number)
  const answer = await read(context, 'orders', { include: INCLUDED, page })
  if (!Array.isArray(answer.data)) throw unreadable(LABEL, 'no list of orders')
  const total = totalIn(answer) ?? before
  const back = Math.ceil((before - total) / Math.max(1, answer.data.length))
  if (back > 0) return { orders: [], cursor: `${Math.max(1, page - back)} ${total}` }
  const found = rows(answer.data)
  const recent = found.filter((one) => since === null || hasChanged(one, Date.parse(since)))
  return {
    ...readOrders(context, recent, readerOf(context)),
    cursor: found.length > 0 && hasMore(answer, page) ? `${page + 1} ${total}` : null,
  }
}

function hasChanged({ updated_at: updated, created_at: created }: Row, since: number): boolean {
  const [changed, made] = [instant(updated, UTC), instant(created, UTC)]
  if (changed !== undefined) return Date.parse(changed) >= since
  return made === undefined || Date.parse(made) >= since - WATCHED_MS
}

/** Reads one order; null when it does not exist. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const answer = await read(context, `orders/${encodeURIComponent(externalId)}`, { include: INCLUDED }).catch(nullIfMissing)
  if (!answer) return null
  const found = answer.data === undefined ? answer : row(answer.data)
  assertOrderOf(LABEL, found.id, externalId)
  return readOrderOf(context, found, readerOf(context))
}

function nullIfMissing(error: unknown): null {
  if (error instanceof AdapterError && error.reason === 'not_found') return null
  throw error
}

const readerOf = (context: Context): OrderReader<Row> => ({
  identify: (said) => ({
    externalId: said.id,
    number: numberIn(said),
    status: statusIn(context, said).status,
    updatedAt: instant(said.updated_at, UTC),
  }),
  read: (said) => orderIn(context, said),
})

const numberIn = ({ ref, id }: Row) => `#${printed(ref, 99) ?? word(id)?.slice(0, 8) ?? ''}`

/** Presents an order; throws `OrderProblem`. */
function orderIn(context: Context, said: Row): ExternalOrder {
  const externalId = required(word(said.id), 'It has no id.')
  const [shipping, answers] = [row(said.shipping), answersIn(said)]
  const address = [...rows(shipping.address), ...rows(row(said.payment).address), {}][0] ?? {}
  const createdAt = instant(said.created_at, UTC)
  return {
    externalId,
    number: numberIn(said),
    ...statusIn(context, said),
    currency: currencyOf(said.currency),
    customer: customerIn(row(said.customer), address, answers),
    address: {
      state: firstText(160, address.region, address.state, answers.state).slice(0, 120),
      city: firstText(120, address.city, answers.city),
      address:
        [address.first_line, address.second_line]
          .map((line) => typed(line, 240))
          .filter(Boolean)
          .join(', ') || answers.address,
      ...present({ country: countryIn(address.country_code) }),
    },
    items: linesOf(said.variants, lineOf),
    total: totalOf(said.total),
    delivery: (shipping.is_free === true ? undefined : money(shipping.price)) ?? '0',
    ...present({ note: typed(said.notes, 2000) || undefined, createdAt }),
    updatedAt: instant(said.updated_at, UTC) ?? new Date(context.now()).toISOString(),
  }
}

const firstText = (max: number, ...values: readonly unknown[]): string => values.map((value) => typed(value, max)).find(Boolean) ?? ''
const countryIn = (value: unknown) => (/^[A-Za-z]{2}$/.test(String(value)) ? String(value) : undefined)

function statusIn({ settings }: Context, said: Row): { status: ShopStatus; statusWords: string } {
  const words = printed(row(said.status_object).slug ?? said.status, 100) ?? 'open'
  const isOf = (listed: string) => listed.split(',').some((one) => one.trim().toLowerCase() === words.toLowerCase())
  const status = isOf(settings.cancelledStatuses) ? 'cancelled' : isOf(settings.fulfilledStatuses) ? 'fulfilled' : 'open'
  return { status, statusWords: words }
}

function customerIn(customer: Row, address: Row, answers: Answers): ExternalOrder['customer'] {
  const name = [customer.first_name, customer.last_name]
    .map((part) => typed(part, 99))
    .filter(Boolean)
    .join(' ')
  const phones = [...new Set([customer.phone, address.phone, answers.phone].map((phone) => typed(phone, 60)).filter(Boolean))]
  return {
    name: name || answers.name,
    ...present({ phone: phones[0], phoneAlt: phones[1], email: typed(customer.email, 254) || undefined }),
  }
}

function lineOf({ price, quantity, variant: sold }: Row): Line {
  const variant = row(sold)
  const values = Object.values(Array.isArray(variant.values) ? variant.values : row(variant.variations))
  const version = values
    .map((value) => printed(value, 60))
    .filter(Boolean)
    .join(' / ')
  return { name: row(variant.product).name, quantity, unitPrice: price ?? variant.price, sku: variant.sku, variant: version }
}

/** Names of custom form fields, in the languages of cash-on-delivery shops. */
const fields = {
  phone: /phone|t[ée]l|mobile|هاتف|جوال/i,
  name: /name|nom|اسم/i,
  state: /state|region|r[ée]gion|wilaya|province|ولاية|جهة/i,
  city: /city|ville|commune|مدينة|بلدية/i,
  address: /address|adresse|عنوان/i,
} as const
type Answers = Readonly<Record<keyof typeof fields, string>>

function answersIn({ extra_fields: extra, custom_fields: custom }: Row): Answers {
  const given = [extra, custom].flatMap((one) => Object.entries(row(one)))
  const answerTo = (asked: RegExp) => typed(given.find(([name, value]) => asked.test(name) && word(value))?.[1], 500)
  return {
    phone: answerTo(fields.phone),
    name: answerTo(fields.name).slice(0, 200),
    state: answerTo(fields.state),
    city: answerTo(fields.city).slice(0, 120),
    address: answerTo(fields.address),
  }
}
