import { projectIdOf } from '../../../core/data/project-ids.ts'
import { searchTextOf } from '../../../core/shop/catalog/search-text.ts'
import { quantile } from '../figures.ts'
import type { Row } from '../table.ts'
import type { World } from '../world.ts'

const PRODUCTS = 50_000
const ROWS_A_WRITE = 5_000
const ROUNDS = 20
const THINGS = ['Chaussure', 'Montre', 'Écharpe d’été', 'Sac à main', 'Thé', 'حذاء رياضي', 'ساعة يد', 'مكتبة خشبية', 'عطر', 'سروال']
const KINDS = ['noir', 'blanc', 'élégant', 'sport', 'enfant', 'أسود', 'أبيض', 'للأطفال', 'فاخر', 'classique']
export const productId = (at: number) => `prd_bench${String(at).padStart(8, '0')}`
export const skuOf = (at: number) => `SKU-${at}`
export const priceOf = (at: number) => at % 9973
/** As one types: the first letters, more of them, two words, what there is none of. */
const TYPED = ['c', 'ch', 'chau', 'chaussure', 'ete', 'montre sp', 'حذ', 'احذيه', 'سـاعه', 'sku 499', 'zzzz']

/** What a storefront asks of a store with 50,000 products, one request after the other. */
export async function products({ server, shop, sql }: World): Promise<Row[]> {
  const { storeId } = await shop.client.open()
  await fillProducts(sql, storeId, PRODUCTS)
  const timed = async (query: string) => {
    const began = performance.now()
    const answer = await fetch(`${server.url}/v1/products${query}`, { headers: { 'x-forwarded-for': '127.0.0.1' } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${query} was answered ${answer.status}`)
    return performance.now() - began
  }
  const measured = async (what: string, queries: readonly string[]): Promise<Row> => {
    for (const query of queries) await timed(query)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) for (const query of queries) times.push(await timed(query))
    const ms = (part: number) => `${quantile(times, part).toFixed(1)} ms`
    return { what, ours: `median ${ms(0.5)}, 95 % ${ms(0.95)}, longest ${ms(1)}` }
  }
  const of = `storeId=${storeId}`
  return [
    await measured(
      'GET /v1/products?q=…, as one types, 50,000 products',
      TYPED.map((q) => `?${of}&${new URLSearchParams({ q })}`),
    ),
    await measured('GET /v1/products, first page, by price, of a tag', [`?${of}`, `?${of}&sort=price`, `?${of}&tag=t7`]),
    await measured('GET /v1/products/random', [`/random?${of}`]),
  ]
}

/** So many that keep stock, in French and in Arabic; what there is of each is said elsewhere. */
export async function fillProducts(sql: World['sql'], storeId: string, count: number): Promise<void> {
  const pick = (of: readonly string[], at: number) => of[at % of.length]!
  for (let from = 0; from < count; from += ROWS_A_WRITE) {
    const rows = Array.from({ length: Math.min(ROWS_A_WRITE, count - from) }, (_, place) => {
      const at = from + place
      const name = `${pick(THINGS, at * 7 + Math.floor(at / 11))} ${pick(KINDS, at * 3 + Math.floor(at / 7))} ${at}`
      const sku = skuOf(at)
      return {
        id: productId(at),
        name,
        sku,
        tags: [`t${at % 40}`],
        price: priceOf(at),
        search_text: searchTextOf({ name, sku, vendor: null, tags: [], variants: [] }),
      }
    })
    await sql`insert into products (project_id, id, name, slug, sku, price, stock_keeping, inventory_key, stock_keys, tags, search_text)
      select ${projectIdOf(storeId)}, r.id, r.name, replace(r.id, '_', '-'), r.sku, r.price, true, r.sku, array[r.sku], r.tags, r.search_text
      from jsonb_to_recordset(${sql.json(rows)}) as r (id text, name text, sku text, price numeric, tags text[], search_text text)`
  }
  await sql.unsafe('analyze products')
}
