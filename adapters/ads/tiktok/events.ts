import {
  AdapterError,
  hashedAs,
  normalEmail,
  type PixelEvent,
  phoneWithPlus,
  present,
  type Sending,
  type Sent,
  sendParted,
  type Testing,
} from 'serai/ads'
import { api, wasForbidden } from './api.ts'
import type { Context } from './fields.ts'

/** Events per request. TikTok's documents disagree on the maximum; other clients send 50. */
export const EVENTS_AT_ONCE = 50
const trimmedOrUndefined = (typed: string) => typed.trim() || undefined

/** Hashes the personal fields. A phone number is hashed with its plus sign. */
const userOf = async ({ person: { email, phone, externalId, ip, userAgent, clickId, browserId } }: PixelEvent) =>
  present({
    email: await hashedAs(normalEmail, email),
    phone: await hashedAs(phoneWithPlus, phone),
    external_id: await hashedAs(trimmedOrUndefined, externalId),
    ttclid: clickId,
    ttp: browserId,
    ip,
    user_agent: userAgent,
  })

const propertiesOf = ({ value, currency, orderId, contents }: PixelEvent) =>
  present({
    value,
    currency,
    order_id: orderId,
    ...(contents && {
      content_type: 'product',
      contents: contents.map(({ id, name, quantity, price }) => ({ content_id: id, quantity, price, ...present({ content_name: name }) })),
    }),
  })

const buildEvent = async (event: PixelEvent) => ({
  event: event.name,
  event_time: event.at,
  event_id: event.id,
  user: await userOf(event),
  ...(event.url !== undefined && { page: { url: event.url } }),
  properties: propertiesOf(event),
})

async function send(context: Context, pixelId: string, events: readonly PixelEvent[], testCode?: string): Promise<void> {
  const json = {
    event_source: 'web',
    event_source_id: pixelId,
    ...(testCode !== undefined && { test_event_code: testCode }),
    data: await Promise.all(events.map(buildEvent)),
  }
  await api(context, 'event/track', { json, token: context.credentials.eventsToken }).catch((error: unknown) => {
    // No event is at fault: they wait until the user grants the permission again.
    throw wasForbidden(error)
      ? new AdapterError('unauthorized', `Pixel ${pixelId} cannot receive events: ${error.message}`, error.upstream)
      : error
  })
}

/** Sends events in batches. TikTok drops repeats by name and id, so a batch can be retried. */
export const sendEvents = (context: Context, { pixelId, events }: Sending): Promise<Sent> =>
  sendParted(events, EVENTS_AT_ONCE, (part) => send(context, pixelId, part))

export const testEvent = (context: Context, { pixelId, code, event }: Testing): Promise<Sent> =>
  sendParted([event], 1, (part) => send(context, pixelId, part, code))
