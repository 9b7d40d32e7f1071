import {
  AdapterError,
  beginning,
  type Checkout,
  type CheckoutMade,
  type GatewayEvent,
  present,
  type Row,
  rows,
  sha256,
  text,
  toHex,
  unreadable,
  webAddress,
} from 'serai/payment'
import { call } from './api.ts'
import { type Context, LABEL } from './fields.ts'
import { currencies, moneyFor } from './money.ts'
import { nameIn, orderEvent, statusOf } from './news.ts'

/** Query parameter of the return address that names the checkout. */
export const RETURNS = 'token'
const DESCRIPTION_MAX = 127
const DIGEST_LETTERS = 16
const locales: Readonly<Record<Checkout['language'], string>> = { ar: 'ar-EG', fr: 'fr-FR', en: 'en-US' }
/** Links to the payer's page: newer orders have the first one, older ones the second. */
const TO_PAYER: readonly string[] = ['payer-action', 'approve']

export async function createCheckout(context: Context, asked: Checkout): Promise<CheckoutMade> {
  if (!currencies.includes(asked.currency)) throw new AdapterError('refused', `${LABEL} takes no ${asked.currency}.`, { code: 'currency' })
  const body = JSON.stringify(orderFor(context, asked))
  // Equal requests have the same id, different ones another.
  const id = `checkout-${asked.paymentId}-${toHex(await sha256(body)).slice(0, DIGEST_LETTERS)}`
  const row = await call(context, 'POST', 'v2/checkout/orders', { body, id })
  const link = rows(row.links).find(({ rel }) => TO_PAYER.includes(String(rel)))
  const [externalId, url] = [nameIn(row.id), webAddress(link?.href)]
  if (externalId === undefined || url === undefined) throw unreadable(LABEL, 'no order that can be paid')
  return { externalId, url }
}

/** Builds the order. Our payment id is the invoice number, so that an account that checks invoices is never paid twice. */
function orderFor({ settings }: Context, asked: Checkout) {
  const { paymentId, reference, amount, currency, description, language, returnUrl, cancelUrl } = asked
  const unit = {
    reference_id: reference,
    custom_id: paymentId,
    invoice_id: paymentId,
    description: beginning(description.trim() ? description : reference, DESCRIPTION_MAX),
    amount: moneyFor(amount, currency),
  }
  const experience_context = {
    return_url: returnUrl,
    cancel_url: cancelUrl,
    user_action: 'PAY_NOW',
    shipping_preference: 'NO_SHIPPING',
    locale: locales[language],
    ...present({ brand_name: text(settings.brandName), landing_page: text(settings.landingPage) }),
  }
  return { intent: 'CAPTURE', purchase_units: [unit], payment_source: { paypal: { experience_context } } }
}

const pathOf = (externalId: string) => `v2/checkout/orders/${encodeURIComponent(externalId)}`

/** Reads an order. */
export async function orderAt(context: Context, externalId: string): Promise<Row> {
  const order = await call(context, 'GET', pathOf(externalId))
  if (order.id !== externalId) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return order
}

export const read = async (context: Context, externalId: string): Promise<GatewayEvent> =>
  eventOfOrder(await orderAt(context, externalId), externalId)

function eventOfOrder(order: Row, externalId: string): GatewayEvent {
  const status = statusOf(order)
  const news = status && orderEvent(order, status)
  if (news?.externalId !== externalId) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return news
}

/** Captures an approved order, which is when the money moves. Reads it if it was captured before. */
export async function capture(context: Context, externalId: string): Promise<GatewayEvent> {
  try {
    return eventOfOrder(
      await call(context, 'POST', `${pathOf(externalId)}/capture`, { body: '{}', id: `capture-${externalId}` }),
      externalId,
    )
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    if (error.upstream.code === 'ORDER_ALREADY_CAPTURED') return read(context, externalId)
    if (error.upstream.code !== 'INSTRUMENT_DECLINED') throw error
    return { externalId, status: 'failed', message: error.message.slice(0, 500) }
  }
}
