import {
  createReceiver,
  hexBytes,
  type InboundRequest,
  instant,
  isHmacSha256,
  isRow,
  jsonIn,
  type StatusReport,
  text,
  type Webhook,
} from 'serai/carrier'
import type { Context, credentials, settingsOf } from './fields.ts'
import { noteStatus } from './statuses.ts'

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i
const STATE = /^order\.state\./
const NOTE = 'order.maj.added'

export const webhook: Webhook<typeof credentials, ReturnType<typeof settingsOf>> = { receive: createReceiver({ verify, parse }) }

async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const [, hex = ''] = SIGNATURE.exec(headers['x-ecotrack-signature']?.trim() ?? '') ?? []
  return isHmacSha256(credentials.webhookSecret ?? '', body, hexBytes(hex))
}

/** Parses a callback. The platform sends one event a request; a list of events is also accepted. */
function parse({ headers, body }: InboundRequest, context: Context): StatusReport[] {
  const value = jsonIn(new TextDecoder().decode(body))
  const events = Array.isArray(value) ? value : [value]
  const header = events.length === 1 ? text(headers['x-ecotrack-event-id']) : undefined
  return events.flatMap((event) => {
    const report = reportIn(context, event, header)
    if (report === undefined)
      context.log('left out an event that cannot be read', { event: isRow(event) ? String(event.event).slice(0, 100) : '' })
    return report ?? []
  })
}

function reportIn({ settings }: Context, event: unknown, header: string | undefined): StatusReport | undefined {
  if (!isRow(event)) return undefined
  const [trackingId, at, news] = [text(event.tracking), instant(event.occurred_at, settings.utcOffset), statusOf(event)]
  if (trackingId === undefined || at === undefined || news === undefined) return undefined
  // The platform keeps the id over its up to six deliveries.
  const eventId = text(event.event_id) ?? header
  return { trackingId, at, ...(eventId !== undefined && { eventId }), ...news }
}

/** Status of an event: a state by its code, or a note by its type, such as a failed attempt or a delay. */
function statusOf(event: Readonly<Record<string, unknown>>): { carrierStatus: string; reason?: string } | undefined {
  const name = text(event.event) ?? ''
  if (STATE.test(name)) {
    const code = (isRow(event.state) ? text(event.state.code) : undefined) ?? text(name.replace(STATE, ''))
    return code === undefined ? undefined : { carrierStatus: code }
  }
  const [type, reason] = name === NOTE && isRow(event.maj) ? [text(event.maj.type), text(event.maj.raison)] : []
  return type === undefined ? undefined : { carrierStatus: noteStatus(type), ...(reason !== undefined && { reason }) }
}
