import type { Queryable } from '../../../data/sql.ts'
import { findProducts } from '../products.queries.ts'
import { bundleProductIds, type RequestedItem, type Sellables } from './priced-lines.ts'

/** Reads the products that pricing these items needs: one query, and a second one where bundles contain other products. */
export async function findSellables(sql: Queryable, projectId: string, items: readonly RequestedItem[]): Promise<Sellables> {
  const named = await findByIds(sql, projectId, [...new Set(items.map(({ productId }) => productId))])
  const more = bundleProductIds(named, items)
  return more.length === 0 ? named : new Map([...named, ...(await findByIds(sql, projectId, [...new Set(more)]))])
}

const findByIds = async (sql: Queryable, projectId: string, ids: readonly string[]): Promise<Sellables> =>
  new Map((await findProducts(sql, projectId, ids)).map((product) => [product.id, product]))
