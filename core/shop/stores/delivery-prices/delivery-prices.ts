import type { Tx } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { stateWritten } from '../../../platform/geo/catalogue/state-codes.ts'
import type { Store } from '../stores.model.ts'
import { changeStore, holdStore } from '../stores.ts'
import { assertDeliveryPrices } from './assert-delivery-prices.ts'
import { type DeliveryPrices, type DeliveryPricesChange, STATES_MAX } from './delivery-prices.model.ts'

export const deliveryPricesOf = ({ settings }: Pick<Store, 'settings'>): DeliveryPrices => settings.deliveryPrices ?? {}

type Prices = Pick<DeliveryPrices, 'home' | 'pickup'>
type ByState = Readonly<Record<string, Prices>>

/** Those of one state together, however often it is named; under the catalogue's code. */
function statesIn(country: string, { states = [] }: DeliveryPricesChange): ByState {
  const byState: Record<string, Prices> = {}
  for (const { state: written, ...prices } of states) {
    const state = stateWritten(country, written)?.code ?? written
    byState[state] = { ...byState[state], ...prices }
  }
  return byState
}

/**
 * As they would be. Throws `limit_reached` for more states than a store has prices for, `invalid_request` for more decimals than its currency
 * has.
 */
export function nextDeliveryPrices(
  store: Pick<Store, 'settings' | 'countryCode' | 'currencyCode'>,
  change: DeliveryPricesChange,
): DeliveryPrices {
  const { states: _, ...general } = change
  const current = deliveryPricesOf(store)
  const byState = { ...current.byState }
  for (const [state, prices] of Object.entries(statesIn(store.countryCode, change))) byState[state] = { ...byState[state], ...prices }
  assertDeliveryPrices({ ...general, byState: statesIn(store.countryCode, change) }, '/change', store.currencyCode)
  const named = Object.keys(byState).length
  if (named > STATES_MAX) throw new ApiError('limit_reached', `A store has prices for ${STATES_MAX} states at most, not ${named}.`)
  return { ...current, ...general, ...(named > 0 && { byState }) }
}

/** Of all prices those that a change names; null where there is none. */
export function namedPrices(
  { countryCode }: Pick<Store, 'countryCode'>,
  { byState = {}, ...general }: DeliveryPrices,
  change: DeliveryPricesChange,
) {
  const { states, ...changed } = change
  const ofStates = Object.entries(statesIn(countryCode, change)).map(
    ([state, prices]) => [state, named(byState[state] ?? {}, prices)] as const,
  )
  return { ...named(general, changed), ...(states && { byState: Object.fromEntries(ofStates) }) }
}

const named = (from: Prices, { home, pickup }: Prices) => ({
  ...(home !== undefined && { home: from.home ?? null }),
  ...(pickup !== undefined && { pickup: from.pickup ?? null }),
})

/** Changes what delivery costs the customers of a store, as it is when it is held. Throws `not_found`, `limit_reached`. */
export async function changeDeliveryPrices(tx: Tx, storeId: string, change: DeliveryPricesChange): Promise<Store> {
  const store = await holdStore(tx, storeId)
  const deliveryPrices = nextDeliveryPrices(store, change)
  return changeStore(tx, storeId, { settings: { deliveryPrices } })
}
