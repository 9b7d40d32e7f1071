import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { catalogErrors } from '../../../shop/catalog/catalog.errors.ts'
import { findProducts } from '../../../shop/catalog/products.queries.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { GoodsMatch } from '../connectors.model.ts'
import { requestPendingImport } from '../orders/request-pending-import.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { countWaitingOrders, lockGoods, updateGoodsMatch } from '../stock/goods.queries.ts'

/**
 * Matches an item of a shop with a product or variant on sale, for all waiting and future orders, and enqueues their import. Throws if the
 * store sells no such product or variant.
 */
export async function matchGoods(context: Context, store: Store, connection: ConnectionRef, id: string, match: GoodsMatch) {
  const { productId, variantId = null } = match
  const matched = await transaction(context.sql, async (tx) => {
    const goods = await lockGoods(tx, connection, id)
    if (!goods) throw notFound('The goods')
    const [product] = await findProducts(tx, store.projectId, [productId])
    if (product?.status !== 'active') throw connectorShopErrors.productNotOnSale({ field: ['productId'] })
    const hasIt = product.variants.some((variant) => variant.id === variantId)
    if (variantId === null ? product.variants.length > 0 : !hasIt)
      throw catalogErrors[variantId === null ? 'variantMissing' : 'variantUnknown']({ field: ['variantId'] })
    const isSaid = goods.productId === productId && goods.variantId === variantId
    const written = isSaid ? goods : await updateGoodsMatch(tx, goods, { productId, variantId })
    await requestPendingImport(tx, connection.id)
    return written
  })
  return { ...matched, waiting: await countWaitingOrders(context.sql, matched) }
}
