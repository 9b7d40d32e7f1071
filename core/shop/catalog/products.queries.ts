import { containing, matching, type Sorted, slice, sortValue } from '../../data/slice.ts'
import { one, type Queryable, row } from '../../data/sql.ts'
import type { AskedProducts, KeptVariant } from './products.model.ts'

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

const JSON_COLUMNS = ['images', 'variants', 'metadata'] as const

export const insertProduct = async (sql: Queryable, product: Writable) =>
  one(await sql<ProductRow[]>`insert into products ${row(sql, product, JSON_COLUMNS)} returning *`)

export const updateProduct = async (sql: Queryable, id: string, change: Writable) =>
  (
    await sql<
      ProductRow[]
    >`update products set ${row(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)} where id = ${id} and deleted_at is null returning *`
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

export const listProducts = (sql: Queryable, storeId: string, { filter, q, slice: part }: AskedProducts) =>
  sql<(ProductRow & Sorted)[]>`select * ${sortValue(sql, part)} from products where store_id = ${storeId} and deleted_at is null
    ${matching(sql, filter)} ${q === undefined ? sql`` : sql`and ${containing(sql, sql`lower(name || ' ' || coalesce(sku, ''))`, q)}`}
    ${slice(sql, part)}`

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
