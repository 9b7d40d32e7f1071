import type { Tx } from '../../data/sql.ts'
import { fromProducts } from '../../shop/catalog/products.queries.ts'
import { type BlockKeys, listMatchingBlocks, type MatchingBlock } from '../../shop/stores/blocks/blocks.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'

/** Data that a new order follows from, as it is in the order's transaction. */
export interface OrderTerms {
  /** `xmin` of the store's row; null where the store is deleted or has another country or currency. */
  readonly storeVersion: string | null
  /** `xmin` of each product that is not deleted, by its id. */
  readonly productVersions: Readonly<Record<string, string>>
  /** Blocks that match the customer. */
  readonly blocks: readonly MatchingBlock[]
}

/**
 * Reads the terms of a new order in one statement. Locks the key of the store, so that its country and currency stay until the transaction
 * ends.
 */
export async function lockOrderTerms(
  tx: Tx,
  { id, projectId, countryCode, currencyCode }: Store,
  productIds: readonly string[],
  blockKeys: BlockKeys,
): Promise<OrderTerms> {
  const [terms] = await tx<OrderTerms[]>`
    with store as materialized (
      select xmin::text as version from stores
      where id = ${id} and country_code = ${countryCode} and currency_code = ${currencyCode} and deleted_at is null for key share
    )
    select (select version from store) as store_version,
      (select coalesce(jsonb_object_agg(id, xmin::text), '{}') ${fromProducts(tx, projectId, productIds)}) as product_versions,
      (select coalesce(jsonb_agg(b), '[]') from (${listMatchingBlocks(tx, id, blockKeys)}) b) as blocks`
  return terms ?? { storeVersion: null, productVersions: {}, blocks: [] }
}
