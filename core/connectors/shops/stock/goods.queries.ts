import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'

/** Item of a shop, as it is stored. */
export interface GoodsRow {
  readonly projectId: string
  readonly connectionId: string
  readonly key: string
  readonly id: string
  readonly sku: string | null
  readonly name: string
  readonly variant: string | null
  readonly productId: string | null
  readonly variantId: string | null
  readonly matchedAt: string | null
  readonly createdAt: string
  /** True if the matched product is on sale. */
  readonly stands: boolean
}

/** Tests that the matched product is on sale and has the matched variant, or no variants. */
const stands = (sql: Queryable) => sql`exists (select 1 from products p where p.project_id = g.project_id and p.id = g.product_id
  and p.deleted_at is null and p.status = 'active' and case when g.variant_id is null then p.variants = '[]'
  else p.variants @> jsonb_build_array(jsonb_build_object('id', g.variant_id)) end)`

/** Key of an item of a shop. */
type GoodsKey = Pick<GoodsRow, 'projectId' | 'id'>

type NewGoods = Pick<GoodsRow, 'projectId' | 'connectionId' | 'key' | 'id' | 'sku' | 'name' | 'variant'>

/** Lists the matched items with these keys. */
export const listMatchedGoods = (sql: Queryable, { projectId, id }: ConnectionRef, keys: readonly string[]) =>
  sql<GoodsRow[]>`select g.*, ${stands(sql)} as stands from connector_goods g
    where project_id = ${projectId} and connection_id = ${id} and key = any (${keys as string[]}) and product_id is not null`

interface KeyChange {
  readonly key: string
  readonly before: string
  readonly variant: string
}

/** Changes the keys of items that were stored for the same variant under a former key. */
export const updateGoodsKeys = (sql: Tx, { projectId, id }: ConnectionRef, goods: readonly KeyChange[]) =>
  sql`update connector_goods g set key = k.key
    from unnest(${goods.map(({ key }) => key)}::text[], ${goods.map(({ before }) => before)}::text[],
      ${goods.map(({ variant }) => variant)}::text[]) as k (key, before, variant)
    where g.project_id = ${projectId} and g.connection_id = ${id} and g.key = k.before and g.variant = k.variant
    and not exists (select 1 from connector_goods other
      where other.project_id = g.project_id and other.connection_id = g.connection_id and other.key = k.key)`

/** Inserts unmatched items and locks them, so that a user's choice waits until the order that needs them is written. */
export async function insertAndLockGoods(sql: Tx, goods: readonly NewGoods[]): Promise<GoodsRow[]> {
  const sorted = goods.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const [first] = sorted
  if (!first) return []
  await sql`insert into connector_goods ${rowValues(sql, sorted)} on conflict do nothing`
  const keys = sorted.map(({ key }) => key)
  return sql<GoodsRow[]>`select g.*, ${stands(sql)} as stands from connector_goods g
    where project_id = ${first.projectId} and connection_id = ${first.connectionId} and key = any (${keys}) order by key for update`
}

/** Locks an item until the transaction ends, and returns it. */
export const lockGoods = async (sql: Tx, connection: ConnectionRef, id: string) =>
  (
    await sql<GoodsRow[]>`select g.*, ${stands(sql)} as stands from connector_goods g
      where project_id = ${connection.projectId} and connection_id = ${connection.id} and id = ${id} for update`
  )[0]

/** Sets the product of an item. */
export const updateGoodsMatch = async (sql: Tx, { projectId, id }: GoodsKey, match: Pick<GoodsRow, 'productId' | 'variantId'>) =>
  expectOne(
    await sql<GoodsRow[]>`update connector_goods g set ${rowValues(sql, { ...match, matchedAt: new Date() })}
      where project_id = ${projectId} and id = ${id}
      returning g.*, ${stands(sql)} as stands`,
  )

const waiting = (sql: Queryable) => sql`(select count(*)::int from connector_orders o
  where o.project_id = g.project_id and o.connection_id = g.connection_id and o.state = 'waiting' and o.missing @> array[g.key]) as waiting`

/** Lists items with or without a valid match, newest first, with the number of orders that wait for each. */
export const listGoods = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  { areMatched }: { readonly areMatched: boolean },
  before: string | null,
  limit: number,
) =>
  sql<(GoodsRow & { readonly waiting: number })[]>`select g.*, ${stands(sql)} as stands, ${waiting(sql)} from connector_goods g
    where project_id = ${projectId} and connection_id = ${id} and ${stands(sql)} = ${areMatched} and (${before}::text is null or id < ${before})
    order by id desc limit ${limit}`

/** Counts the orders that wait for an item. */
export const countWaitingOrders = async (sql: Queryable, { projectId, id }: GoodsKey) =>
  (await sql<{ waiting: number }[]>`select ${waiting(sql)} from connector_goods g where project_id = ${projectId} and id = ${id}`)[0]
    ?.waiting ?? 0

/** Finds the products and variants with these SKUs. */
export const findProductsBySkus = (sql: Queryable, projectId: string, skus: readonly string[]) =>
  sql<{ sku: string; productId: string; variantId: string | null }[]>`select k.sku, k.product_id, k.variant_id from product_skus k
    where k.project_id = ${projectId} and k.sku = any (${skus as string[]})`

/** Finds products on sale whose search text contains all patterns. */
export const findProductsByNamePatterns = (sql: Queryable, projectId: string, patterns: readonly string[], limit: number) =>
  sql<{ id: string }[]>`select id from products where project_id = ${projectId} and deleted_at is null and status = 'active'
    ${patterns.reduce((all, pattern) => sql`${all} and search_text like ${pattern}`, sql``)} order by id limit ${limit}`
