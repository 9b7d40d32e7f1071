import type { Queryable } from '../../../data/sql.ts'
import { findProducts } from '../products.queries.ts'
import { type AskedItem, broughtAlong, type Sellables } from './goods.ts'

/** What pricing these items needs to know of the catalogue: one read, and another where there are bundles. */
export async function sellablesFor(sql: Queryable, storeId: string, items: readonly AskedItem[]): Promise<Sellables> {
  const named = await read(sql, storeId, [...new Set(items.map(({ productId }) => productId))])
  const more = broughtAlong(named, items)
  return more.length === 0 ? named : new Map([...named, ...(await read(sql, storeId, [...new Set(more)]))])
}

const read = async (sql: Queryable, storeId: string, ids: readonly string[]): Promise<Sellables> =>
  new Map((await findProducts(sql, storeId, ids)).map((product) => [product.id, product]))
