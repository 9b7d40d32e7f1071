import {
  currencyOf,
  type ExternalOrder,
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
} from 'serai/connector'
import type { Sandbox } from './fields.ts'
import { countOf, sampleOrder } from './orders.ts'

const PAGE = 50
const TOLD = 'order:'
const PUSHED = 'pushed:'
const TOLD_MAX = 20

/** Stores an order from a callback, which replaces the sample. The newest one is kept. */
export async function remember({ storage }: Sandbox, { raw: _, ...order }: ExternalOrder): Promise<void> {
  for (;;) {
    const known = await storage.get(TOLD + order.externalId)
    if (known === undefined) {
      if (await storage.add(TOLD + order.externalId, order)) return
      continue
    }
    const isOlder = isRow(known) && Date.parse(String(known.updatedAt)) >= Date.parse(order.updatedAt)
    if (isOlder || (await storage.replace(TOLD + order.externalId, known, order))) return
  }
}

/** Reads the samples in their current state, then orders that only callbacks sent. */
export async function pull(context: Sandbox, { since, cursor }: PullAsked): Promise<Pulled> {
  const [part, after = ''] = (cursor ?? 'sample:0').split(/:(.*)/s)
  const count = countOf(context)
  if (part === 'sample') {
    const from = Number(after)
    const to = Math.min(from + PAGE, count)
    const numbers = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at + 1)
    const orders = await Promise.all(numbers.map((number) => currentSample(context, number)))
    return {
      orders: orders.filter(isSince(since)).map((order) => ({ ...order, raw: order })),
      cursor: to < count ? `sample:${to}` : 'told:',
      total: count,
    }
  }
  const told = await context.storage.list(TOLD, { limit: PAGE, ...(after !== '' && { after }) })
  const { orders, unreadable } = readOrders(
    context,
    told.map(({ value }) => value as Row),
    reader,
  )
  const last = told.length === PAGE ? told.at(-1)?.key : undefined
  return {
    orders: orders.filter((order) => !isSample(order, count)).filter(isSince(since)),
    ...present({ unreadable }),
    cursor: last === undefined ? null : `told:${last}`,
  }
}

async function currentSample(context: Sandbox, number: number): Promise<ExternalOrder> {
  const sample = sampleOrder(context, number)
  return storedOrder(await context.storage.get(TOLD + sample.externalId)) ?? sample
}

/** Reads a stored order. */
const storedOrder = (value: unknown): ExternalOrder | undefined => (isRow(value) ? orderIn(value) : undefined)

const isSample = ({ externalId }: ExternalOrder, count: number) => {
  const number = Number(/^sample-(\d+)$/.exec(externalId)?.[1])
  return number >= 1 && number <= count
}

const isSince =
  (since: string | null) =>
  ({ updatedAt }: ExternalOrder) =>
    since === null || Date.parse(updatedAt) >= Date.parse(since)

/** Stores the pushed status and tracking number once; `told` counts the calls. */
export async function pushStatus({ storage }: Sandbox, { externalId, ...now }: StatusPushed): Promise<void> {
  const known = await storage.get(PUSHED + externalId)
  const before: readonly unknown[] = isRow(known) && Array.isArray(known.told) ? known.told : []
  await storage.set(PUSHED + externalId, { ...now, told: [...before, now.status].slice(-TOLD_MAX) })
}

const statuses = ['open', 'fulfilled', 'cancelled'] as const

/** Reader of orders. */
export const reader: OrderReader<Row> = {
  identify: ({ externalId, number, status, updatedAt }) => ({
    externalId,
    number,
    status: statuses.find((one) => one === (status ?? 'open')),
    updatedAt: timeIn(updatedAt),
  }),
  read: orderIn,
}

/** Parses an order of a callback; throws `OrderProblem`. */
function orderIn(value: Row): ExternalOrder {
  const externalId = required(printed(value.externalId, 200), 'It has no id.')
  const status = statuses.find((one) => one === (value.status ?? 'open'))
  const customer = isRow(value.customer) ? value.customer : {}
  const address = isRow(value.address) ? value.address : {}
  return {
    externalId,
    number: printed(value.number, 100) ?? externalId,
    status: required(status, `Its status is ${quoted(value.status)}, which is not known. Choose another in the shop.`),
    currency: currencyOf(value.currency),
    customer: {
      name: typed(customer.name, 200),
      ...present({
        phone: textOrUndefined(customer.phone, 60),
        phoneAlt: textOrUndefined(customer.phoneAlt, 60),
        email: textOrUndefined(customer.email, 254),
      }),
    },
    address: {
      state: typed(address.state, 120),
      city: typed(address.city, 120),
      address: typed(address.address, 500),
      ...present({ country: /^[A-Za-z]{2}$/.test(String(address.country)) ? String(address.country) : undefined }),
    },
    items: linesOf(value.items, lineOf),
    total: totalOf(value.total),
    delivery: required(
      money(value.delivery ?? '0'),
      `Its delivery price is ${quoted(value.delivery)}; it must be an amount of 0 or more. Correct it in the shop.`,
    ),
    ...present({
      note: textOrUndefined(value.note, 2000),
      statusWords: printed(value.statusWords, 100),
      createdAt: timeIn(value.createdAt),
    }),
    updatedAt: required(timeIn(value.updatedAt), 'It has no time of change. Save it once more in the shop.'),
  }
}

const lineOf = ({ name, unitPrice, quantity, sku, variant }: Row): Line => ({ name, unitPrice, quantity, sku, variant })

const textOrUndefined = (value: unknown, max: number) => typed(value, max) || undefined

function timeIn(value: unknown): string | undefined {
  const at = Date.parse(text(value) ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
