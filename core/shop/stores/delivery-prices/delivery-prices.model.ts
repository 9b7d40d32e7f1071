import { type Static, Type as T } from '@sinclair/typebox'
import { exact, MapOf } from '../../../http/schema.ts'

const Price = T.Optional(T.Number({ minimum: 0, maximum: 1e9 }))
const byType = { home: Price, pickup: Price }
/** States with delivery prices of their own, in one store. */
export const DELIVERY_STATES_MAX = 300

/** Delivery prices that customers of a store pay, by delivery type. A price of a state overrides the general one. */
export const DeliveryPrices = exact({ ...byType, byState: T.Optional(MapOf(16, exact(byType), { maxProperties: DELIVERY_STATES_MAX })) })
/** Type of {@link DeliveryPrices}. */
export type DeliveryPrices = Static<typeof DeliveryPrices>

/** Delivery prices to change; all others stay. */
export const DeliveryPricesChange = exact({
  ...byType,
  states: T.Optional(
    T.Array(exact({ state: T.String({ pattern: '^[0-9A-Za-z-]{1,16}$' }), ...byType }), {
      maxItems: 100,
      description: 'states with prices of their own, by code',
    }),
  ),
})
/** Type of {@link DeliveryPricesChange}. */
export type DeliveryPricesChange = Static<typeof DeliveryPricesChange>
