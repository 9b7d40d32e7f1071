import {
  type CheckoutStatus,
  createReceiver,
  type GatewayEvent,
  hexBytes,
  type InboundRequest,
  isHmacSha256,
  isRow,
  jsonIn,
  type Row,
} from 'serai/payment'
import { read, sessionOf } from './checkouts.ts'
import type { Context } from './fields.ts'
import { idIn, sessionEvent, statusOf } from './news.ts'

export const webhook = { receive: createReceiver({ verify, parse }) }

/** Signature header; unknown schemes are ignored. */
const HEADER = /^t=(\d{1,12})((?:,[a-z]\w{0,9}=[0-9A-Za-z]+)+)$/
const SIGNATURE = /,v1=([0-9a-f]{64})(?=,|$)/g
/** Maximum signatures: one per secret during a rotation. */
const SIGNATURES_MAX = 8
/** Stripe's default tolerance, applied to both sides: a clock that is wrong may be ahead as well as behind. */
const TOLERANCE_SECONDS = 300

/** Verifies the signature over time and exact body. The key is the whole secret, including `whsec_`. */
async function verify({ headers, body }: InboundRequest, { credentials, now }: Context): Promise<boolean> {
  const [, time, signatures = ''] = HEADER.exec(headers['stripe-signature'] ?? '') ?? []
  const secret = credentials.webhookSecret?.trim()
  if (time === undefined || !secret || body.length === 0) return false
  if (Math.abs(now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false
  const signed = new Uint8Array([...new TextEncoder().encode(`${time}.`), ...body])
  const given = [...signatures.matchAll(SIGNATURE)].slice(0, SIGNATURES_MAX)
  const proven = await Promise.all(given.map(([, hex = '']) => isHmacSha256(secret, signed, hexBytes(hex))))
  return proven.includes(true)
}

/** Statuses of session events. When the payer has finished, the session tells the result. */
const ofSessions: Readonly<Record<string, (session: Row) => CheckoutStatus | undefined>> = {
  'checkout.session.completed': statusOf,
  'checkout.session.async_payment_succeeded': () => 'paid',
  'checkout.session.async_payment_failed': () => 'failed',
  'checkout.session.expired': () => 'expired',
}
/** Refund events name a payment and no session, so the session is read. */
const ofRefunds: readonly string[] = ['charge.refunded', 'refund.created', 'refund.updated', 'refund.failed']

/**
 * Parses a callback, which holds one event. PaymentIntent events are ignored: a failed one can be retried on the same page, and a success
 * comes with the session.
 */
async function parse({ body }: InboundRequest, context: Context): Promise<GatewayEvent[]> {
  const event = jsonIn(new TextDecoder().decode(body))
  const news = isRow(event) ? await paymentEventIn(context, event) : undefined
  if (!news) context.log('left out an event that is no news', { type: isRow(event) ? String(event.type).slice(0, 100) : '' })
  return news ? [news] : []
}

async function paymentEventIn(context: Context, { type, data, created }: Row): Promise<GatewayEvent | undefined> {
  if (typeof type !== 'string' || !isRow(data) || !isRow(data.object)) return undefined
  if (ofRefunds.includes(type)) return readAgain(context, data.object)
  const status = Object.hasOwn(ofSessions, type) ? ofSessions[type]?.(data.object) : undefined
  return status && sessionEvent(data.object, status, created)
}

async function readAgain(context: Context, { payment_intent }: Row): Promise<GatewayEvent | undefined> {
  const intent = idIn(payment_intent)
  const externalId = intent && (await sessionOf(context, intent))
  return externalId ? read(context, externalId) : undefined
}
