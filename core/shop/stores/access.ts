import type { Context } from '../../context.ts'
import { ApiError, invalid, notFound } from '../../http/errors.ts'
import { actsFor, assertCan, type Principal } from '../../http/principal.ts'
import { atLeast, type Product, type Role, type Scope } from '../../http/scopes.ts'
import type { Store } from './stores.model.ts'
import { findProductsOf, findRole, findStore, findStoreOfProject, listStoresOfUser } from './stores.queries.ts'

type Reads = Pick<Context, 'sql'>

/** Throws `product_not_enabled` where the store's project has switched the product off: that holds for people as for keys. */
export async function assertProduct({ sql }: Reads, storeId: string, product: Product, caller: Principal | null = null) {
  const enabled = caller?.project?.products ?? (await findProductsOf(sql, storeId))
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
  const [store, role] = await Promise.all([findStore(sql, storeId), person && findRole(sql, storeId, person.id)])
  if (!store) throw notFound('The store')
  if (actsFor(caller, store.projectId) || person?.isAdmin) return store
  if (!role) throw notFound('The store')
  if (!atLeast(role, needed)) throw new ApiError('forbidden', `This needs the role ${needed} in the store; you are ${role}.`)
  return store
}

/** The store a request is about: the named one; a key may leave it out, since its project has but one. */
export async function chosenStore(context: Reads, caller: Principal, storeId: string | undefined, needed: Role): Promise<Store> {
  if (storeId !== undefined) return accessStore(context, caller, storeId, needed)
  const store = caller.project && (await findStoreOfProject(context.sql, caller.project.id))
  if (!store) throw invalid('/query/storeId', 'Say which store.')
  return store
}

/** How somebody stands to a store that anybody may come to. */
export type Standing = 'key' | 'member' | 'public'

/** The store for whoever comes: keys and members by right, strangers as its public, signed in somewhere else or not. */
export async function enterStore(
  context: Reads,
  caller: Principal | null,
  storeId: string,
  needed: Role,
  scope: Scope,
): Promise<{ store: Store; standing: Standing }> {
  if (caller?.project) {
    assertCan(caller, scope)
    return { store: await accessStore(context, caller, storeId, needed), standing: 'key' }
  }
  const person = caller?.person
  const belongs = person && (person.isAdmin || (await findRole(context.sql, storeId, person.id)))
  if (caller && belongs) return { store: await accessStore(context, caller, storeId, needed), standing: 'member' }
  const store = await findStore(context.sql, storeId)
  if (!store) throw notFound('The store')
  return { store, standing: 'public' }
}

/** Newest first: those that a person is a member of; a key has the one of its project. */
export async function listStoresOf({ sql }: Reads, { person, project }: Principal, before: string | null, take: number): Promise<Store[]> {
  if (person) return listStoresOfUser(sql, person.id, before, take)
  const store = project && before === null ? await findStoreOfProject(sql, project.id) : undefined
  return store ? [store] : []
}
