import { parseMoney } from '../../../http/body/amount.ts'
import type { FieldPath } from '../../../lib/errors/domain-error.ts'
import type { DeliveryPrices } from './delivery-prices.model.ts'

/** Throws `invalid_request` for a price with more decimals than the currency. `at` is the field of the prices. */
export function assertDeliveryPrices(prices: DeliveryPrices | null | undefined, at: FieldPath, currency: string): void {
  const { byState = {}, ...general } = prices ?? {}
  for (const [place, ofPlace] of [
    [at, general] as const,
    ...Object.entries(byState).map(([state, own]) => [[...at, 'byState', state], own] as const),
  ])
    for (const [type, price] of Object.entries(ofPlace)) parseMoney(price, [...place, type], currency)
}
