import type { ExternalOrder } from 'serai/connector'
import type { Sandbox } from './fields.ts'

const ORDERS_MAX = 100_000
const FIRST_AT = Date.parse('2026-01-01T08:00:00Z')
const MINUTE_MS = 60_000
const PRICE = 1500
const DELIVERY = 400

/** Places as customers type them. */
const places = [
  ['16', 'Bab Ezzouar'],
  ['Oran', 'Bir El Djir'],
  ['25 - Constantine', 'El Khroub'],
  ['Alger', 'Bab Ezouar'],
] as const

export const countOf = ({ settings }: Pick<Sandbox, 'settings'>): number =>
  Math.max(0, Math.min(ORDERS_MAX, Math.trunc(Number(settings.orders) || 0)))

/** Returns sample order number `number`, from 1; always the same. */
export function sampleOrder({ settings }: Pick<Sandbox, 'settings'>, number: number): ExternalOrder {
  const skus = settings.skus.split(',').map((sku) => sku.trim())
  const sku = skus[(number - 1) % skus.length] || 'SANDBOX-1'
  const [state, city] = places[number % places.length] ?? places[0]
  const quantity = 1 + (number % 3)
  const at = new Date(FIRST_AT + number * MINUTE_MS).toISOString()
  return {
    externalId: `sample-${number}`,
    number: `#${1000 + number}`,
    status: 'open',
    statusWords: 'processing',
    currency: settings.currency,
    customer: { name: `Customer ${number}`, phone: `05501${String(number % 100_000).padStart(5, '0')}` },
    address: { country: 'DZ', state, city, address: `${number} rue des Frères` },
    items: [{ sku, name: `Sample ${sku}`, quantity, unitPrice: String(PRICE) }],
    total: String(PRICE * quantity + DELIVERY),
    delivery: String(DELIVERY),
    createdAt: at,
    updatedAt: at,
  }
}
