import type { VersionedRow } from '../../../data/row-memory.ts'
import type { Queryable } from '../../../data/sql.ts'
import { listVersionedProducts } from '../products.queries.ts'
import { bundleProductIds, type RequestedItem, type Sellable } from './priced-lines.ts'

/** Product as pricing needs it, with its version. */
export type VersionedSellable = Sellable & VersionedRow
/** Products by id. A product that is absent is not on sale. */
export type VersionedSellables = ReadonlyMap<string, VersionedSellable>

/** Reads the products that pricing these items needs: one query, and a second one where bundles contain other products. */
export async function findSellables(sql: Queryable, projectId: string, items: readonly RequestedItem[]): Promise<VersionedSellables> {
  const named = await findByIds(sql, projectId, [...new Set(items.map(({ productId }) => productId))])
  const more = bundleProductIds(named, items)
  return more.length === 0 ? named : new Map([...named, ...(await findByIds(sql, projectId, [...new Set(more)]))])
}

const findByIds = async (sql: Queryable, projectId: string, ids: readonly string[]): Promise<VersionedSellables> =>
  new Map((await listVersionedProducts(sql, projectId, ids)).map((product) => [product.id, product]))
