import {
  AdapterError,
  hashedAs,
  normalCity,
  normalCountry,
  normalEmail,
  normalName,
  normalZip,
  number,
  type PixelEvent,
  phoneDigits,
  present,
  type Sending,
  type Sent,
  sendParted,
  type Testing,
  unreadable,
} from 'serai/ads'
import { type Context, LABEL } from './fields.ts'
import { graph, wasForbidden } from './graph.ts'

export const EVENTS_AT_ONCE = 1000
const trimmedOrUndefined = (typed: string) => typed.trim() || undefined

/** Hashes the personal fields, each as a list. IP address, user agent and the cookies' values are sent as they are. */
async function userOf({ person, at }: PixelEvent) {
  const { email, phone, firstName, lastName, city, state, zip, country, externalId, ip, userAgent, clickId, clickedAt, browserId } = person
  const digests = {
    em: await hashedAs(normalEmail, email),
    ph: await hashedAs(phoneDigits, phone),
    fn: await hashedAs(normalName, firstName),
    ln: await hashedAs(normalName, lastName),
    ct: await hashedAs(normalCity, city),
    st: await hashedAs(normalCity, state),
    zp: await hashedAs((typed) => normalZip(typed, country), zip),
    country: await hashedAs(normalCountry, country),
    external_id: await hashedAs(trimmedOrUndefined, externalId),
  }
  return {
    ...Object.fromEntries(Object.entries(digests).flatMap(([name, digest]) => (digest === undefined ? [] : [[name, [digest]]]))),
    ...present({
      client_ip_address: ip,
      client_user_agent: userAgent,
      fbc: clickId && `fb.1.${clickedAt ?? at * 1000}.${clickId}`,
      fbp: browserId,
    }),
  }
}

const customOf = ({ value, currency, orderId, contents }: PixelEvent) =>
  present({
    value,
    currency,
    order_id: orderId,
    ...(contents && {
      content_type: 'product',
      content_ids: contents.map(({ id }) => id),
      contents: contents.map(({ id, quantity, price }) => ({ id, quantity, item_price: price })),
      num_items: contents.reduce((sum, { quantity }) => sum + quantity, 0),
    }),
  })

/** Builds one event. `website` requires the page and the user agent; an event without both is sent as `system_generated`. */
async function buildEvent(event: PixelEvent) {
  const isOfBrowser = event.url !== undefined && event.person.userAgent !== undefined
  return {
    event_name: event.name,
    event_time: event.at,
    event_id: event.id,
    action_source: isOfBrowser ? 'website' : 'system_generated',
    ...present({ event_source_url: event.url }),
    user_data: await userOf(event),
    custom_data: customOf(event),
  }
}

async function send(context: Context, pixelId: string, events: readonly PixelEvent[], testCode?: string): Promise<void> {
  const json = { data: await Promise.all(events.map(buildEvent)), ...(testCode !== undefined && { test_event_code: testCode }) }
  const { events_received: received } = await graph(context, `${pixelId}/events`, { json }).catch((error: unknown) => {
    // No event is at fault: they wait until the user grants the permission again.
    throw wasForbidden(error)
      ? new AdapterError('unauthorized', `Pixel ${pixelId} cannot receive events: ${error.message}`, error.upstream)
      : error
  })
  if (number(received) === undefined) throw unreadable(LABEL, 'not how many events it received')
}

/** Sends events in batches. Meta refuses a whole request for one bad event. It drops repeats by name and id, so a batch can be retried. */
export const sendEvents = (context: Context, { pixelId, events }: Sending): Promise<Sent> =>
  sendParted(events, EVENTS_AT_ONCE, (part) => send(context, pixelId, part))

export const testEvent = (context: Context, { pixelId, code, event }: Testing): Promise<Sent> =>
  sendParted([event], 1, (part) => send(context, pixelId, part, code))
