import { createReceiver, type GatewayEvent, hexBytes, type InboundRequest, isHmacSha256, isRow, jsonIn, readable } from 'serai/payment'
import type { Context } from './fields.ts'
import { newsOf } from './news.ts'

/** Pattern of a signature: lower case only, as the gateway writes it. */
const signature = /^[0-9a-f]{64}$/

/** Verifies and reads callbacks: `x-signature` is the hexadecimal HMAC-SHA256 of the body under the webhook secret. */
export const webhook = { receive: createReceiver({ verify, parse }) }

async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const given = headers['x-signature'] ?? ''
  return body.length > 0 && signature.test(given) && isHmacSha256(credentials.webhookSecret ?? '', body, hexBytes(given))
}

/** Reads the events of a callback. An unreadable event is left out with a log line, and hides no other. */
function parse({ body }: InboundRequest, context: Context): GatewayEvent[] {
  const value = jsonIn(new TextDecoder().decode(body))
  const events = isRow(value) && Array.isArray(value.events) ? value.events : []
  return readable(context, events, (event: unknown) => (isRow(event) && event.type === 'checkout' ? newsOf(event.checkout) : undefined))
}
