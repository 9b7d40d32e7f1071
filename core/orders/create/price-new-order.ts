import type { Tx } from '../../data/sql.ts'
import { loadSellables, recallSellables } from '../../shop/catalog/pricing/remembered-sellables.ts'
import type { BlockKeys } from '../../shop/stores/blocks/blocks.queries.ts'
import { assertStoreCurrent } from '../../shop/stores/memory/remembered-stores.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { type GoodsPricingRequest, type PricedOrder, priceOrder } from '../pricing/price.ts'
import { lockOrderTerms, type OrderTerms } from './terms.queries.ts'

/** Price of a new order, and the blocks that match its customer. */
export interface NewOrderPrice extends Pick<OrderTerms, 'blocks'> {
  readonly priced: PricedOrder
}

/**
 * Prices a new order by what holds in its transaction. Remembered products count only where each still has its version; otherwise they are
 * read again. Throws as `priceOrder` and `assertStoreCurrent`.
 */
export async function priceNewOrder(
  tx: Tx,
  store: Store,
  request: Omit<GoodsPricingRequest, 'products'>,
  blockKeys: BlockKeys,
): Promise<NewOrderPrice> {
  const { projectId } = store
  const remembered = recallSellables(projectId, request.items)
  const { storeVersion, productVersions, blocks } = await lockOrderTerms(tx, store, [...(remembered?.keys() ?? [])], blockKeys)
  assertStoreCurrent(store, storeVersion)
  const isCurrent = remembered?.values().every(({ id, version }) => productVersions[id] === version)
  const products = isCurrent && remembered ? remembered : await loadSellables(tx, projectId, request.items)
  return { priced: await priceOrder(tx, store, { ...request, products }), blocks }
}
