import { createReceiver, type GatewayEvent, hexBytes, type InboundRequest, isHmacSha256, isRow, jsonIn, readable } from 'serai/payment'
import { keyOf } from './api.ts'
import type { Context } from './fields.ts'
import { checkoutEvent, statusOf } from './news.ts'

export const webhook = { receive: createReceiver({ verify, parse }) }

/** Signature in lower case, the only form that Chargily sends. */
const SIGNATURE = /^[0-9a-f]{64}$/
const TYPE = /^checkout\.(paid|failed|canceled|expired)$/

/** Verifies the signature, which is made with the API key; there is no separate webhook secret. */
async function verify({ headers, body }: InboundRequest, context: Context): Promise<boolean> {
  const signature = headers.signature ?? ''
  return body.length > 0 && SIGNATURE.test(signature) && isHmacSha256(keyOf(context), body, hexBytes(signature))
}

/** Parses a callback. The gateway sends one event a request; a list is also accepted. */
function parse({ body }: InboundRequest, context: Context): GatewayEvent[] {
  const events = [jsonIn(new TextDecoder().decode(body))].flat()
  return readable(context, events, (event) => eventIn(context, event))
}

/** Returns the event. The status comes from the type, because the embedded checkout may have changed since. */
function eventIn(context: Context, event: unknown): GatewayEvent | undefined {
  if (!isRow(event) || !isRow(event.data)) return undefined
  const status = statusOf(TYPE.exec(String(event.type))?.[1])
  return status && checkoutEvent(context, event.data, status)
}
