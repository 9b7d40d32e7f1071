import type { Queryable } from '../data/sql.ts'
import type { KeptVariant, ProductQuery } from './products.model.ts'

export interface ProductRow {
  readonly storeId: string
  readonly id: string
  readonly name: string
  readonly description: string
  readonly sku: string | null
  readonly status: 'draft' | 'active' | 'archived'
  readonly price: string
  readonly compareAtPrice: string | null
  readonly weightKg: string
  readonly stockKeeping: boolean
  readonly inventoryKey: string
  readonly images: string[]
  readonly variants: KeptVariant[]
  readonly metadata: Record<string, unknown>
  readonly createdAt: string
  readonly updatedAt: string
}

type Writable = Partial<Omit<ProductRow, 'price' | 'compareAtPrice' | 'weightKg' | 'createdAt' | 'updatedAt'>> & {
  price?: string
  compareAtPrice?: string | null
  weightKg?: string
}

const json = (sql: Queryable, row: Writable) => ({
  ...row,
  ...(row.images && { images: sql.json(row.images) }),
  ...(row.variants && { variants: sql.json(row.variants as never) }),
  ...(row.metadata && { metadata: sql.json(row.metadata as never) }),
})

export const insertProduct = async (sql: Queryable, product: Writable) =>
  (await sql<ProductRow[]>`insert into products ${sql(json(sql, product) as never)} returning *`)[0]!

export const updateProduct = async (sql: Queryable, id: string, change: Writable) =>
  (
    await sql<
      ProductRow[]
    >`update products set ${sql({ ...json(sql, change), updatedAt: new Date() } as never)} where id = ${id} and deleted_at is null returning *`
  )[0]

export const markProductDeleted = async (sql: Queryable, id: string) =>
  (await sql`update products set deleted_at = now() where id = ${id} and deleted_at is null`).count > 0

export const findProduct = async (sql: Queryable, id: string) =>
  (await sql<ProductRow[]>`select * from products where id = ${id} and deleted_at is null`)[0]

/** What an order of these products needs to know of them, in one read. */
export const findProducts = (sql: Queryable, storeId: string, ids: string[]) =>
  sql<ProductRow[]>`select * from products where store_id = ${storeId} and id = any (${ids}) and deleted_at is null`

export const skuTaken = async (sql: Queryable, storeId: string, sku: string, except: string) =>
  (await sql`select 1 from products where store_id = ${storeId} and sku = ${sku} and id <> ${except} and deleted_at is null`).length > 0

export const listProducts = (sql: Queryable, storeId: string, { q, status }: ProductQuery, before: string | null, take: number) =>
  sql<ProductRow[]>`select * from products where store_id = ${storeId} and deleted_at is null
    and (${status ?? null}::text is null or status = ${status ?? null}) and (${before}::text is null or id < ${before})
    and (${q ?? null}::text is null or position(lower(${q ?? ''}) in lower(name || ' ' || coalesce(sku, ''))) > 0)
    order by id desc limit ${take}`

export const randomProducts = (sql: Queryable, storeId: string, take: number) =>
  sql<
    ProductRow[]
  >`select * from products where store_id = ${storeId} and deleted_at is null and status = 'active' order by random() limit ${take}`

/** Which of these ledger keys count goods of the store already; a deleted product's goods may still lie there. */
export const takenKeys = async (sql: Queryable, storeId: string, keys: readonly string[]) =>
  keys.length === 0
    ? []
    : (
        await sql<{ key: string }[]>`
          select k.key from unnest(${keys as string[]}::text[]) as k (key) where exists (
            select 1 from products p where p.store_id = ${storeId}
            and (p.inventory_key = k.key or p.variants @> jsonb_build_array(jsonb_build_object('inventoryKey', k.key))))`
      ).map(({ key }) => key)
