import { hexBytes, type InboundRequest, isHmacSha256, isRow, jsonIn, type PaymentNews, readable } from 'serai/payment'
import { keyOf } from './api.ts'
import type { Context } from './fields.ts'
import { newsOf, statusOf } from './news.ts'

export const webhook = { verify, parse }

/** Lower case, as it is written: no other spelling of it was ever signed. */
const SIGNATURE = /^[0-9a-f]{64}$/
const TYPE = /^checkout\.(paid|failed|canceled|expired)$/

/** There is no secret of callbacks: they are signed with the very key of the calls. */
async function verify({ headers, body }: InboundRequest, context: Context): Promise<boolean> {
  const signature = headers.signature ?? ''
  return body.length > 0 && SIGNATURE.test(signature) && isHmacSha256(keyOf(context), body, hexBytes(signature))
}

/** One event a request; a list of them is read too. */
function parse({ body }: InboundRequest, context: Context): PaymentNews[] {
  const events = [jsonIn(new TextDecoder().decode(body))].flat()
  return readable(context, events, (event) => eventIn(context, event))
}

/** What the type says is what happened: the checkout beside it may have moved on. */
function eventIn(context: Context, event: unknown): PaymentNews | undefined {
  if (!isRow(event) || !isRow(event.data)) return undefined
  const status = statusOf(TYPE.exec(String(event.type))?.[1])
  return status && newsOf(context, event.data, status)
}
