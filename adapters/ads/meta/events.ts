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
const asIs = (typed: string) => typed.trim() || undefined

/** Digests stand in lists. Addresses of networks, programs and what its own cookies say are never hashed. */
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
    external_id: await hashedAs(asIs, externalId),
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

/** `website` wants the page and the browser; what has neither is told as the system's own word. */
async function written(event: PixelEvent) {
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
  const json = { data: await Promise.all(events.map(written)), ...(testCode !== undefined && { test_event_code: testCode }) }
  const { events_received: received } = await graph(context, `${pixelId}/events`, { json }).catch((error: unknown) => {
    // No event is to blame for it: they wait until somebody gives the right back.
    throw wasForbidden(error)
      ? new AdapterError('unauthorized', `Pixel ${pixelId} may not be told: ${error.message}`, error.upstream)
      : error
  })
  if (number(received) === undefined) throw unreadable(LABEL, 'not how many events it received')
}

/** Meta refuses all events of a request for one. Repeated ones it knows by name and id, so that a part may be sent again. */
export const sendEvents = (context: Context, { pixelId, events }: Sending): Promise<Sent> =>
  sendParted(events, EVENTS_AT_ONCE, (part) => send(context, pixelId, part))

export const testEvent = (context: Context, { pixelId, code, event }: Testing): Promise<Sent> =>
  sendParted([event], 1, (part) => send(context, pixelId, part, code))
