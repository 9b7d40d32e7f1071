import type { Queryable } from '../../data/sql.ts'
import { PAGE_DEFAULT } from '../../http/resource/page.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import type { Audience } from '../stores/access.ts'
import type { Store } from '../stores/stores.model.ts'
import { readRowVersions } from './first-page-version.queries.ts'
import { stockScopeOf } from './present-product.ts'

/** Store, audience and query of a page of products, which decide it besides its rows. */
interface PageAudience {
  readonly store: Store
  readonly audience: Audience
  readonly query: Readonly<Record<string, unknown>> & { readonly limit?: number }
}

/** Returns true for the newest products without a filter, which storefronts and consoles ask for again and again. */
const isFirstPage = (query: PageAudience['query']) =>
  Object.entries(query).every(
    ([name, value]) => value === undefined || name === 'limit' || name === 'storeId' || (name === 'sort' && value === '-createdAt'),
  )

/**
 * Returns the version of the first page of products as the database has it now; undefined for other pages. Each row carries the id of the
 * transaction that wrote it (`xmin`). So the version differs after any change of a product, its stock or the store, in whatever order
 * transactions commit.
 */
export async function findFirstPageVersion(sql: Queryable, { store, audience, query }: PageAudience): Promise<string | undefined> {
  if (!isFirstPage(query)) return undefined
  const limit = query.limit ?? PAGE_DEFAULT
  const isPublic = audience === 'public'
  const { rows } = await readRowVersions(sql, stockScopeOf(store), limit + 1, { onlyActive: isPublic })
  return sha256(JSON.stringify([store, isPublic, limit, rows]))
}
