import type { Tx } from '../../../data/sql.ts'
import { findStateByText } from '../../../platform/geo/catalogue/state-codes.ts'
import { storeErrors } from '../stores.errors.ts'
import type { Store } from '../stores.model.ts'
import { changeStore, lockExistingDetails } from '../stores.ts'
import { assertDeliveryPrices } from './assert-delivery-prices.ts'
import { DELIVERY_STATES_MAX, type DeliveryPrices, type DeliveryPricesChange } from './delivery-prices.model.ts'

/** Returns the delivery prices of a store; empty where it has none. */
export const deliveryPricesOf = ({ settings }: Pick<Store, 'settings'>): DeliveryPrices => settings.deliveryPrices ?? {}

type Prices = Pick<DeliveryPrices, 'home' | 'pickup'>
type ByState = Readonly<Record<string, Prices>>

/** Groups the prices of a change by state, under the catalogue's code where it is known. Prices of a state named twice are merged. */
function pricesByState(country: string, { states = [] }: DeliveryPricesChange): ByState {
  const byState: Record<string, Prices> = {}
  for (const { state: written, ...prices } of states) {
    const state = findStateByText(country, written)?.code ?? written
    byState[state] = { ...byState[state], ...prices }
  }
  return byState
}

/**
 * Returns the delivery prices after a change, without writing them. Throws `limit_reached` for too many states, `invalid_request` for a
 * price with more decimals than the currency.
 */
export function applyDeliveryPricesChange(
  store: Pick<Store, 'settings' | 'countryCode' | 'currencyCode'>,
  change: DeliveryPricesChange,
): DeliveryPrices {
  const { states: _, ...general } = change
  const current = deliveryPricesOf(store)
  const byState = { ...current.byState }
  for (const [state, prices] of Object.entries(pricesByState(store.countryCode, change))) byState[state] = { ...byState[state], ...prices }
  assertDeliveryPrices({ ...general, byState: pricesByState(store.countryCode, change) }, [], store.currencyCode)
  const stateCount = Object.keys(byState).length
  if (stateCount > DELIVERY_STATES_MAX) throw storeErrors.tooManyStatePrices({ deliveryStatesMax: DELIVERY_STATES_MAX, stateCount })
  return { ...current, ...general, ...(stateCount > 0 && { byState }) }
}

/** Returns those of the prices that a change names; null for a price that is not set. */
export function pickChangedPrices(
  { countryCode }: Pick<Store, 'countryCode'>,
  { byState = {}, ...general }: DeliveryPrices,
  change: DeliveryPricesChange,
) {
  const { states, ...changed } = change
  const ofStates = Object.entries(pricesByState(countryCode, change)).map(
    ([state, prices]) => [state, pickPrices(byState[state] ?? {}, prices)] as const,
  )
  return { ...pickPrices(general, changed), ...(states && { byState: Object.fromEntries(ofStates) }) }
}

const pickPrices = (from: Prices, { home, pickup }: Prices) => ({
  ...(home !== undefined && { home: from.home ?? null }),
  ...(pickup !== undefined && { pickup: from.pickup ?? null }),
})

/** Changes delivery prices on the locked store. Throws `not_found`, `limit_reached`, `invalid_request`. */
export async function changeDeliveryPrices(tx: Tx, storeId: string, change: DeliveryPricesChange): Promise<Store> {
  const store = await lockExistingDetails(tx, storeId)
  const deliveryPrices = applyDeliveryPricesChange(store, change)
  return changeStore(tx, storeId, { settings: { deliveryPrices } })
}
