import type { Warning } from '../../../plugins/carrier/model.ts'
import { explainMissingPrice } from '../../shop/catalog/pricing/price.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Destination } from '../orders.model.ts'

/** Warning that the store has no delivery price for the destination; empty when it has one. */
export function priceWarnings(
  { settings }: Pick<Store, 'settings'>,
  destination: Pick<Destination, 'country' | 'stateCode' | 'currentStateCode' | 'cityCode' | 'deliveryType'>,
): Warning[] {
  const message = explainMissingPrice(settings.deliveryPrices, destination)
  return message === null ? [] : [{ code: 'delivery_price_missing', message }]
}
