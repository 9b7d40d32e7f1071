import { type CheckoutStatus, type GatewayEvent, isRow, jsonIn, number, present, type Row, text, word, yes } from 'serai/payment'
import type { Context } from './fields.ts'

/** Statuses. The last one is not documented, but the official plugins handle it. */
const statuses: Readonly<Record<string, CheckoutStatus>> = {
  pending: 'open',
  processing: 'processing',
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
  expired: 'expired',
}

export const statusOf = (said: unknown): CheckoutStatus | undefined =>
  typeof said === 'string' && Object.hasOwn(statuses, said) ? statuses[said] : undefined

/** Builds the event of a checkout in this status. Undefined without an id, or when it is paid with an unreadable amount. */
export function checkoutEvent(context: Context, row: Row, status: CheckoutStatus): GatewayEvent | undefined {
  const externalId = nameIn(row.id, ID_MAX)
  const money = status === 'paid' ? moneyOf(context, row) : {}
  if (externalId === undefined || money === undefined) return undefined
  return {
    externalId,
    status,
    ...present({
      paymentId: nameIn(metadataIn(row.metadata).paymentId, OURS_MAX),
      currency: currencyIn(row.currency),
      at: timeIn(row.updated_at),
      method: nameIn(row.payment_method, METHOD_MAX),
    }),
    ...money,
  }
}

const ID_MAX = 200
const OURS_MAX = 64
const METHOD_MAX = 60

/**
 * Returns an id of printable ASCII, up to `max` characters; undefined otherwise. Merchants can create checkouts with any id, and an invalid
 * one must not block other events.
 */
function nameIn(value: unknown, max: number): string | undefined {
  const name = word(value)
  return name !== undefined && name.length <= max && /^[\x20-\x7e]+$/.test(name) ? name : undefined
}

/** Returns the mode. It may be a boolean, number or text; undefined when absent. */
export function modeIn({ livemode }: Row): 'test' | 'live' | undefined {
  if (yes(livemode)) return 'live'
  return [false, 0, '0', 'false'].some((no) => no === livemode) ? 'test' : undefined
}

function moneyOf({ log }: Context, row: Row): Pick<GatewayEvent, 'amount' | 'fee'> | undefined {
  const [amount, fee] = [whole(row.amount), whole(row.fees_on_merchant)]
  if (fee === undefined && number(row.fees_on_merchant) !== undefined) log('left out a fee that is no whole number of dinars')
  return amount === undefined ? undefined : { amount, ...(fee !== undefined && { fee }) }
}

const AMOUNT_MAX = 1e13

function whole(value: unknown): number | undefined {
  const found = number(value)
  return found !== undefined && Number.isInteger(found) && found >= 0 && found <= AMOUNT_MAX ? found : undefined
}

/** Reads the metadata. The format of an answer is not documented: an object, a list with one, or its JSON text. */
function metadataIn(value: unknown): Row {
  const read = typeof value === 'string' ? jsonIn(value) : value
  return [read].flat().find(isRow) ?? {}
}

function currencyIn(value: unknown): string | undefined {
  const letters = text(value)?.toUpperCase()
  return letters !== undefined && /^[A-Z]{3}$/.test(letters) ? letters : undefined
}

const EPOCH_MAX = 8.64e12

/** Converts seconds since 1970, also as text. */
function timeIn(value: unknown): string | undefined {
  const seconds = number(value)
  return seconds === undefined || seconds <= 0 || seconds > EPOCH_MAX ? undefined : new Date(seconds * 1000).toISOString()
}
