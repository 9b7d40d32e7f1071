import { RowMemory } from '../../../data/row-memory.ts'
import type { Queryable } from '../../../data/sql.ts'
import { bundleProductIds, type RequestedItem } from './priced-lines.ts'
import { findSellables, type VersionedSellable, type VersionedSellables } from './sellables.ts'

/** At most 80 MB: 10,000 products of 8,000 characters each. */
const memory = new RowMemory<VersionedSellable>({ rows: 10_000, charsPerRow: 8_000 })
const keyOf = (projectId: string, id: string) => `${projectId} ${id}`

/**
 * Returns the products that pricing these items needs, from memory. Null where one is not remembered. They may be old: compare the version
 * of each in the transaction of the order, and call {@link loadSellables} where one differs.
 */
export function recallSellables(projectId: string, items: readonly RequestedItem[]): VersionedSellables | null {
  const products = new Map<string, VersionedSellable>()
  const recallAll = (ids: readonly string[]) =>
    ids.every((id) => {
      const known = memory.recall(keyOf(projectId, id))
      if (known) products.set(id, known)
      return known !== undefined
    })
  const isKnown = recallAll(items.map(({ productId }) => productId)) && recallAll(bundleProductIds(products, items))
  return isKnown ? products : null
}

/** Reads the products like {@link findSellables}, and remembers them. */
export async function loadSellables(sql: Queryable, projectId: string, items: readonly RequestedItem[]): Promise<VersionedSellables> {
  const products = await findSellables(sql, projectId, items)
  for (const [id, product] of products) memory.remember(keyOf(projectId, id), product)
  return products
}
