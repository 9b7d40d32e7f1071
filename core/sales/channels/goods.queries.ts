import { one, type Queryable, row, type Tx } from '../../data/sql.ts'

export interface GoodsRow {
  readonly connectionId: string
  readonly key: string
  readonly id: string
  readonly storeId: string
  readonly sku: string | null
  readonly name: string
  readonly variant: string | null
  readonly productId: string | null
  readonly variantId: string | null
  readonly matchedAt: string | null
  readonly createdAt: string
}

type NewGoods = Pick<GoodsRow, 'connectionId' | 'key' | 'id' | 'storeId' | 'sku' | 'name' | 'variant'>

export const listMatched = (sql: Queryable, connectionId: string, keys: readonly string[]) =>
  sql<
    GoodsRow[]
  >`select * from channel_goods where connection_id = ${connectionId} and key = any (${keys as string[]}) and product_id is not null`

/** Those that nobody is known to be, held: who says meanwhile what one is waits until the order that waits for it is written. */
export async function holdGoods(sql: Tx, goods: readonly NewGoods[]): Promise<GoodsRow[]> {
  const sorted = goods.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  if (sorted.length === 0) return []
  await sql`insert into channel_goods ${row(sql, sorted)} on conflict do nothing`
  const keys = sorted.map(({ key }) => key)
  return sql<GoodsRow[]>`select * from channel_goods where connection_id = ${sorted[0]?.connectionId ?? ''} and key = any (${keys})
    order by key for update`
}

export const lockGoods = async (sql: Tx, connectionId: string, id: string) =>
  (await sql<GoodsRow[]>`select * from channel_goods where connection_id = ${connectionId} and id = ${id} for update`)[0]

export const writeMatch = async (sql: Tx, id: string, match: Pick<GoodsRow, 'productId' | 'variantId'>) =>
  one(await sql<GoodsRow[]>`update channel_goods set ${row(sql, { ...match, matchedAt: new Date() })} where id = ${id} returning *`)

const waiting = (sql: Queryable) => sql`(select count(*)::int from channel_orders o
  where o.connection_id = g.connection_id and o.state = 'waiting' and o.missing @> array[g.key]) as waiting`

export const listUnmatched = (sql: Queryable, connectionId: string, before: string | null, take: number) =>
  sql<(GoodsRow & { readonly waiting: number })[]>`select g.*, ${waiting(sql)} from channel_goods g
    where connection_id = ${connectionId} and product_id is null and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

export const countWaiting = async (sql: Queryable, id: string) =>
  (await sql<{ waiting: number }[]>`select ${waiting(sql)} from channel_goods g where id = ${id}`)[0]?.waiting ?? 0

/** Products that these skus name, and the variants, where they name one. */
export const findBySkus = (sql: Queryable, storeId: string, skus: readonly string[]) =>
  sql<{ sku: string; productId: string; variantId: string | null }[]>`select k.sku, k.product_id, k.variant_id from product_skus k
    where k.store_id = ${storeId} and k.sku = any (${skus as string[]})`

/** Products on sale in whose words all of these are. */
export const findByWords = (sql: Queryable, storeId: string, patterns: readonly string[], take: number) =>
  sql<{ id: string }[]>`select id from products where store_id = ${storeId} and deleted_at is null and status = 'active'
    ${patterns.reduce((all, pattern) => sql`${all} and words like ${pattern}`, sql``)} order by id limit ${take}`
