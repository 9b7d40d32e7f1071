import {
  amount,
  beginning,
  type CheckoutStatus,
  type GatewayEvent,
  isRow,
  number,
  present,
  type Row,
  text,
  unreadable,
  word,
} from 'serai/payment'
import { codeOf, LABEL, OK, wordsOf } from './api.ts'

/** Statuses by `OrderStatus`. Reversed means not confirmed in time, or released in the console. 7 to 9 are about cards, not orders. */
const statuses: Readonly<Record<string, CheckoutStatus>> = {
  0: 'open',
  '-1': 'failed',
  1: 'processing',
  2: 'paid',
  3: 'expired',
  4: 'paid',
  6: 'failed',
}
const REFUNDED = '4'

/** Returns true when the answer has a status; some refusals lack one. */
export const hasStatus = (row: Row): boolean => word(row.OrderStatus) !== undefined

/** Builds the event of an order. `given`: refunds made through us so far, in centimes. Throws `unavailable` when the status is unclear. */
export function orderEvent(externalId: string, row: Row, given: number): GatewayEvent {
  const status = statusIn(row)
  if (status === undefined) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  const news = { externalId, status, ...present({ paymentId: paymentIdIn(row), message: messageIn(row) }) }
  return status === 'paid' ? { ...news, ...moneyIn(externalId, row, given), ...present({ method: cardIn(row) }) } : news
}

function statusIn(row: Row): CheckoutStatus | undefined {
  const said = word(row.OrderStatus)
  if (said !== undefined) return Object.hasOwn(statuses, said) ? statuses[said] : undefined
  const code = respCodeIn(row)
  return code !== undefined && code !== APPROVED ? 'failed' : undefined
}

const APPROVED = '00'
const paramsIn = ({ params }: Row): Row => (isRow(params) ? params : {})
const respCodeIn = (row: Row) => word(paramsIn(row).respCode)

/** Returns the amounts. An order is paid only with all three signs: no error, the bank's approval, and the status. */
function moneyIn(externalId: string, row: Row, given: number): Pick<GatewayEvent, 'amount' | 'currency' | 'refunded'> {
  const isRefunded = word(row.OrderStatus) === REFUNDED
  const isSure = codeOf(row) === OK && respCodeIn(row) === APPROVED
  if (!isSure && !isRefunded) throw unreadable(LABEL, `${externalId} is paid, and not approved`)
  if (word(row.currency) !== undefined && number(row.currency) !== DINARS) throw unreadable(LABEL, `${externalId} is in another currency`)
  const [asked, deposited] = [centimes(row.Amount), centimes(row.depositAmount)]
  const paid = isRefunded || given > 0 ? asked : deposited || asked
  if (paid === undefined) throw unreadable(LABEL, `${externalId} is paid, but the amount cannot be read`)
  const refunded = isRefunded ? Math.max(given, paid - (deposited ?? paid)) : given
  if (isRefunded && refunded === 0)
    throw unreadable(LABEL, `some of ${externalId} was given back, and not how much; look it up in its console`)
  return { amount: paid, currency: 'DZD', ...(refunded > 0 && { refunded }) }
}

const DINARS = 12
const AMOUNT_MAX = 1e13

function centimes(value: unknown): number | undefined {
  const found = amount(value)
  return found !== undefined && Number.isInteger(found) && found <= AMOUNT_MAX ? found : undefined
}

const UDF_MAX = 20
const OURS_MAX = 64
const PLACES = ['udf2', 'udf3', 'udf4', 'udf5'] as const

/** Splits our payment id into fields of twenty characters. */
export const placesOf = (paymentId: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    PLACES.map((place, at) => [place, paymentId.slice(at * UDF_MAX, (at + 1) * UDF_MAX)] as const).filter(([, piece]) => piece !== ''),
  )

function paymentIdIn(row: Row): string | undefined {
  const params = paramsIn(row)
  const name = PLACES.map((place) => text(params[place]) ?? '').join('')
  return /^[\x20-\x7e]+$/.test(name) && name.length <= OURS_MAX ? name : undefined
}

/** Returns the store's reference in printable ASCII for SATIM's mandatory field. */
export const udf1Of = (reference: string, orderNumber: string): string =>
  reference.replace(/[^\x21-\x7e]/g, '').slice(0, UDF_MAX) || orderNumber

const WORDS_MAX = 500

/** Returns the text that SATIM requires shops to show payers: the bank's message and approval. */
function messageIn(row: Row): string | undefined {
  const said = text(paramsIn(row).respCode_desc) ?? text(row.actionCodeDescription) ?? (codeOf(row) === OK ? undefined : wordsOf(row))
  const approval = word(row.approvalCode)
  return said === undefined ? undefined : displayText(approval === undefined ? said : `${said} (approval code ${approval})`)
}

/** Returns the masked card number; undefined for an unmasked one, which must not be stored. */
function cardIn(row: Row): string | undefined {
  const pan = text(row.Pan) ?? text(row.pan)
  return pan !== undefined && /^\d{4,6}[*xX.]{2,}\d{4}$/.test(pan) ? `card ${pan}` : undefined
}

/** Control characters and text-direction marks, which are not displayed. */
const UNSHOWN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

const displayText = (words: string): string | undefined => beginning(words.replace(UNSHOWN, ' ').trim(), WORDS_MAX) || undefined
