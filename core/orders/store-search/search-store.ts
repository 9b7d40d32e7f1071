import { readFromReplica } from '../../data/database/replica.ts'
import { isStatementTimeout, type KeysetPage, withCustomPlan } from '../../data/keyset-page.ts'
import type { Queryable, Sql } from '../../data/sql.ts'
import type { StoreRight } from '../../http/auth/scopes.ts'
import { queueByOwner } from '../../http/concurrency.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findProductsByText } from '../../shop/catalog/products.queries.ts'
import { type ActingUser, hasRight, readStoreRights } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { searchCustomers } from '../customers/customers.ts'
import { listOrders } from '../list.ts'
import { phoneEndOf } from '../search-text.ts'
import { GROUP_MAX, GROUP_MS, type SearchGroup, type StoreSearch, searchGroups } from './store-search.model.ts'
import { findParcelsByNumber, findPeople } from './store-search.queries.ts'

/** Groups that are read at the same time; other requests need connections too. */
const AT_ONCE = 2

/** Searches that run at once: each has up to two connections of the pool. */
const queueSearch = queueByOwner({ own: 2, all: 3, waiting: 50 }, 'Too many searches of this store are waiting.')

/** Columns of an order that a search shows, and its project, whose lines are read by it. */
const ORDER_COLUMNS = ['projectId', 'id', 'reference', 'status', 'customerName', 'customerPhone', 'total'] as const

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
    read: (sql, { id }, q) => searchCustomers(sql, id, phoneEndOf(q) ?? q, GROUP_MAX),
  },
  products: {
    right: ['viewer', 'products:read'],
    read: (sql, { projectId }, q) => findProductsByText(sql, projectId, q, GROUP_MAX),
  },
  people: { right: ['agent', 'members:read'], read: (sql, { id }, q) => findPeople(sql, id, q, GROUP_MAX) },
}

/** Finds orders as their list does: by reference, name or phone number. */
async function findOrders(sql: Queryable, store: Store, q: string): Promise<StoreSearch['orders']> {
  const found = await listOrders(sql, store, { filter: {}, q, page: PAGE }, ORDER_COLUMNS)
  return found.map(({ id, reference, status, customerName, customerPhone, total }) => ({
    id,
    reference,
    status,
    customerName,
    customerPhone,
    total: Number(total),
  }))
}

/**
 * Finds orders, parcels, customers, products and members of a store, a few of each, as far as the user may see them. A group that takes too
 * long is left out. Searches of a store wait for each other, until the caller leaves. Throws `not_found` for a foreign store, `unavailable`
 * where too many wait.
 */
export async function searchStore(sql: Sql, user: ActingUser, storeId: string, text: string, signal?: AbortSignal): Promise<StoreSearch> {
  const rights = await readStoreRights(sql, user, storeId)
  const store = await findStore(sql, storeId)
  if (!store) throw notFound('The store')
  const q = text.trim()
  const incomplete: SearchGroup[] = []
  const readGroup = async (name: SearchGroup): Promise<readonly [SearchGroup, readonly object[]]> => {
    const { right, read }: GroupReader = groups[name]
    if (!hasRight(rights, right)) return [name, []]
    signal?.throwIfAborted()
    try {
      return [name, await readFromReplica(sql, (from) => withCustomPlan(from, (tx) => read(tx, store, q), { timeoutMs: GROUP_MS }))]
    } catch (error) {
      if (!isStatementTimeout(error)) throw error
      incomplete.push(name)
      return [name, []]
    }
  }
  const readGroups = () => mapConcurrent(searchGroups, AT_ONCE, readGroup)
  const found = Object.fromEntries(await queueSearch(storeId, readGroups, signal)) as Pick<StoreSearch, SearchGroup>
  return { ...found, orderId: exactOrderOf(found, q), incomplete }
}

/** Returns the one order that a text names by its reference or by the tracking number of its parcel. */
function exactOrderOf({ orders, parcels }: Pick<StoreSearch, 'orders' | 'parcels'>, q: string): string | null {
  const wanted = q.toUpperCase()
  const byReference = orders.filter(({ reference }) => reference.toUpperCase() === wanted).map(({ id }) => id)
  const ids = new Set([...byReference, ...parcels.flatMap(({ orderId }) => orderId ?? [])])
  const [only] = ids
  return ids.size === 1 && only !== undefined ? only : null
}
