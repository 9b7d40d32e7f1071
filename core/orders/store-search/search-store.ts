import { readFromReplica } from '../../data/database/replica.ts'
import type { KeysetPage } from '../../data/keyset-page.ts'
import type { Queryable, Sql } from '../../data/sql.ts'
import type { StoreRight } from '../../http/auth/scopes.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { stockScopeOf } from '../../shop/catalog/present-product.ts'
import { listProducts } from '../../shop/catalog/products.queries.ts'
import { type ActingUser, hasRight, readStoreRights } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { listCustomersOf } from '../customers/customers.ts'
import { listOrders } from '../list.ts'
import { GROUP_MAX, GROUP_MS, type SearchGroup, type StoreSearch, searchGroups } from './store-search.model.ts'
import { findParcelsByNumber, findPeople, readWithinTime, STATEMENT_CANCELED } from './store-search.queries.ts'

/** Groups that are read at the same time; other requests need connections too. */
const AT_ONCE = 2

const PAGE: KeysetPage = { sortColumn: null, isDescending: true, after: null, limit: GROUP_MAX }

interface GroupReader<Rows = readonly object[]> {
  /** Right of a member who sees the group. */
  readonly right: StoreRight
  read(sql: Queryable, store: Store, q: string): Promise<Rows>
}

const groups: { readonly [G in SearchGroup]: GroupReader<StoreSearch[G]> } = {
  orders: { right: ['viewer', 'orders:read'], read: findOrders },
  parcels: {
    right: ['viewer', 'parcels:read'],
    read: (sql, { projectId }, q) => findParcelsByNumber(sql, projectId, q, GROUP_MAX),
  },
  customers: {
    right: ['viewer', 'orders:read'],
    async read(sql, store, q) {
      const found = await listCustomersOf(sql, store.id, { filter: {}, q: phoneEndOf(q) ?? q, page: PAGE })
      return found.map(({ id, name, phone }) => ({ id, name, phone }))
    },
  },
  products: {
    right: ['viewer', 'products:read'],
    async read(sql, store, q) {
      const found = await listProducts(sql, stockScopeOf(store), { filter: {}, q, page: PAGE })
      return found.map(({ id, name, sku, status }) => ({ id, name, sku, status }))
    },
  },
  people: { right: ['agent', 'members:read'], read: (sql, { id }, q) => findPeople(sql, id, q, GROUP_MAX) },
}

/** Finds orders as their list does: by reference, name or phone number. */
async function findOrders(sql: Queryable, store: Store, q: string): Promise<StoreSearch['orders']> {
  const found = await listOrders(sql, store, { filter: {}, q, page: PAGE })
  return found.map(({ id, reference, status, customerName, customerPhone, total }) => ({
    id,
    reference,
    status,
    customerName,
    customerPhone,
    total: Number(total),
  }))
}

/** Returns the digits of a phone number as customers are stored, without leading zeros; null for other texts. */
function phoneEndOf(q: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(q)) return null
  return q.replace(/\D/g, '').replace(/^0+/, '') || null
}

/**
 * Finds orders, parcels, customers, products and members of a store, a few of each, as far as the user may see them. A group that takes too
 * long is left out. Throws `not_found` for a foreign store.
 */
export async function searchStore(sql: Sql, user: ActingUser, storeId: string, text: string): Promise<StoreSearch> {
  const rights = await readStoreRights(sql, user, storeId)
  const store = await findStore(sql, storeId)
  if (!store) throw notFound('The store')
  const q = text.trim()
  const incomplete: SearchGroup[] = []
  const readGroup = async (name: SearchGroup): Promise<readonly [SearchGroup, readonly object[]]> => {
    const { right, read }: GroupReader = groups[name]
    if (!hasRight(rights, right)) return [name, []]
    try {
      return [name, await readFromReplica(sql, (from) => readWithinTime(from, GROUP_MS, (tx) => read(tx, store, q)))]
    } catch (error) {
      if (!isOverTime(error)) throw error
      incomplete.push(name)
      return [name, []]
    }
  }
  const found = Object.fromEntries(await mapConcurrent(searchGroups, AT_ONCE, readGroup)) as Pick<StoreSearch, SearchGroup>
  return { ...found, orderId: exactOrderOf(found, q), incomplete }
}

const isOverTime = (error: unknown) => error instanceof Error && 'code' in error && error.code === STATEMENT_CANCELED

/** Returns the one order that a text names by its reference or by the tracking number of its parcel. */
function exactOrderOf({ orders, parcels }: Pick<StoreSearch, 'orders' | 'parcels'>, q: string): string | null {
  const wanted = q.toUpperCase()
  const byReference = orders.filter(({ reference }) => reference.toUpperCase() === wanted).map(({ id }) => id)
  const ids = new Set([...byReference, ...parcels.flatMap(({ orderId }) => orderId ?? [])])
  const [only] = ids
  return ids.size === 1 && only !== undefined ? only : null
}
