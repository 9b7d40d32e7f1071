import { projectIdOf } from '../../data/project-ids.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Product } from '../../http/auth/scopes.ts'
import type { Membership } from './members/members.model.ts'
import type { Store } from './stores.model.ts'

/** Columns of a store that queries read. */
const storeColumns = [
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

/** Inserts a store and returns it. Returns undefined where the slug is taken. */
export const insertStore = async (sql: Queryable, store: Record<string, unknown>) =>
  (await sql<Store[]>`insert into stores ${rowValues(sql, store)} on conflict (slug) do nothing returning ${sql(storeColumns)}`)[0]

/** Updates a store, sets its `updatedAt`, and returns it. Returns undefined where it does not exist. */
export const updateStore = async (sql: Queryable, id: string, change: Record<string, unknown>) =>
  (
    await sql<
      Store[]
    >`update stores set ${rowValues(sql, { ...change, updatedAt: new Date() })} where id = ${id} and deleted_at is null returning ${sql(storeColumns)}`
  )[0]

/**
 * Locks a store for update until the transaction ends. No parcel of it is submitted during that time. Returns undefined where it does not
 * exist.
 */
export const lockStore = async (sql: Tx, id: string) =>
  (await sql<Store[]>`select ${sql(storeColumns)} from stores where id = ${id} and deleted_at is null for update`)[0]

/**
 * Locks the details and settings of a store until the transaction ends. New orders do not wait for it, nor it for them: each new order locks
 * the key alone, and a steady stream of them would let nobody change the store. Returns undefined where it does not exist.
 */
export const lockStoreDetails = async (sql: Tx, id: string) =>
  (await sql<Store[]>`select ${sql(storeColumns)} from stores where id = ${id} and deleted_at is null for no key update`)[0]

/**
 * Returns true where the store exists and still has this country and currency. Locks its key, so that both stay until the transaction ends.
 */
export const lockStoreTerms = async (sql: Tx, { id, countryCode, currencyCode }: Pick<Store, 'id' | 'countryCode' | 'currencyCode'>) =>
  (
    await sql`select 1 from stores where id = ${id} and country_code = ${countryCode} and currency_code = ${currencyCode} and deleted_at is null
      for key share`
  ).length > 0

/** Returns true where PostgreSQL knows the time zone. Its list may be older than that of the server process. */
export const isKnownTimeZone = async (sql: Queryable, zone: string) =>
  (await sql`select 1 from pg_timezone_names where lower(name) = lower(${zone})`).length > 0

/** Returns the currency code of a store. The store must exist. */
export const findCurrency = async (sql: Queryable, storeId: string) =>
  expectOne(await sql<{ currencyCode: string }[]>`select currency_code from stores where id = ${storeId}`).currencyCode

/** Returns true where a store sells in this currency. */
export const isCurrencyUsed = async (sql: Queryable, code: string) =>
  (await sql`select 1 from stores where currency_code = ${code} and deleted_at is null limit 1`).length > 0

/** Returns true where the store has an order, in any status. */
export const hasOrders = async (sql: Queryable, storeId: string) =>
  (await sql`select 1 from orders where project_id = ${projectIdOf(storeId)} limit 1`).length > 0

/** Returns true where another store has the slug. */
export const isStoreSlugTaken = async (sql: Queryable, slug: string, except: string) =>
  (await sql`select 1 from stores where slug = ${slug} and id <> ${except}`).length > 0

/** Marks a store as deleted and frees its slug. */
export const markStoreDeleted = (sql: Queryable, id: string) =>
  sql`update stores set deleted_at = now(), slug = slug || '~' || id where id = ${id} and deleted_at is null`

/** Finds a store by its id. Returns undefined where it does not exist or is deleted. */
export const findStore = async (sql: Queryable, id: string) =>
  (await sql<Store[]>`select ${sql(storeColumns)} from stores where id = ${id} and deleted_at is null`)[0]

/** Finds a store by its id, with its version: `xmin` of its row. Returns undefined where it does not exist or is deleted. */
export async function findVersionedStore(sql: Queryable, id: string) {
  const [row] = await sql<(Store & { version: string })[]>`
    select ${sql(storeColumns)}, xmin::text as version from stores where id = ${id} and deleted_at is null`
  if (!row) return undefined
  const { version, ...store } = row
  return { store, version }
}

/** Store as one caller reaches it. */
export interface StoreAccess {
  readonly store: Store
  /** Membership of the user; null where the user is no member, or nobody is named. */
  readonly membership: Membership | null
  readonly isTenantDeleting: boolean
  readonly tenantId: number
  /** Products that the store's project has enabled. */
  readonly products: readonly Product[]
}

interface StoreAccessRow extends Store {
  readonly role: Membership['role'] | null
  readonly permissions: Membership['permissions']
  readonly isTenantDeleting: boolean
  readonly tenantId: number
  readonly products: Product[]
}

/**
 * Finds a store by its id, with all that decides on a user's access to it, in one statement. Returns undefined where it does not exist or
 * is deleted.
 */
export async function findStoreAccess(sql: Queryable, id: string, userId: string | null): Promise<StoreAccess | undefined> {
  const [row] = await sql<StoreAccessRow[]>`
    select ${sql(storeColumns.map((column) => `s.${column}`))}, m.role, m.permissions, t.id as tenant_id,
      t.deletes_at is not null as is_tenant_deleting, p.products
    from stores s join projects p on p.id = s.project_id join tenants t on t.id = p.tenant_id
      left join store_members m on m.store_id = s.id and m.user_id = ${userId}
    where s.id = ${id} and s.deleted_at is null`
  if (!row) return undefined
  const { role, permissions, isTenantDeleting, tenantId, products, ...store } = row
  return { store, membership: role === null ? null : { role, permissions }, isTenantDeleting, tenantId, products }
}

/** Finds the store of a project. Returns undefined where it has none. */
export const findStoreOfProject = async (sql: Queryable, projectId: string) =>
  (await sql<Store[]>`select ${sql(storeColumns)} from stores where project_id = ${projectId} and deleted_at is null`)[0]

/** Returns the products that the store's project has enabled; undefined where the store does not exist. */
export const findEnabledProducts = async (sql: Queryable, storeId: string) =>
  (
    await sql<{ products: Product[] }[]>`
      select p.products from stores s join projects p on p.id = s.project_id where s.id = ${storeId} and s.deleted_at is null`
  )[0]?.products

/** Finds the role and the permissions of a user in a store. Returns undefined for a user who is no member. */
export const findMembership = async (sql: Queryable, storeId: string, userId: string) =>
  (await sql<Membership[]>`select role, permissions from store_members where store_id = ${storeId} and user_id = ${userId}`)[0]

/** Finds a membership and locks it, so that it does not change until the transaction ends. */
export const lockMembership = async (tx: Tx, storeId: string, userId: string) =>
  (await tx<Membership[]>`select role, permissions from store_members where store_id = ${storeId} and user_id = ${userId} for share`)[0]

/** Lists the memberships of a user with their stores, whatever the user may read of them, newest store first. */
export const listMembershipsOfUser = (sql: Queryable, userId: string, take: number) =>
  sql<(Membership & Pick<Store, 'id' | 'name' | 'countryCode' | 'currencyCode' | 'settings'>)[]>`
    select s.id, s.name, s.country_code, s.currency_code, s.settings, m.role, m.permissions
    from store_members m join stores s on s.id = m.store_id
    where m.user_id = ${userId} and s.deleted_at is null order by s.id desc limit ${take}`

/** Lists the stores that a user is a member of and may read, newest first. */
export const listStoresOfUser = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<Store[]>`select ${sql(storeColumns.map((column) => `s.${column}`))} from stores s join store_members m on m.store_id = s.id
    where m.user_id = ${userId} and (m.permissions is null or 'stores:read' = any(m.permissions)) and s.deleted_at is null
      and (${before}::text is null or s.id < ${before}) order by s.id desc limit ${take}`
