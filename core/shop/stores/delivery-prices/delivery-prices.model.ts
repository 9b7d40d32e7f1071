import { type Static, Type as T } from '@sinclair/typebox'
import { exact, MapOf } from '../../../http/schema.ts'

const Price = T.Optional(T.Number({ minimum: 0, maximum: 1e9 }))
const byType = { home: Price, pickup: Price }
export const STATES_MAX = 300

/** What delivery costs the customers of a store, by delivery type; where a state is named, there. */
export const DeliveryPrices = exact({ ...byType, byState: T.Optional(MapOf(16, exact(byType), { maxProperties: STATES_MAX })) })
export type DeliveryPrices = Static<typeof DeliveryPrices>

/** Of those prices the ones that change; all others stay. */
export const DeliveryPricesChange = exact({
  ...byType,
  states: T.Optional(
    T.Array(exact({ state: T.String({ pattern: '^[0-9A-Za-z-]{1,16}$' }), ...byType }), {
      maxItems: 100,
      description: 'those whose prices differ, by their code',
    }),
  ),
})
export type DeliveryPricesChange = Static<typeof DeliveryPricesChange>
