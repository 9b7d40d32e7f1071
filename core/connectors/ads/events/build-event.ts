import type { GivenEvent, PixelEvent } from '../../../../plugins/ads/events.model.ts'
import type { AdsAdapter } from '../../../../plugins/ads/kind.ts'
import { newId } from '../../../lib/ids.ts'
import { normalizePhone } from '../../../lib/phone.ts'
import type { OrderRow } from '../../../orders/orders.queries.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { AdsEventRow } from './events.queries.ts'

/**
 * Returns the event id of an order. It is stable across retries and equals the id of the browser's copy, so that platforms count both once.
 */
const eventIdOf = (orderId: string): string => `order-${orderId}`

const LINES_MAX = 200
const WEB = /^https?:\/\/[^\s]{1,2000}$/

/** Builds the pixel event of an order. The order's metadata holds what the storefront knows about the browser. */
export function buildOrderEvent(
  adapter: AdsAdapter,
  store: Store,
  order: OrderRow,
  { event: name, withValue, at }: AdsEventRow,
): PixelEvent {
  const { metadata, destination } = order
  const metadataText = (key: string, max: number) => cleanText(metadata[key], max)
  const [firstName = '', ...otherNames] = order.customerName.trim().split(/\s+/)
  const url = metadataText('url', 2000)
  const clickId = metadataText(adapter.browser.clickId, 1000)
  const person = {
    email: cleanText(order.customerEmail, 320),
    phone: cleanText(order.customerPhone, 40),
    firstName: cleanText(firstName, 200),
    lastName: cleanText(otherNames.join(' '), 200),
    city: cleanText(destination.cityName, 200),
    state: cleanText(destination.stateName, 200),
    country: cleanText(destination.country, 2),
    ip: metadataText('ip', 60),
    userAgent: metadataText('userAgent', 1000),
    clickId,
    // The time of the click is unknown. The order followed the click, so the order's time is the closest.
    clickedAt: clickId === undefined ? undefined : Date.parse(order.createdAt),
    browserId: metadataText(adapter.browser.browserId, 500),
  }
  return {
    id: eventIdOf(order.id),
    name,
    at: Math.floor(Date.parse(at) / 1000),
    person: withoutUndefined(person),
    orderId: order.reference,
    ...(url !== undefined && WEB.test(url) && { url }),
    ...(withValue && { value: Number(order.total), currency: store.currencyCode }),
    contents: order.items.slice(0, LINES_MAX).map(({ productId, sku, name: line, quantity, unitPrice }) => ({
      id: String(productId ?? sku ?? 'line').slice(0, 100),
      ...withoutUndefined({ name: cleanText(line, 300) }),
      quantity: Number(quantity),
      price: Number(unitPrice),
    })),
  }
}

/** Builds the event that a caller sends. Adds the present time, a new id and the international phone number if they are missing. */
export function buildGivenEvent({ id, at, person, ...event }: GivenEvent, { countryCode }: Store): PixelEvent {
  const { phone, ...otherFields } = person
  const international = phone === undefined ? null : normalizePhone(phone, person.country ?? countryCode)
  return {
    ...event,
    id: id ?? newId('evt'),
    at: at ?? Math.floor(Date.now() / 1000),
    person: { ...otherFields, ...(international !== null && { phone: international }) },
  }
}

/** Returns a text without control characters, cut to a length; undefined if nothing remains. */
function cleanText(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    value
      .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
      .trim()
      .slice(0, max) || undefined
  )
}

type Present<V> = { [K in keyof V]?: Exclude<V[K], undefined> }
const withoutUndefined = <V extends object>(values: V) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<V>
