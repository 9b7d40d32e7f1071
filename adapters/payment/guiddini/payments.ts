import {
  AdapterError,
  beginning,
  type Checkout,
  type CheckoutMade,
  type CheckoutStatus,
  type GatewayEvent,
  number,
  present,
  type Row,
  text,
  unreadable,
  webAddress,
  word,
} from 'serai/payment'
import { sendRequest as ask, call, LABEL, problemIn } from './api.ts'
import type { Context } from './fields.ts'

/**
 * Creates a checkout. Amounts are whole dinars, as text. The API takes neither our id nor return addresses, which are set in the
 * application.
 */
export async function createCheckout(context: Context, { amount, currency, language }: Checkout): Promise<CheckoutMade> {
  if (currency !== 'DZD') throw new AdapterError('refused', `${LABEL} takes Algerian dinars, not ${currency}.`, { code: 'currency' })
  const { id, attributes } = await call(context, 'POST', 'payment/initiate', { json: { amount: String(amount), language } })
  const [externalId, url] = [word(id), webAddress(attributes.form_url)]
  if (externalId === undefined || url === undefined) throw unreadable(LABEL, 'no order number')
  return { externalId, url }
}

/** Statuses. The list is not published: all others count as open. */
const statuses: Readonly<Record<string, CheckoutStatus>> = { paid: 'paid', successful: 'paid' }

export async function read(context: Context, externalId: string): Promise<GatewayEvent> {
  const { id, attributes } = await call(context, 'GET', 'payment/show', { query: { order_number: externalId } })
  const named = word(attributes.order_number) ?? word(id)
  const said = text(attributes.status)?.trim().toLowerCase()
  if (said === undefined || said === '' || named !== externalId) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  const status = (Object.hasOwn(statuses, said) ? statuses[said] : undefined) ?? 'open'
  if (status !== 'paid') return { externalId, status, ...present({ message: displayText(text(attributes.message) ?? said) }) }
  return { externalId, status, currency: 'DZD', ...amountIn(externalId, attributes), ...present(factsIn(attributes)) }
}

const AMOUNT_MAX = 1e13

/** Returns the amount. It may be missing, and the requested amount is assumed then, since no other can be paid. */
function amountIn(externalId: string, { amount }: Row): Pick<GatewayEvent, 'amount'> {
  if (amount === undefined || amount === null) return {}
  const found = number(amount)
  if (found === undefined || !Number.isInteger(found) || found < 0 || found > AMOUNT_MAX)
    throw unreadable(LABEL, `${externalId} is paid, but the amount cannot be read`)
  return { amount: found }
}

const WORDS_MAX = 500

function factsIn(attributes: Row) {
  const [said, approval, pan] = [text(attributes.message), word(attributes.approval_code), text(attributes.pan)]
  const isMasked = pan !== undefined && /^\d{4,6}[*xX.]{2,}\d{4}$/.test(pan)
  const words = [said, approval && `(approval code ${approval})`].filter(Boolean).join(' ')
  return { message: displayText(words), method: isMasked ? `card ${pan}` : undefined }
}

/** Control characters and text-direction marks, which are not displayed. */
const UNSHOWN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

const displayText = (words: string): string | undefined => beginning(words.replace(UNSHOWN, ' ').trim(), WORDS_MAX) || undefined

/** Order number that does not exist. With valid keys, the answer is "not found". */
const NOBODYS = '0'
const LET_IN = [400, 404, 422]

export async function testConnection(context: Context) {
  const answer = await ask(context, 'GET', 'payment/show', { query: { order_number: NOBODYS } })
  if (!answer.ok && !LET_IN.includes(answer.status)) throw problemIn(context, answer, 'GET')
  return {}
}
