import { type CheckoutStatus, hexBytes, type InboundRequest, isHmacSha256, isRow, jsonIn, type PaymentNews, type Row } from 'serai/payment'
import { read, sessionOf } from './checkouts.ts'
import type { Context } from './fields.ts'
import { idIn, newsOf, statusOf } from './news.ts'

export const webhook = { verify, parse }

/** Schemes that are not known are passed over. */
const HEADER = /^t=(\d{1,12})((?:,[a-z]\w{0,9}=[0-9A-Za-z]+)+)$/
const SIGNATURE = /,v1=([0-9a-f]{64})(?=,|$)/g
/** While a secret is being changed there is one for each. */
const SIGNATURES_MAX = 8
const TOLERANCE_SECONDS = 300

/** The time and the exact bytes are signed, with the secret as it is written, `whsec_` and all. */
async function verify({ headers, body }: InboundRequest, { credentials, now }: Context): Promise<boolean> {
  const [, time, signatures = ''] = HEADER.exec(headers['stripe-signature'] ?? '') ?? []
  const secret = credentials.webhookSecret?.trim()
  if (time === undefined || !secret || body.length === 0) return false
  if (now() / 1000 - Number(time) > TOLERANCE_SECONDS) return false
  const signed = new Uint8Array([...new TextEncoder().encode(`${time}.`), ...body])
  const given = [...signatures.matchAll(SIGNATURE)].slice(0, SIGNATURES_MAX)
  const proven = await Promise.all(given.map(([, hex = '']) => isHmacSha256(secret, signed, hexBytes(hex))))
  return proven.includes(true)
}

/** What each event of a session says of it. When the payer is done, the session says whether that was all. */
const ofSessions: Readonly<Record<string, (session: Row) => CheckoutStatus | undefined>> = {
  'checkout.session.completed': statusOf,
  'checkout.session.async_payment_succeeded': () => 'paid',
  'checkout.session.async_payment_failed': () => 'failed',
  'checkout.session.expired': () => 'expired',
}
/** They name a payment and no session, so the session is read. */
const ofRefunds: readonly string[] = ['charge.refunded', 'refund.created', 'refund.updated', 'refund.failed']

/**
 * One event a request. Those of PaymentIntents are no news: one that failed may be tried again on the same page, and what succeeded is told
 * by its session, with the name that we know it by.
 */
async function parse({ body }: InboundRequest, context: Context): Promise<PaymentNews[]> {
  const event = jsonIn(new TextDecoder().decode(body))
  const news = isRow(event) ? await newsIn(context, event) : undefined
  if (!news) context.log('left out an event that is no news', { type: isRow(event) ? String(event.type).slice(0, 100) : '' })
  return news ? [news] : []
}

async function newsIn(context: Context, { type, data, created }: Row): Promise<PaymentNews | undefined> {
  if (typeof type !== 'string' || !isRow(data) || !isRow(data.object)) return undefined
  if (ofRefunds.includes(type)) return readAgain(context, data.object)
  const status = Object.hasOwn(ofSessions, type) ? ofSessions[type]?.(data.object) : undefined
  return status && newsOf(data.object, status, created)
}

async function readAgain(context: Context, { payment_intent }: Row): Promise<PaymentNews | undefined> {
  const intent = idIn(payment_intent)
  const externalId = intent && (await sessionOf(context, intent))
  return externalId ? read(context, externalId) : undefined
}
