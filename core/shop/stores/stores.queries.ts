import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { Product } from '../../http/auth/scopes.ts'
import type { Membership } from './members/members.model.ts'
import type { Store } from './stores.model.ts'

export const columns = [
  'id',
  'ownerId',
  'projectId',
  'name',
  'slug',
  'countryCode',
  'currencyCode',
  'phone',
  'email',
  'address',
  'settings',
  'metadata',
  'createdAt',
  'updatedAt',
] as const

export const insertStore = async (sql: Queryable, store: Record<string, unknown>) =>
  (await sql<Store[]>`insert into stores ${row(sql, store)} on conflict (slug) do nothing returning ${sql(columns)}`)[0]

export const updateStore = async (sql: Queryable, id: string, change: Record<string, unknown>) =>
  (
    await sql<
      Store[]
    >`update stores set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} and deleted_at is null returning ${sql(columns)}`
  )[0]

/** Holds the store's row until the transaction ends: no parcel of it is handed over meanwhile. */
export const lockStore = async (sql: Tx, id: string) =>
  (await sql<Store[]>`select ${sql(columns)} from stores where id = ${id} and deleted_at is null for update`)[0]

/** Whether the store is there, and sells where and in what it did when it was read. It does until the transaction ends. */
export const holdTerms = async (sql: Tx, { id, countryCode, currencyCode }: Pick<Store, 'id' | 'countryCode' | 'currencyCode'>) =>
  (
    await sql`select 1 from stores where id = ${id} and country_code = ${countryCode} and currency_code = ${currencyCode} and deleted_at is null
      for key share`
  ).length > 0

/** Whether the database reckons by this zone too: it may be older than who named it. */
export const knowsZone = async (sql: Queryable, zone: string) =>
  (await sql`select 1 from pg_timezone_names where lower(name) = lower(${zone})`).length > 0

export const findCurrency = async (sql: Queryable, storeId: string) =>
  expectOne(await sql<{ currencyCode: string }[]>`select currency_code from stores where id = ${storeId}`).currencyCode

export const hasCurrency = async (sql: Queryable, code: string) =>
  (await sql`select 1 from stores where currency_code = ${code} and deleted_at is null limit 1`).length > 0

export const hasOrders = async (sql: Queryable, storeId: string) =>
  (await sql`select 1 from orders where store_id = ${storeId} limit 1`).length > 0

export const slugTaken = async (sql: Queryable, slug: string, except: string) =>
  (await sql`select 1 from stores where slug = ${slug} and id <> ${except}`).length > 0

/** The slug is free again after a deletion. */
export const markDeleted = (sql: Queryable, id: string) =>
  sql`update stores set deleted_at = now(), slug = slug || '~' || id where id = ${id} and deleted_at is null`

export const findStore = async (sql: Queryable, id: string) =>
  (await sql<Store[]>`select ${sql(columns)} from stores where id = ${id} and deleted_at is null`)[0]

export const findStoreOfProject = async (sql: Queryable, projectId: string) =>
  (await sql<Store[]>`select ${sql(columns)} from stores where project_id = ${projectId} and deleted_at is null`)[0]

/** What the project behind the store has enabled. */
export const findProductsOf = async (sql: Queryable, storeId: string) =>
  (
    await sql<{ products: Product[] }[]>`
      select p.products from stores s join projects p on p.id = s.project_id where s.id = ${storeId} and s.deleted_at is null`
  )[0]?.products

export const findMembership = async (sql: Queryable, storeId: string, userId: string) =>
  (await sql<Membership[]>`select role, permissions from store_members where store_id = ${storeId} and user_id = ${userId}`)[0]

/** The same, and it stays so until the transaction ends. */
export const holdMembership = async (tx: Tx, storeId: string, userId: string) =>
  (await tx<Membership[]>`select role, permissions from store_members where store_id = ${storeId} and user_id = ${userId} for share`)[0]

/** Without those that he may not read. */
export const listStoresOfUser = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<Store[]>`select ${sql(columns.map((column) => `s.${column}`))} from stores s join store_members m on m.store_id = s.id
    where m.user_id = ${userId} and (m.permissions is null or 'stores:read' = any(m.permissions)) and s.deleted_at is null
      and (${before}::text is null or s.id < ${before}) order by s.id desc limit ${take}`
