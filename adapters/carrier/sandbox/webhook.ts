import { createReceiver, hexBytes, type InboundRequest, isHmacSha256, isRow, newSecret, type StatusReport } from 'serai/carrier'
import type { Sandbox } from './fields.ts'
import { change, withStep } from './store.ts'

const header = 'x-sandbox-signature'
const form = /^sha256=([0-9a-f]{64})$/

interface Event {
  readonly tracking: string
  readonly at: string
  readonly status?: string
  readonly eventId?: string
  /** Payout of the parcel's money, with or without a status. */
  readonly payout?: string
}

export const webhook = { receive: createReceiver({ verify, parse }) }

async function verify({ headers, body }: InboundRequest, { credentials }: Sandbox): Promise<boolean> {
  const hex = form.exec(headers[header] ?? '')?.[1]
  return hex !== undefined && isHmacSha256(credentials.webhookSecret ?? '', body, hexBytes(hex))
}

/** Parses a callback and stores its state, which `track` returns from then on. */
async function parse({ body }: InboundRequest, context: Sandbox): Promise<StatusReport[]> {
  const reports: StatusReport[] = []
  for (const raw of eventsIn(new TextDecoder().decode(body))) {
    const event = parseEvent(raw)
    if (event) reports.push(await applyEvent(context, event))
    else context.log('left out an event that lacks tracking, at, or status')
  }
  return reports
}

function eventsIn(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    const events = isRow(value) && Array.isArray(value.events) ? value.events : [value]
    return events
  } catch {
    return [undefined]
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function parseEvent(value: unknown): Event | undefined {
  if (!isRow(value) || !isText(value.tracking) || !isText(value.at) || Number.isNaN(Date.parse(value.at))) return undefined
  const { tracking, at, status, eventId, payout } = value
  if (!isText(status) && !isText(payout)) return undefined
  return {
    tracking,
    at: new Date(at).toISOString(),
    ...(isText(status) && { status }),
    ...(isText(eventId) && { eventId }),
    ...(isText(payout) && { payout }),
  }
}

async function applyEvent(context: Sandbox, { tracking, status, at, eventId, payout }: Event): Promise<StatusReport> {
  const step = status === undefined ? undefined : { status, at, ...(eventId !== undefined && { eventId }) }
  const parcel = await change(context, tracking, (before) => {
    const moved = step ? withStep(before, step) : before
    return payout === undefined ? moved : { ...moved, payout }
  })
  const paid = { status: 'paid_out' as const, ...(parcel && { amount: parcel.shipment.codAmount, fee: parcel.fee }) }
  return {
    trackingId: tracking,
    at,
    ...(status !== undefined && { carrierStatus: status }),
    ...(eventId !== undefined && { eventId }),
    ...(payout !== undefined && { cash: { ...paid, payoutId: payout } }),
  }
}

export async function setupWebhook(context: Sandbox, url: string): Promise<{ credentials: { webhookSecret: string } }> {
  await context.storage.set('webhook', url)
  return { credentials: { webhookSecret: newSecret() } }
}
