import { AdapterError, adapterErrorNames } from '../adapter.ts'
import { unreadable } from '../toolkit/ask.ts'
import { beginning, isRow, type Row, word } from '../toolkit/values.ts'
import type { ExternalOrder, Pulled, ReadOrder, ShopStatus, UnreadableOrder } from './model.ts'
import { money, printed } from './written.ts'

/** Longest JSON of a raw order that is kept; longer ones are cut and kept as text. */
const RAW_MAX = 32_000
const REASON_MAX = 500

/** Reason why an order of a shop cannot become one here. Thrown by an adapter's reading, in words that a person understands. */
export class OrderProblem extends Error {
  override name = 'OrderProblem'
}

/** Identity of an order that is read before anything else of it. */
export interface OrderIdentity {
  readonly externalId: unknown
  readonly number?: unknown
  /** Status in the shop, where it is known: an order that is over there never waits here. */
  readonly status?: ShopStatus | undefined
  readonly updatedAt?: string | undefined
}

/** How an adapter reads one order. `read` returns undefined of what is no order yet, and throws `OrderProblem` of what cannot be read. */
export interface OrderReader<R> {
  readonly identify: (said: R) => OrderIdentity
  readonly read: (said: R) => ExternalOrder | undefined
}

type Log = { log(message: string, fields?: Row): void }

/**
 * Reads one order of a shop. Gives the order, the reason why it cannot be read with what the shop sent, or neither where it is no order yet.
 * An order without an id cannot be kept: it is logged.
 */
export function readOrderOf<R>(context: Log, said: R, { identify, read }: OrderReader<R>): NonNullable<ReadOrder> {
  try {
    const order = read(said)
    return order ? { order } : {}
  } catch (error) {
    if (error instanceof AdapterError || (isRow(error) && adapterErrorNames.includes(String(error.name)))) throw error
    const reason =
      error instanceof OrderProblem ? error.message : `It could not be read: ${error instanceof Error ? error.message : 'unknown'}.`
    const waiting = unreadableOrder(isRow(said) ? identify(said) : { externalId: undefined }, reason, said)
    if (!waiting) context.log('left out an order without an id', { reason })
    return waiting ? { unreadable: waiting } : {}
  }
}

/** Reads a page of orders: those that can be read, and those that wait with their reason. None hides another. */
export function readOrders<R>(context: Log, found: readonly R[], reader: OrderReader<R>): Pick<Pulled, 'orders' | 'unreadable'> {
  const read = found.map((said) => readOrderOf(context, said, reader))
  const waiting = read.flatMap((one) => one.unreadable ?? [])
  if (waiting.length > 0) context.log('orders that cannot be read wait with their reasons', { rows: waiting.length })
  return { orders: read.flatMap(({ order }) => order ?? []), ...(waiting.length > 0 && { unreadable: waiting }) }
}

function unreadableOrder(
  { externalId, number, status, updatedAt }: OrderIdentity,
  reason: string,
  raw: unknown,
): UnreadableOrder | undefined {
  const id = printed(word(externalId), 200)
  if (id === undefined) return undefined
  const called = printed(number, 100)
  return {
    externalId: id,
    ...(called !== undefined && { number: called }),
    reason: printed(reason, REASON_MAX) ?? 'It could not be read.',
    ...(status && { status }),
    ...(updatedAt !== undefined && { updatedAt }),
    raw: rawOf(raw),
  }
}

/** Plain JSON of what the shop sent; the beginning of its text where it is very long. */
function rawOf(raw: unknown): unknown {
  const text = JSON.stringify(raw) ?? 'null'
  return text.length <= RAW_MAX ? JSON.parse(text) : { truncated: beginning(text, RAW_MAX) }
}

/** Throws `unavailable` unless an answer is the order that was asked for: an error that looks like an answer is no order, and none that is gone. */
export function assertOrderOf(label: string, id: unknown, externalId: string): void {
  if (word(id) !== externalId) throw unreadable(label, 'not the order that was asked for')
}

/** Throws the reason unless the value is there. */
export function required<V>(value: V | undefined, reason: string): V {
  if (value === undefined) throw new OrderProblem(reason)
  return value
}

/** A currency code of three letters. Throws `OrderProblem` where the shop names none. */
export function currencyOf(value: unknown): string {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : ''
  if (!/^[A-Z]{3}$/.test(code)) throw new OrderProblem(`Its currency is ${quoted(value)}, which is no code of three letters.`)
  return code
}

/** What the customer pays. Throws `OrderProblem` where that is no amount. */
export const totalOf = (value: unknown): string =>
  required(money(value), `Its total is ${quoted(value)}; it must be an amount of 0 or more.`)

/** A value as it can stand in a reason. */
export const quoted = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? 'missing'
    : `“${printed(typeof value === 'object' ? JSON.stringify(value) : String(value), 60) ?? ''}”`
