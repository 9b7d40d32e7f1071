import {
  base64Bytes,
  createReceiver,
  type InboundRequest,
  isHmacSha256,
  isRow,
  jsonIn,
  type Row,
  type StatusReport,
  text,
  type Webhook,
  yes,
} from 'serai/carrier'
import type { Context, credentials, settings } from './fields.ts'
import { timeIn } from './parcels.ts'
import { noteStep, type Step } from './seen.ts'
import { situationReason, situationWord, stateWord } from './statuses.ts'

const toleranceSeconds = 300
const signaturesMax = 10

export const webhook: Webhook<typeof credentials, typeof settings> = { receive: createReceiver({ verify, parse }) }

/**
 * Verifies a Svix signature: HMAC-SHA256 over `id.timestamp.body`, keyed by the decoded base64 secret. During a rotation there are several
 * signatures.
 */
async function verify({ headers, body }: InboundRequest, { credentials, now }: Context): Promise<boolean> {
  const key = base64Bytes((credentials.webhookSecret ?? '').replace(/^whsec_/, ''))
  const { 'svix-id': id, 'svix-timestamp': timestamp = '', 'svix-signature': signatures } = headers
  if (key.length === 0 || !id || !signatures || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  for (const candidate of signatures.split(' ').slice(0, signaturesMax)) {
    const [version, signature = ''] = candidate.split(',')
    if (version === 'v1' && (await isHmacSha256(key, signed, base64Bytes(signature)))) return true
  }
  return false
}

type News = Step & { readonly kind: 'state' | 'situation' }

/** Readers of each event type. The status includes `isReturn`, so the turn into a return is a new state. */
const readers: Readonly<Record<string, (data: Row, at: string) => News | undefined>> = {
  'parcel.state.updated': stateIn,
  'parcel.isReturn.updated': stateIn,
  'parcel.state.situation.created': ({ situation }, at) => {
    const word = situationWord(situation)
    const reason = isRow(situation) ? situationReason(situation) : undefined
    return word ? { kind: 'situation', carrierStatus: word, at, ...(reason && { reason }) } : undefined
  },
}

function stateIn({ state, isReturn }: Row, at: string): News | undefined {
  const word = stateWord(state, { isReturn: yes(isReturn) })
  return word ? { kind: 'state', carrierStatus: word, at } : undefined
}

/** Parses a callback. The carrier sends one event a request; a list is also accepted. */
async function parse({ headers, body }: InboundRequest, context: Context): Promise<StatusReport[]> {
  const value = jsonIn(new TextDecoder().decode(body))
  const reports: StatusReport[] = []
  for (const event of [value].flat()) {
    const report = reportIn(context, event)
    if (!report) {
      context.log('left out an event that cannot be read', { type: isRow(event) ? String(event.eventType).slice(0, 100) : 'none' })
      continue
    }
    const eventId = headers['svix-id']
    const { kind, trackingId, reference, ...told } = report
    const step = { ...told, ...(eventId && { eventId }) }
    if (trackingId) await noteStep(context, trackingId, { [kind]: step })
    reports.push({ ...(trackingId && { trackingId }), ...(reference && { reference }), ...step })
  }
  return reports
}

function reportIn(context: Context, event: unknown) {
  if (!isRow(event) || !isRow(event.data)) return undefined
  const { data, eventType } = event
  const [trackingId, reference, at] = [text(data.trackingNumber), text(data.externalId), timeIn(context, event.occurredAt)]
  const read = Object.hasOwn(readers, String(eventType)) ? readers[String(eventType)] : undefined
  const news = at && read?.(data, at)
  return news && (trackingId ?? reference) ? { ...news, trackingId, reference } : undefined
}
