import { AdapterError, adapterErrorNames } from '../adapter.ts'
import { unreadable } from '../toolkit/ask.ts'
import { beginning, isRow, type Row, word } from '../toolkit/values.ts'
import type { ExternalOrder, Pulled, ReadOrder, ShopStatus, UnreadableOrder } from './model.ts'
import { money, printed } from './written.ts'

/** Maximum length of a raw order's JSON that is stored; longer ones are cut and stored as text. */
const RAW_MAX = 32_000
const REASON_MAX = 500

/** Reason why a shop's order cannot be imported, in words that a user understands. Thrown while an adapter reads an order. */
export class OrderProblem extends Error {
  override name = 'OrderProblem'
}

/** Identity of an order, read before everything else. */
export interface OrderIdentity {
  readonly externalId: unknown
  readonly number?: unknown
  /** Status in the shop, if known. An order that is closed in the shop never waits in the inbox. */
  readonly status?: ShopStatus | undefined
  readonly updatedAt?: string | undefined
}

/**
 * Functions with which an adapter reads one order. `read` returns undefined if it is not an order yet, and throws `OrderProblem` if it
 * cannot be read.
 */
export interface OrderReader<R> {
  readonly identify: (said: R) => OrderIdentity
  readonly read: (said: R) => ExternalOrder | undefined
}

type Log = { log(message: string, fields?: Row): void }

/**
 * Reads one order of a shop. Returns the order, or the reason why it cannot be read, with the raw data; empty if it is not an order yet.
 * An order without an id cannot be stored: it is only logged.
 */
export function readOrderOf<R>(context: Log, said: R, { identify, read }: OrderReader<R>): NonNullable<ReadOrder> {
  try {
    const order = read(said)
    return order ? { order: { ...order, raw: rawOf(said) } } : {}
  } catch (error) {
    if (error instanceof AdapterError || (isRow(error) && adapterErrorNames.includes(String(error.name)))) throw error
    const reason =
      error instanceof OrderProblem
        ? error.message
        : `The shop sent it in a form that is not known. Compare it with what the shop shows, and save it there once more. (${error instanceof Error ? error.message : 'unknown'})`
    const waiting = unreadableOrder(isRow(said) ? identify(said) : { externalId: undefined }, reason, said)
    if (!waiting) context.log('left out an order without an id', { reason })
    return waiting ? { unreadable: waiting } : {}
  }
}

/** Reads a page of orders: the readable ones, and the others with their reasons. A bad order does not affect the others. */
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

/** Returns the raw data as JSON; if too long, the beginning of its text. */
function rawOf(raw: unknown): unknown {
  const text = JSON.stringify(raw) ?? 'null'
  return text.length <= RAW_MAX ? JSON.parse(text) : { truncated: beginning(text, RAW_MAX) }
}

/**
 * Throws `unavailable` unless the response is the requested order. An error that looks like a response must not count as an order, or as a
 * deleted one.
 */
export function assertOrderOf(label: string, id: unknown, externalId: string): void {
  if (word(id) !== externalId) throw unreadable(label, 'not the requested order')
}

/** Throws `OrderProblem` with the reason if the value is undefined. */
export function required<V>(value: V | undefined, reason: string): V {
  if (value === undefined) throw new OrderProblem(reason)
  return value
}

/** Parses a currency code of three letters. Throws `OrderProblem` if it is missing or invalid. */
export function currencyOf(value: unknown): string {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : ''
  if (!/^[A-Z]{3}$/.test(code))
    throw new OrderProblem(`Its currency is ${quoted(value)}, which is not a code of three letters. Correct the currency in the shop.`)
  return code
}

/** Parses the total that the customer pays. Throws `OrderProblem` if it is invalid. */
export const totalOf = (value: unknown): string =>
  required(money(value), `Its total is ${quoted(value)}; it must be an amount of 0 or more. Correct it in the shop.`)

/** Formats a value for a reason: in quotation marks, at most 60 characters; `missing` if it is empty or no number. */
export const quoted = (value: unknown): string =>
  value === undefined || value === null || value === '' || Number.isNaN(value)
    ? 'missing'
    : `“${printed(typeof value === 'object' ? JSON.stringify(value) : String(value), 60) ?? ''}”`
