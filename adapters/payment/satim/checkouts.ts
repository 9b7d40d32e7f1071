import {
  AdapterError,
  type Checkout,
  type CheckoutMade,
  type GatewayEvent,
  present,
  type Row,
  unreadable,
  webAddress,
  word,
} from 'serai/payment'
import { call, codeOf, LABEL, OK, problemIn } from './api.ts'
import { type Context, confirmations, languageOf } from './fields.ts'
import { hasStatus, orderEvent, placesOf, udf1Of } from './news.ts'
import { newOrderNumber } from './order-number.ts'
import { refundedSoFar } from './refund-notes.ts'

/** Centimes in a dinar: our amounts are centimes, SATIM takes whole dinars. */
export const DINAR = 100

export async function createCheckout(context: Context, asked: Checkout): Promise<CheckoutMade> {
  const { amount, currency } = asked
  if (currency !== 'DZD') throw refusal('currency', `${LABEL} takes Algerian dinars, not ${currency}.`)
  if (amount % DINAR !== 0) throw refusal('centimes', `${LABEL} takes whole dinars: round the amount to one without centimes.`)
  const seconds = secondsOf(context)
  const expiresAt = new Date(context.now() + seconds * 1000).toISOString()
  const row = await call(context, 'register.do', formOf(context, asked, seconds))
  if (codeOf(row) !== OK) throw problemIn(row)
  const [externalId, url] = [word(row.orderId), webAddress(row.formUrl)]
  if (externalId === undefined || url === undefined) throw unreadable(LABEL, 'no order')
  return { externalId, url, expiresAt }
}

const refusal = (code: string, message: string) => new AdapterError('refused', message, { code })

function formOf(context: Context, asked: Checkout, sessionTimeoutSecs: number) {
  const { credentials, settings } = context
  const { paymentId, reference, amount, description, language, returnUrl, cancelUrl } = asked
  const orderNumber = newOrderNumber(context.now())
  const jsonParams = {
    force_terminal_id: credentials.terminalId,
    udf1: udf1Of(reference, orderNumber),
    ...placesOf(paymentId),
    ...present({ fundingTypeIndicator: settings.fundingType }),
  }
  return {
    orderNumber,
    amount,
    currency: '012',
    returnUrl,
    failUrl: cancelUrl,
    description: description.trim() || reference,
    language: settings.languageCase === 'lower' ? language : language.toUpperCase(),
    sessionTimeoutSecs,
    jsonParams: JSON.stringify(jsonParams),
  }
}

const LEAST_MINUTES = 10
const MOST_MINUTES = 1440

const secondsOf = ({ settings: { sessionMinutes } }: Context) =>
  Math.round(Math.min(MOST_MINUTES, Math.max(LEAST_MINUTES, sessionMinutes)) * 60)

/**
 * Reads an order by confirming it. No other call is known to be open to every shop, and SATIM refunds unconfirmed payments. An unpaid order
 * stays unpaid. If the answer has no status, the order is only read.
 */
export async function read(context: Context, externalId: string): Promise<GatewayEvent> {
  const confirmed = await confirm(context, externalId)
  const row = hasStatus(confirmed) ? confirmed : await callOrder(context, 'getOrderStatus.do', 'orderId', externalId)
  return orderEvent(externalId, row, await refundedSoFar(context, externalId))
}

function confirm(context: Context, externalId: string): Promise<Row> {
  const path = context.settings.confirmation === 'confirmOrder.do' ? 'confirmOrder.do' : 'public/acknowledgeTransaction.do'
  return callOrder(context, path, confirmations[path], externalId)
}

/** Error codes about the keys, the shop or SATIM itself. Others are about the order, and may come with its status. */
const HOPELESS: readonly (string | undefined)[] = ['5', '6', '7']

async function callOrder(context: Context, path: string, name: string, externalId: string): Promise<Row> {
  const row = await call(context, path, { [name]: externalId, language: languageOf(context) })
  if (!hasStatus(row) && HOPELESS.includes(codeOf(row))) throw problemIn(row)
  return row
}

const NOBODYS = '00000000000000000000'

/** Tests the keys by asking for an order that does not exist: valid keys get "not found". */
export async function testConnection(context: Context) {
  const error = await confirm(context, NOBODYS).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error !== undefined && !(error instanceof AdapterError && error.reason === 'not_found')) throw error
  return { account: `${context.credentials.terminalId} at ${context.settings.host}` }
}
