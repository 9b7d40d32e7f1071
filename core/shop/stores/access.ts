import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import { ApiError, invalid, notFound } from '../../http/errors.ts'
import { actsFor, assertCan, type Principal } from '../../http/principal.ts'
import { atLeast, type Product, type Role, type Scope } from '../../http/scopes.ts'
import { isDeleting } from '../../identity/projects/tenants.ts'
import { findMember, holdPeople } from './members.queries.ts'
import type { Store } from './stores.model.ts'
import { findProductsOf, findRole, findStore, findStoreOfProject, listStoresOfUser } from './stores.queries.ts'
import { leavesWithTenant } from './tenant.queries.ts'

type Reads = Pick<Context, 'sql'>

/** Throws `product_not_enabled` where the store's project has switched the product off: that holds for people as for keys. */
export async function assertProduct({ sql }: Reads, storeId: string, product: Product, caller: Principal | null = null) {
  // A key asks for its own project's store, or is refused; an app may ask for another store of its person's.
  const own = caller && isOfProject(caller) ? caller.project?.products : undefined
  const enabled = own ?? (await findProductsOf(sql, storeId))
  if (!enabled?.includes(product)) throw new ApiError('product_not_enabled', `The store's project has not enabled the product ${product}.`)
}

/** The store, as `accessStore` gives it, where its project has this product. */
export async function accessProduct(context: Reads, caller: Principal, storeId: string, needed: Role, product: Product) {
  // Asked together; who has no access hears of that, whatever the product.
  const [store, hasProduct] = await Promise.allSettled([
    accessStore(context, caller, storeId, needed),
    assertProduct(context, storeId, product, caller),
  ])
  if (store.status === 'rejected') throw store.reason
  if (hasProduct.status === 'rejected') throw hasProduct.reason
  return store.value
}

/**
 * The store, where this caller has at least `needed` in it: a member by role, an API key by its project (its scope was checked at
 * the edge). Administrators of the platform may do anything. Somebody else's store does not exist: 404; too small a role: 403.
 */
export async function accessStore({ sql }: Reads, caller: Principal, storeId: string, needed: Role): Promise<Store> {
  const { person } = caller
  if (isOfProject(caller)) return storeOfKey(sql, caller, storeId)
  const [store, role, isLeaving] = await Promise.all([
    findStore(sql, storeId),
    person && findRole(sql, storeId, person.id),
    leavesWithTenant(sql, storeId),
  ])
  if (!store || !(role || person?.isAdmin)) throw notFound('The store')
  if (isLeaving) throw isDeleting()
  if (!role || person?.isAdmin) return store
  if (!atLeast(role, needed)) throw new ApiError('forbidden', `This needs the role ${needed} in the store; you are ${role}.`)
  return store
}

/** Keys of a tenant that is being deleted do not work: nothing is left to ask. */
async function storeOfKey(sql: Context['sql'], caller: Principal, storeId: string): Promise<Store> {
  const store = await findStore(sql, storeId)
  if (!store || !actsFor(caller, store.projectId)) throw notFound('The store')
  return store
}

const isOfProject = ({ person }: Principal) => person === null

/** A person who came himself. */
export type Asker = NonNullable<Principal['person']>

/** Holds the people of a store until the transaction ends, for one who still has this role in it: a right that was taken away meanwhile is none. */
export async function holdFor(tx: Tx, store: Store, asker: Asker, needed: Role): Promise<void> {
  await holdPeople(tx, store.id)
  if (asker.isAdmin) return
  const role = (await findMember(tx, store.id, asker.id))?.role
  if (!role) throw notFound('The store')
  if (!atLeast(role, needed)) throw new ApiError('forbidden', `This needs the role ${needed} in the store; you are ${role}.`)
}

/** The store a request is about: the named one; a key may leave it out, since its project has but one. */
export async function chosenStore(context: Reads, caller: Principal, storeId: string | undefined, needed: Role): Promise<Store> {
  if (storeId !== undefined) return accessStore(context, caller, storeId, needed)
  const store = caller.project && (await findStoreOfProject(context.sql, caller.project.id))
  if (!store) throw invalid('/query/storeId', 'Say which store.')
  // Who acts as a person steers the project, and may yet be nobody in its store.
  return isOfProject(caller) ? store : accessStore(context, caller, store.id, needed)
}

/** How somebody stands to a store that anybody may come to. */
export type Standing = 'key' | 'member' | 'public'

/** The store for whoever comes: keys and members by right, strangers as its public, signed in somewhere else or not. A key may leave it out. */
export async function enterStore(
  context: Reads,
  caller: Principal | null,
  storeId: string | undefined,
  needed: Role,
  scope: Scope,
): Promise<{ store: Store; standing: Standing }> {
  if (caller?.project) {
    assertCan(caller, scope)
    return { store: await chosenStore(context, caller, storeId, needed), standing: 'key' }
  }
  if (storeId === undefined) throw invalid('/query/storeId', 'Say which store.')
  const person = caller?.person
  const belongs = person && (person.isAdmin || (await findRole(context.sql, storeId, person.id)))
  if (caller && belongs) return { store: await accessStore(context, caller, storeId, needed), standing: 'member' }
  const [store, isLeaving] = await Promise.all([findStore(context.sql, storeId), leavesWithTenant(context.sql, storeId)])
  if (!store) throw notFound('The store')
  if (isLeaving) throw isDeleting()
  return { store, standing: 'public' }
}

/** Newest first: those that a person is a member of; a key has the one of its project. */
export async function listStoresOf({ sql }: Reads, { person, project }: Principal, before: string | null, take: number): Promise<Store[]> {
  if (person) return listStoresOfUser(sql, person.id, before, take)
  const store = project && before === null ? await findStoreOfProject(sql, project.id) : undefined
  return store ? [store] : []
}
