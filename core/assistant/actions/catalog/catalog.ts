import type { Context } from '../../../context.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import type { Tx } from '../../../data/sql.ts'
import { yieldEvery } from '../../../lib/async/yield-every.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { presentPublicProducts } from '../../../shop/catalog/present-product.ts'
import { findProducts } from '../../../shop/catalog/products.queries.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { actionErrors } from '../actions.errors.ts'
import type { Catalog, CatalogFeed, NewCatalog } from './catalog.model.ts'
import { countCatalogRows, findFeed, listActiveProducts, upsertFeed } from './catalog.queries.ts'
import { catalogHeader, catalogLines } from './catalog-rows.ts'

type Needs = Pick<Context, 'sql'>

/** Products of one chunk, which is in memory at once. */
const PRODUCTS_PER_CHUNK = 200
/** Downloads of one store at the same time. */
const OWN_MAX = 2
/** Downloads of all stores at the same time. */
const ALL_MAX = 8
/** Longest duration of a download. */
const LONGEST_MS = 15 * 60_000

/** Creates the catalogue of a store for a platform, with a new secret link. The previous link becomes invalid. */
export async function createCatalog(tx: Tx, store: Store, asked: NewCatalog, origin: string): Promise<Catalog> {
  const token = newToken('cat')
  const { platform, productUrl, by = 'product', brand = store.name } = asked
  const { createdAt } = await upsertFeed(tx, { projectId: store.projectId, platform, productUrl, by, brand, digest: sha256(token) })
  const { rows, unseen, inactive } = await countCatalogRows(tx, store.projectId, by)
  const leftOut = [
    { reason: 'no_picture' as const, count: unseen },
    { reason: 'not_active' as const, count: inactive },
  ].filter(({ count }) => count > 0)
  return { rows, leftOut, platform, url: `${origin}/v1/actions/downloadCatalogCsv?token=${token}`, createdAt }
}

/** Running downloads by store. */
const downloads = new Map<string, number>()

/** Streams the current catalogue of a secret link as CSV. Throws `not_found`, and `unavailable` when too many downloads run. */
export async function streamCatalog({ sql }: Needs, token: string, origin: string): Promise<Response> {
  const feed = await findFeed(sql, sha256(token))
  const store = feed && (await findStore(sql, storeIdOf(feed.projectId)))
  if (!feed || !store) throw notFound('The catalogue')
  const release = countDownload(store.id)
  return new Response(csvStream(sql, store, feed, origin, release), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${feed.platform}-${store.slug}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    },
  })
}

/** Counts a download. Returns the function that ends the count; calling it again does nothing. Throws `unavailable`. */
function countDownload(storeId: string): () => void {
  const [own, all] = [downloads.get(storeId) ?? 0, downloads.values().reduce((sum, count) => sum + count, 0)]
  if (own >= OWN_MAX || all >= ALL_MAX)
    throw actionErrors.tooManyDownloads({
      retryAfterSeconds: 60,
    })
  downloads.set(storeId, own + 1)
  let isCounted = true
  return () => {
    if (!isCounted) return
    isCounted = false
    const left = (downloads.get(storeId) ?? 1) - 1
    if (left > 0) downloads.set(storeId, left)
    else downloads.delete(storeId)
  }
}

/** Streams the lines at the speed of the client, one chunk of products at a time. Fails after {@link LONGEST_MS}. */
function csvStream(sql: Context['sql'], store: Store, feed: CatalogFeed, origin: string, release: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after = ''
  let tooLate: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(tooLate)
    release()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(out) {
        tooLate = setTimeout(() => {
          release()
          out.error(new Error('The catalogue was read too slowly.'))
        }, LONGEST_MS)
        tooLate.unref()
        out.enqueue(encoder.encode(catalogHeader(feed)))
      },
      async pull(out) {
        try {
          const products = await listActiveProducts(sql, store.projectId, after, PRODUCTS_PER_CHUNK)
          if (products.length > 0) out.enqueue(encoder.encode(await csvChunk(sql, store, feed, products, origin)))
          after = products.at(-1)?.id ?? after
          if (products.length === PRODUCTS_PER_CHUNK) return
          end()
          out.close()
        } catch (error) {
          end()
          throw error
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
}

async function csvChunk(
  sql: Context['sql'],
  store: Store,
  feed: CatalogFeed,
  page: Awaited<ReturnType<typeof listActiveProducts>>,
  origin: string,
): Promise<string> {
  const rows = await findProducts(
    sql,
    store.projectId,
    page.map(({ id }) => id),
  )
  const products = new Map((await presentPublicProducts(sql, store, rows)).map((product) => [product.id, product]))
  const yieldIfNeeded = yieldEvery()
  let lines = ''
  for (const { id, category } of page) {
    const product = products.get(id)
    if (product) lines += catalogLines(feed, product, category ?? '', origin)
    await yieldIfNeeded()
  }
  return lines
}
