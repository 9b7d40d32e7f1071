import {
  AdapterError,
  type Checkout,
  type CheckoutMade,
  type GatewayEvent,
  present,
  type Row,
  sha256,
  toHex,
  unreadable,
  webAddress,
} from 'serai/payment'
import { call, encodeForm, type Form } from './api.ts'
import { currencies, THREE_DECIMALS } from './currencies.ts'
import { type Context, LABEL } from './fields.ts'
import { idIn, sessionEvent, statusOf, timeIn } from './news.ts'

/** Query parameter of the return address that names the checkout. */
export const RETURNS = 'session_id'
/** Placeholder that Stripe replaces with the session's id; it must not be URL-encoded. */
const PLACE = '{CHECKOUT_SESSION_ID}'
const SESSIONS = 'checkout/sessions'
/** Expands a session, to read all of it in one call. */
const EXPANDED = { 'expand[]': ['payment_intent.latest_charge.balance_transaction'] }
/** Languages. Stripe Checkout has no Arabic, so it follows the browser then. */
const locales: Readonly<Record<Checkout['language'], string>> = { ar: 'auto', fr: 'fr', en: 'en' }

export async function createCheckout(context: Context, asked: Checkout): Promise<CheckoutMade> {
  assertPayable(asked)
  const form = formOf(context, asked)
  const row = await call(context, 'POST', SESSIONS, { form, key: await keyOf(asked, form) })
  const [externalId, url] = [idIn(row), webAddress(row.url)]
  if (externalId === undefined || url === undefined) throw unreadable(LABEL, 'no session that can be paid')
  return { externalId, url, ...present({ expiresAt: timeIn(row.expires_at) }) }
}

function assertPayable({ currency, amount }: Checkout): void {
  if (!currencies.includes(currency)) throw new AdapterError('refused', `${LABEL} takes no ${currency} here.`, { code: 'currency' })
  if (THREE_DECIMALS.includes(currency) && amount % 10 !== 0)
    throw new AdapterError('refused', `${LABEL} takes amounts in ${currency} with two decimals, and a third that is 0.`, {
      code: 'third_decimal',
    })
}

/** Builds the session. Its metadata is repeated for the PaymentIntent, which does not inherit it. */
function formOf(context: Context, asked: Checkout): Form {
  const { paymentId, reference, amount, currency, description, language, returnUrl, cancelUrl, customer } = asked
  return {
    mode: 'payment',
    'line_items[0][quantity]': 1,
    'line_items[0][price_data][currency]': currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': amount,
    'line_items[0][price_data][product_data][name]': description.trim() ? description : reference,
    client_reference_id: paymentId,
    'metadata[paymentId]': paymentId,
    'metadata[reference]': reference,
    'payment_intent_data[metadata][paymentId]': paymentId,
    'payment_intent_data[metadata][reference]': reference,
    success_url: `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${RETURNS}=${PLACE}`,
    cancel_url: cancelUrl,
    locale: locales[language],
    ...present({ customer_email: customer.email ?? undefined, expires_at: endFor(context) }),
  }
}

const SLOT_SECONDS = 600

/** Returns the session's end. Rounded up, so that retries within minutes send equal requests; one minute is added for Stripe's clock. */
function endFor({ settings, now }: Context): number | undefined {
  if (settings.payableMinutes === undefined) return undefined
  const earliest = now() / 1000 + (Number(settings.payableMinutes) + 1) * 60
  return Math.ceil(earliest / SLOT_SECONDS) * SLOT_SECONDS
}

const DIGEST_LETTERS = 16

/** Returns the idempotency key of a request. Stripe refuses a key that was used for another request. */
const keyOf = async ({ paymentId }: Checkout, form: Form) =>
  `checkout-${paymentId}-${toHex(await sha256(encodeForm(form))).slice(0, DIGEST_LETTERS)}`

const pathOf = (externalId: string) => `${SESSIONS}/${encodeURIComponent(externalId)}`

/** Reads a session with its charge. */
export async function sessionAt(context: Context, externalId: string): Promise<Row> {
  const row = await call(context, 'GET', pathOf(externalId), { query: EXPANDED })
  if (idIn(row) !== externalId) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return row
}

export async function read(context: Context, externalId: string): Promise<GatewayEvent> {
  const session = await sessionAt(context, externalId)
  const status = statusOf(session)
  const news = status && sessionEvent(session, status)
  if (!news) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return news
}

/** Returns the session of a payment; undefined when it has none. */
export async function sessionOf(context: Context, intent: string): Promise<string | undefined> {
  const { data } = await call(context, 'GET', SESSIONS, { query: { payment_intent: intent, limit: 1 } })
  if (!Array.isArray(data)) throw unreadable(LABEL, 'no list of sessions')
  return data.map(idIn)[0]
}

/** Tests the key by listing sessions, a permission that a restricted key may lack. */
export async function testConnection(context: Context): Promise<{ account: string }> {
  await call(context, 'GET', SESSIONS, { query: { limit: 1 } })
  return { account: /^[a-z]+_live_/.test(context.credentials.secretKey.trim()) ? 'live mode' : 'test mode' }
}

const closed: readonly GatewayEvent['status'][] = ['expired', 'cancelled', 'failed']

/** Expires a session. When Stripe refuses, reads whether it is closed. */
export async function expire(context: Context, externalId: string): Promise<void> {
  try {
    await call(context, 'POST', `${pathOf(externalId)}/expire`, { form: {} })
  } catch (error) {
    if (!(error instanceof AdapterError && error.reason === 'refused')) throw error
    const { status } = await read(context, externalId)
    if (!closed.includes(status)) throw error
  }
}
