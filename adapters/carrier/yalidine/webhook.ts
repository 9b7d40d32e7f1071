import {
  createReceiver,
  hexBytes,
  type InboundRequest,
  isHmacSha256,
  isRow,
  type Row,
  type StatusReport,
  text,
  type Webhook,
} from 'serai/carrier'
import type { Context, credentials, settings } from './fields.ts'
import { instant } from './parcels.ts'
import { paymentStatus, payments, unpaid } from './statuses.ts'

const maxToken = 512
const plain = { status: 200, contentType: 'text/plain; charset=utf-8' }

type News = Omit<StatusReport, 'at'>

/** Readers of each event type. An edit does not move the parcel, so it is ignored. */
const readers: Readonly<Record<string, (data: Row) => News | null | undefined>> = {
  parcel_created: (data) => ({
    carrierStatus: 'parcel_created',
    ...(text(data.order_id) && { reference: String(data.order_id) }),
  }),
  parcel_edited: () => null,
  parcel_deleted: () => ({ carrierStatus: 'parcel_deleted' }),
  parcel_status_updated: (data) => {
    const [carrierStatus, reason] = [text(data.status), text(data.reason)]
    return carrierStatus === undefined ? undefined : { carrierStatus, ...(reason !== undefined && { reason }) }
  },
  parcel_payment_updated: (data) => {
    const [raw, payoutId] = [text(data.status), text(data.payment_id)]
    if (raw === undefined) return undefined
    if (raw === unpaid) return null
    const status = payments[raw]
    return status ? { cash: { status, ...(payoutId !== undefined && { payoutId }) } } : { carrierStatus: paymentStatus(raw) }
  },
}

export const webhook: Webhook<typeof credentials, typeof settings> = {
  challenges: true,
  receive: createReceiver({ challenge, verify, parse }),
}

/** Answers the carrier's check that the address is ours, by returning its token. */
function challenge({ method, url }: InboundRequest) {
  const query = new URL(url, 'https://here.invalid').searchParams
  const token = query.get('crc_token')
  if (method !== 'GET' || !query.has('subscribe') || !token || token.length > maxToken) return null
  return { ...plain, body: token }
}

async function verify({ headers, body }: InboundRequest, { credentials, settings }: Context): Promise<boolean> {
  const hex = headerOf(headers, settings.signatureHeader)
  return hex !== undefined && isHmacSha256(credentials.webhookSecret ?? '', body, hexBytes(hex))
}

/** Reads a header. The documentation spells it with underscores, the wire with hyphens. */
function headerOf(headers: InboundRequest['headers'], name: string): string | undefined {
  const spelt = (header: string) => header.toLowerCase().replaceAll('_', '-')
  return Object.entries(headers)
    .find(([header]) => spelt(header) === spelt(name))?.[1]
    ?.trim()
}

function parse({ body }: InboundRequest, context: Context): StatusReport[] {
  const { type, events } = envelopeIn(new TextDecoder().decode(body))
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  if (!read) {
    context.log('a callback of an unknown type', { type: type.slice(0, 100) })
    return []
  }
  return events.flatMap((event) => {
    const report = reportIn(context, event, read)
    if (report === undefined) context.log('left out an event that cannot be read', { type })
    return report ?? []
  })
}

function envelopeIn(words: string): { type: string; events: readonly unknown[] } {
  try {
    const value: unknown = JSON.parse(words)
    if (isRow(value) && Array.isArray(value.events)) return { type: String(value.type), events: value.events }
  } catch {
    // Not JSON: returned as an event without a type.
  }
  return { type: '', events: [] }
}

function reportIn(context: Context, event: unknown, read: (data: Row) => News | null | undefined): StatusReport | null | undefined {
  if (!isRow(event) || !isRow(event.data)) return undefined
  const [trackingId, at, eventId] = [text(event.data.tracking), instant(context, event.occurred_at), eventIdOf(event)]
  const news = read(event.data)
  if (!news) return news
  if (trackingId === undefined || at === undefined) return undefined
  return { trackingId, at, ...(eventId !== undefined && { eventId }), ...news }
}

const eventIdOf = ({ event_id }: Row) => (typeof event_id === 'number' ? String(event_id) : text(event_id))
