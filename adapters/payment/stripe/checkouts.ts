import {
  AdapterError,
  type Checkout,
  type CheckoutMade,
  type PaymentNews,
  present,
  type Row,
  sha256,
  toHex,
  unreadable,
  webAddress,
} from 'serai/payment'
import { call, type Form, written } from './api.ts'
import { currencies, THREE_DECIMALS } from './currencies.ts'
import { type Context, LABEL } from './fields.ts'
import { idIn, newsOf, statusOf, timeIn } from './news.ts'

/** The query parameter in which the payer's return names the checkout. */
export const RETURNS = 'session_id'
/** Stripe puts the name in its place, where it finds these very letters. */
const PLACE = '{CHECKOUT_SESSION_ID}'
const SESSIONS = 'checkout/sessions'
/** All that a page can be read of, in one call. */
const EXPANDED = { 'expand[]': ['payment_intent.latest_charge.balance_transaction'] }
/** Checkout speaks no Arabic: then it asks the browser. */
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

/** What a session is called by is not copied to its PaymentIntent, so both are told. */
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

/** Rounded up, so that asking twice within some minutes asks for the same; a minute more, since Stripe's clock is another. */
function endFor({ settings, now }: Context): number | undefined {
  if (settings.payableMinutes === undefined) return undefined
  const earliest = now() / 1000 + (Number(settings.payableMinutes) + 1) * 60
  return Math.ceil(earliest / SLOT_SECONDS) * SLOT_SECONDS
}

const DIGEST_LETTERS = 16

/** The same question has the same key. Under a key that was used for another question Stripe would refuse. */
const keyOf = async ({ paymentId }: Checkout, form: Form) =>
  `checkout-${paymentId}-${toHex(await sha256(written(form))).slice(0, DIGEST_LETTERS)}`

const pathOf = (externalId: string) => `${SESSIONS}/${encodeURIComponent(externalId)}`

/** A session as it stands, with its charge. */
export async function sessionAt(context: Context, externalId: string): Promise<Row> {
  const row = await call(context, 'GET', pathOf(externalId), { query: EXPANDED })
  if (idIn(row) !== externalId) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return row
}

export async function read(context: Context, externalId: string): Promise<PaymentNews> {
  const session = await sessionAt(context, externalId)
  const status = statusOf(session)
  const news = status && newsOf(session, status)
  if (!news) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return news
}

/** The name of the session that a payment was made in; undefined where it was made otherwise. */
export async function sessionOf(context: Context, intent: string): Promise<string | undefined> {
  const { data } = await call(context, 'GET', SESSIONS, { query: { payment_intent: intent, limit: 1 } })
  if (!Array.isArray(data)) throw unreadable(LABEL, 'no list of sessions')
  return data.map(idIn)[0]
}

/** Asks for what every other call needs leave for too; a restricted key may lack it. */
export async function testConnection(context: Context): Promise<{ account: string }> {
  await call(context, 'GET', SESSIONS, { query: { limit: 1 } })
  return { account: /^[a-z]+_live_/.test(context.credentials.secretKey.trim()) ? 'live mode' : 'test mode' }
}

const closed: readonly PaymentNews['status'][] = ['expired', 'cancelled', 'failed']

/** Stripe refuses to close what is closed: then it is read. */
export async function expire(context: Context, externalId: string): Promise<void> {
  try {
    await call(context, 'POST', `${pathOf(externalId)}/expire`, { form: {} })
  } catch (error) {
    if (!(error instanceof AdapterError && error.reason === 'refused')) throw error
    const { status } = await read(context, externalId)
    if (!closed.includes(status)) throw error
  }
}
