import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { yieldEvery } from '../../../lib/async/yield-every.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { presentPublic } from '../../../shop/catalog/present.ts'
import { findProducts } from '../../../shop/catalog/products.queries.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import type { Catalog, CatalogFeed, NewCatalog } from './catalog.model.ts'
import { activeAfter, countRows, findFeed, putFeed } from './catalog.queries.ts'
import { headOf, linesOf } from './catalog-rows.ts'

type Needs = Pick<Context, 'sql'>

/** Products in memory at once. */
const PRODUCTS_A_PART = 200
const OWN_MAX = 2
const ALL_MAX = 8
/** Whoever takes longer over it has gone. */
const LONGEST_MS = 15 * 60_000

/** Makes the catalogue of a store for a platform, in place of the one before, whose link is dead from then on. */
export async function makeCatalog(tx: Tx, store: Store, asked: NewCatalog, origin: string): Promise<Catalog> {
  const token = newToken('cat')
  const { platform, productUrl, by = 'product', brand = store.name } = asked
  const { createdAt } = await putFeed(tx, { storeId: store.id, platform, productUrl, by, brand, digest: sha256(token) })
  const { rows, unseen, inactive } = await countRows(tx, store.id, by)
  const leftOut = [
    { reason: 'no_picture' as const, count: unseen },
    { reason: 'not_active' as const, count: inactive },
  ].filter(({ count }) => count > 0)
  return { rows, leftOut, platform, url: `${origin}/v1/actions/downloadCatalogCsv?token=${token}`, createdAt }
}

const reading = new Map<string, number>()

/** The catalogue that a link names, as CSV, as the products are now. Throws `not_found`, and `unavailable` where too many read some. */
export async function openCatalog({ sql }: Needs, token: string, origin: string): Promise<Response> {
  const feed = await findFeed(sql, sha256(token))
  const store = feed && (await findStore(sql, feed.storeId))
  if (!feed || !store) throw notFound('The catalogue')
  const leave = enter(store.id)
  return new Response(streamOf(sql, store, feed, origin, leave), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${feed.platform}-${store.slug}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    },
  })
}

/** Counts one more who reads; gives how to take him off, which may be done twice. */
function enter(storeId: string): () => void {
  const [own, all] = [reading.get(storeId) ?? 0, reading.values().reduce((sum, count) => sum + count, 0)]
  if (own >= OWN_MAX || all >= ALL_MAX)
    throw new ApiError('unavailable', 'Too many catalogues are being read. Try again in a minute.', { headers: { 'retry-after': '60' } })
  reading.set(storeId, own + 1)
  let isIn = true
  return () => {
    if (!isIn) return
    isIn = false
    const left = (reading.get(storeId) ?? 1) - 1
    if (left > 0) reading.set(storeId, left)
    else reading.delete(storeId)
  }
}

/** Read as fast as it is taken: no more than a part of it is in memory. */
function streamOf(sql: Context['sql'], store: Store, feed: CatalogFeed, origin: string, leave: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after = ''
  let tooLate: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(tooLate)
    leave()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(out) {
        tooLate = setTimeout(() => {
          leave()
          out.error(new Error('The catalogue was read too slowly.'))
        }, LONGEST_MS)
        tooLate.unref()
        out.enqueue(encoder.encode(headOf(feed)))
      },
      async pull(out) {
        try {
          const placed = await activeAfter(sql, store.id, after, PRODUCTS_A_PART)
          if (placed.length > 0) out.enqueue(encoder.encode(await partOf(sql, store, feed, placed, origin)))
          after = placed.at(-1)?.id ?? after
          if (placed.length === PRODUCTS_A_PART) return
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

async function partOf(
  sql: Context['sql'],
  store: Store,
  feed: CatalogFeed,
  placed: Awaited<ReturnType<typeof activeAfter>>,
  origin: string,
): Promise<string> {
  const rows = await findProducts(
    sql,
    store.id,
    placed.map(({ id }) => id),
  )
  const products = new Map((await presentPublic(sql, store, rows)).map((product) => [product.id, product]))
  const breathe = yieldEvery()
  let part = ''
  for (const { id, category } of placed) {
    const product = products.get(id)
    if (product) part += linesOf(feed, product, category ?? '', origin)
    await breathe()
  }
  return part
}
