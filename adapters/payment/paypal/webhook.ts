import {
  AdapterError,
  base64Bytes,
  type CheckoutStatus,
  createReceiver,
  type GatewayEvent,
  type InboundRequest,
  isRow,
  jsonIn,
  type Row,
  toBase64,
  unreadable,
} from 'serai/payment'
import { call } from './api.ts'
import { read } from './checkouts.ts'
import { type Context, LABEL } from './fields.ts'
import { captureEvent, captureIdIn, orderEvent, orderIdIn } from './news.ts'

export const webhook = { receive: createReceiver({ verify, parse }) }

/** Fields of PayPal's verification call, with the headers that hold them. */
const proofs = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const
const HEADER_MAX = 2000

/** Asks PayPal whether it signed the event, which is returned byte for byte: another encoding would fail. */
async function verify({ headers, body }: InboundRequest, context: Context): Promise<boolean> {
  const webhookId = context.credentials.webhookId?.trim()
  const event = eventIn(body)
  const given = Object.fromEntries(Object.entries(proofs).map(([name, header]) => [name, headers[header] ?? '']))
  if (!webhookId || event === undefined || !isPlausible(given)) return false
  const proof = JSON.stringify({ ...given, webhook_id: webhookId }).slice(0, -1)
  try {
    const path = 'v1/notifications/verify-webhook-signature'
    const { verification_status: said } = await call(context, 'POST', path, { body: `${proof},"webhook_event":${event}}`, readsOnly: true })
    if (said !== 'SUCCESS' && said !== 'FAILURE') throw unreadable(LABEL, 'whether it signed')
    return said === 'SUCCESS'
  } catch (error) {
    if (!(error instanceof AdapterError) || error.reason === 'unavailable' || error.reason === 'rate_limited') throw error
    context.log('could not ask whether a callback is true', { reason: error.reason })
    return false
  }
}

/** Returns the event's text if it is a complete JSON object. Other text could change the verification request that contains it. */
function eventIn(body: Uint8Array): string | undefined {
  try {
    const words = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return isRow(JSON.parse(words)) ? words : undefined
  } catch {
    return undefined
  }
}

/** Rejects implausible headers without a call. */
function isPlausible(given: Readonly<Record<string, string>>): boolean {
  const { cert_url = '', transmission_sig = '' } = given
  if (Object.values(given).some((value) => value === '' || value.length > HEADER_MAX)) return false
  const certificate = URL.parse(cert_url)
  if (certificate?.protocol !== 'https:' || !/(^|\.)paypal\.com$/.test(certificate.hostname)) return false
  return toBase64(base64Bytes(transmission_sig)) === transmission_sig
}

const ofCaptures: Readonly<Record<string, CheckoutStatus>> = {
  'PAYMENT.CAPTURE.COMPLETED': 'paid',
  'PAYMENT.CAPTURE.PENDING': 'processing',
  'PAYMENT.CAPTURE.DENIED': 'failed',
}
const APPROVED = 'CHECKOUT.ORDER.APPROVED'
/** Refund events hold one refund; the order is read to get all. */
const REVERSED = 'PAYMENT.CAPTURE.REVERSED'
const ofRefunds: readonly string[] = ['PAYMENT.CAPTURE.REFUNDED', REVERSED]

/** Parses a callback, which holds one event. */
async function parse({ body }: InboundRequest, context: Context): Promise<GatewayEvent[]> {
  const event = jsonIn(new TextDecoder().decode(body))
  const news = isRow(event) ? await paymentEventIn(context, event) : undefined
  if (!news) context.log('left out an event that is no news', { type: isRow(event) ? String(event.event_type).slice(0, 100) : '' })
  return news ? [news] : []
}

async function paymentEventIn(context: Context, { event_type: type, resource }: Row): Promise<GatewayEvent | undefined> {
  if (typeof type !== 'string' || !isRow(resource)) return undefined
  if (type === APPROVED) return orderEvent(resource, 'authorized')
  if (ofRefunds.includes(type)) return readAgain(context, resource, { isReversed: type === REVERSED })
  const status = Object.hasOwn(ofCaptures, type) ? ofCaptures[type] : undefined
  return status && captureEvent(resource, status)
}

async function readAgain(
  context: Context,
  resource: Row,
  { isReversed }: { readonly isReversed: boolean },
): Promise<GatewayEvent | undefined> {
  const externalId = orderIdIn(resource) ?? (await orderOf(context, captureIdIn(resource)))
  if (externalId === undefined) return undefined
  const news = await read(context, externalId)
  return isReversed && news.status === 'paid' ? { ...news, takenBack: true } : news
}

const orderOf = async (context: Context, captureId: string | undefined) =>
  captureId === undefined ? undefined : orderIdIn(await call(context, 'GET', `v2/payments/captures/${encodeURIComponent(captureId)}`))
