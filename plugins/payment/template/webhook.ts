import { hexBytes, type InboundRequest, isHmacSha256, isRow, jsonIn, type PaymentNews, readable } from 'serai/payment'
import type { Context } from './fields.ts'
import { newsOf } from './news.ts'

/** Lower case, as it is written: no other spelling of it was ever signed. */
const signature = /^[0-9a-f]{64}$/

/** Callbacks: `x-signature` is the hexadecimal HMAC-SHA256 of the body under the webhook secret. */
export const webhook = {
  async verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
    const given = headers['x-signature'] ?? ''
    return body.length > 0 && signature.test(given) && isHmacSha256(credentials.webhookSecret ?? '', body, hexBytes(given))
  },

  /** One bad event never hides the others: it is left out, and the log says so. */
  parse({ body }: InboundRequest, context: Context): PaymentNews[] {
    const value = jsonIn(new TextDecoder().decode(body))
    const events = isRow(value) && Array.isArray(value.events) ? value.events : []
    return readable(context, events, (event: unknown) => (isRow(event) && event.type === 'checkout' ? newsOf(event.checkout) : undefined))
  },
}
