import {
  type CarrierContext,
  createReceiver,
  hexBytes,
  isHmacSha256,
  isRow,
  jsonIn,
  rows,
  type StatusReport,
  text,
  type Webhook,
} from 'serai/carrier'
import type { credentials, settings } from './fields.ts'

type Context = CarrierContext<typeof credentials, typeof settings>

/** Verifies and reads callbacks: `x-signature` is the hexadecimal HMAC-SHA256 of the body under the webhook secret. */
export const webhook: Webhook<typeof credentials, typeof settings> = {
  receive: createReceiver({
    verify: ({ headers, body }, context: Context) =>
      isHmacSha256(context.credentials.webhookSecret ?? '', body, hexBytes(headers['x-signature'] ?? '')),
    parse({ body }, context: Context) {
      const value = jsonIn(new TextDecoder().decode(body))
      const events = isRow(value) && Array.isArray(value.events) ? value.events : []
      return events.flatMap((event) => reportIn(context, event))
    },
  }),
}

/** Reads the events of a callback. An unreadable event is left out with a log line, and hides no other. */
function reportIn(context: Context, event: unknown): StatusReport[] {
  const [row] = rows([event])
  const [trackingId, carrierStatus, at, eventId] = [text(row?.tracking), text(row?.status), text(row?.at), text(row?.id)]
  if (trackingId && carrierStatus && at && !Number.isNaN(Date.parse(at))) {
    return [{ trackingId, carrierStatus, at: new Date(at).toISOString(), ...(eventId !== undefined && { eventId }) }]
  }
  context.log('left out an event that cannot be read')
  return []
}
