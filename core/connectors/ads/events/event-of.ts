import type { AdsAdapter } from '../../../../plugins/ads/kind.ts'
import type { GivenEvent, PixelEvent } from '../../../../plugins/ads/model.ts'
import { newId } from '../../../lib/ids.ts'
import { normalizePhone } from '../../../lib/phone.ts'
import type { OrderRow } from '../../../orders/orders.queries.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { EventRow } from './events.queries.ts'

/** The same at every try, and what the browser's own copy is to be called: platforms count both once. */
export const eventIdOf = (orderId: string): string => `order-${orderId}`

const LINES_MAX = 200
const WEB = /^https?:\/\/[^\s]{1,2000}$/

/** An order as an event of a pixel. What storefronts know of the browser stands in its metadata. */
export function eventOfOrder(adapter: AdsAdapter, store: Store, order: OrderRow, { event: name, withValue, at }: EventRow): PixelEvent {
  const { metadata, destination } = order
  const said = (key: string, max: number) => printed(metadata[key], max)
  const [firstName = '', ...others] = order.customerName.trim().split(/\s+/)
  const url = said('url', 2000)
  const clickId = said(adapter.browser.clickId, 1000)
  const person = {
    email: printed(order.customerEmail, 320),
    phone: printed(order.customerPhone, 40),
    firstName: printed(firstName, 200),
    lastName: printed(others.join(' '), 200),
    city: printed(destination.cityName, 200),
    state: printed(destination.stateName, 200),
    country: printed(destination.country, 2),
    ip: said('ip', 60),
    userAgent: said('userAgent', 1000),
    clickId,
    // When it was nobody says: the order came of it, and what befell the order came later.
    clickedAt: clickId === undefined ? undefined : Date.parse(order.createdAt),
    browserId: said(adapter.browser.browserId, 500),
  }
  return {
    id: eventIdOf(order.id),
    name,
    at: Math.floor(Date.parse(at) / 1000),
    person: without(person),
    orderId: order.reference,
    ...(url !== undefined && WEB.test(url) && { url }),
    ...(withValue && { value: Number(order.total), currency: store.currencyCode }),
    contents: order.items.slice(0, LINES_MAX).map(({ productId, sku, name: line, quantity, unitPrice }) => ({
      id: String(productId ?? sku ?? 'line').slice(0, 100),
      ...without({ name: printed(line, 300) }),
      quantity: Number(quantity),
      price: Number(unitPrice),
    })),
  }
}

/** An event that a caller tells: of now and under an id of its own where it says neither, its telephone number with its country. */
export function eventGiven({ id, at, person, ...event }: GivenEvent, { countryCode }: Store): PixelEvent {
  const { phone, ...others } = person
  const international = phone === undefined ? null : normalizePhone(phone, person.country ?? countryCode)
  return {
    ...event,
    id: id ?? newId('evt'),
    at: at ?? Math.floor(Date.now() / 1000),
    person: { ...others, ...(international !== null && { phone: international }) },
  }
}

/** A text that can be told; undefined where nothing of it is left. */
function printed(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    value
      .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
      .trim()
      .slice(0, max) || undefined
  )
}

type Present<V> = { [K in keyof V]?: Exclude<V[K], undefined> }
const without = <V extends object>(values: V) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<V>
