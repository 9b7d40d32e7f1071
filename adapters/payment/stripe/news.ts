import { type CheckoutStatus, type GatewayEvent, isRow, number, present, type Row, text, word } from 'serai/payment'

/** Statuses of a Checkout Session. `complete` only means that the payer has finished. */
const sessions: Readonly<Record<string, CheckoutStatus | 'complete'>> = { open: 'open', complete: 'complete', expired: 'expired' }

/** Statuses of a complete, unpaid session by its PaymentIntent, if expanded. */
const intents: Readonly<Record<string, CheckoutStatus>> = {
  requires_payment_method: 'failed',
  requires_confirmation: 'processing',
  requires_action: 'processing',
  processing: 'processing',
  requires_capture: 'authorized',
  canceled: 'cancelled',
  succeeded: 'processing',
}

const entryOf = <V>(table: Readonly<Record<string, V>>, said: unknown): V | undefined =>
  typeof said === 'string' && Object.hasOwn(table, said) ? table[said] : undefined

/** Returns the status of a session; undefined when it is unknown. */
export function statusOf(session: Row): CheckoutStatus | undefined {
  const status = entryOf(sessions, session.status)
  if (status !== 'complete') return status
  if (session.payment_status === 'paid' || session.payment_status === 'no_payment_required') return 'paid'
  if (session.payment_status !== 'unpaid') return undefined
  return isRow(session.payment_intent) ? entryOf(intents, session.payment_intent.status) : 'processing'
}

/** Builds the event of a session in this status. Undefined without an id, or when it is paid with an unreadable amount. */
export function sessionEvent(session: Row, status: CheckoutStatus, at?: unknown): GatewayEvent | undefined {
  const externalId = nameIn(session.id, ID_MAX)
  const money = status === 'paid' ? moneyOf(session) : {}
  if (externalId === undefined || money === undefined) return undefined
  const charge = chargeOf(session)
  const error =
    isRow(session.payment_intent) && isRow(session.payment_intent.last_payment_error) && session.payment_intent.last_payment_error
  return {
    externalId,
    status,
    ...present({
      paymentId: isRow(session.metadata) ? nameIn(session.metadata.paymentId, OURS_MAX) : undefined,
      currency: currencyIn(session.currency),
      at: timeIn(at ?? charge?.created),
      method: isRow(charge?.payment_method_details) ? nameIn(charge.payment_method_details.type, METHOD_MAX) : undefined,
      message: error && status === 'failed' ? text(error.message)?.slice(0, MESSAGE_MAX) : undefined,
    }),
    ...money,
  }
}

const ID_MAX = 200
const OURS_MAX = 64
const METHOD_MAX = 60
const MESSAGE_MAX = 500
const AMOUNT_MAX = 1e13

/** Returns the amounts: the session has the paid amount, its charge (if expanded) the fee and refunds. */
function moneyOf(session: Row): Pick<GatewayEvent, 'amount' | 'fee' | 'refunded'> | undefined {
  const amount = whole(session.amount_total)
  if (amount === undefined) return undefined
  const charge = chargeOf(session)
  return { amount, ...present({ fee: feeOf(session, charge), refunded: whole(charge?.amount_refunded) }) }
}

/** Returns the fee. It is in the currency of the account's balance, and ignored when that differs. */
function feeOf(session: Row, charge: Row | undefined): number | undefined {
  const balance = charge?.balance_transaction
  return isRow(balance) && balance.currency === session.currency ? whole(balance.fee) : undefined
}

const chargeOf = ({ payment_intent: intent }: Row): Row | undefined =>
  isRow(intent) && isRow(intent.latest_charge) ? intent.latest_charge : undefined

function whole(value: unknown): number | undefined {
  const found = number(value)
  return found !== undefined && Number.isInteger(found) && found >= 0 && found <= AMOUNT_MAX ? found : undefined
}

/**
 * Returns an id of printable ASCII, up to `max` characters; undefined otherwise. Merchants can create sessions with any id, and an invalid
 * one must not block other events.
 */
export function nameIn(value: unknown, max: number): string | undefined {
  const name = word(value)
  return name !== undefined && name.length <= max && /^[\x20-\x7e]+$/.test(name) ? name : undefined
}

/** Returns the id of an object, expanded or not. */
export const idIn = (value: unknown): string | undefined => nameIn(isRow(value) ? value.id : value, ID_MAX)

export function currencyIn(value: unknown): string | undefined {
  const letters = text(value)?.toUpperCase()
  return letters !== undefined && /^[A-Z]{3}$/.test(letters) ? letters : undefined
}

const EPOCH_MAX = 8.64e12

/** Converts seconds since 1970. */
export function timeIn(value: unknown): string | undefined {
  const seconds = number(value)
  return seconds === undefined || seconds <= 0 || seconds > EPOCH_MAX ? undefined : new Date(seconds * 1000).toISOString()
}
