import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { actsFor, assertCan, can, type Principal } from '../../http/auth/principal.ts'
import { atLeast, type Product, type Right, type Role, type Scope } from '../../http/auth/scopes.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import { isDeleting } from '../../identity/tenants/tenants.ts'
import type { Membership } from './members/members.model.ts'
import { findMember, holdPeople } from './members/members.queries.ts'
import type { Store } from './stores.model.ts'
import { findMembership, findProductsOf, findStore, findStoreOfProject, holdMembership, listStoresOfUser } from './stores.queries.ts'
import { isShownStore, leavesWithTenant } from './tenant.queries.ts'

type Reads = Pick<Context, 'sql'>

/** Throws `product_not_enabled` where the store's project has switched the product off: that holds for people as for keys. */
export async function assertProduct({ sql }: Reads, storeId: string, product: Product, caller: Principal | null = null) {
  // A key asks for its own project's store, or is refused; an app may ask for another store of its person's.
  const own = caller && isOfProject(caller) ? caller.project?.products : undefined
  const enabled = own ?? (await findProductsOf(sql, storeId))
  if (!enabled?.includes(product)) throw new ApiError('product_not_enabled', `The store's project has not enabled the product ${product}.`)
}

/** The store, as `accessStore` gives it, where its project has this product. */
export async function accessProduct(context: Reads, caller: Principal, storeId: string, needed: Right, product: Product) {
  // Asked together; who has no access hears of that, whatever the product.
  const [store, hasProduct] = await Promise.allSettled([
    accessStore(context, caller, storeId, needed),
    assertProduct(context, storeId, product, caller),
  ])
  if (store.status === 'rejected') throw store.reason
  if (hasProduct.status === 'rejected') throw hasProduct.reason
  return store.value
}

/** Whether his role is enough for it, and his permissions do not leave it out. */
const may = ({ role, permissions }: Membership, [needed, permission]: Right): boolean =>
  atLeast(role, needed) && (permissions === null || permissions.some((given) => given === permission))

/** Whether this person is a member who may do that. */
export async function memberMay(sql: Queryable, storeId: string, userId: string, right: Right): Promise<boolean> {
  const member = await findMembership(sql, storeId, userId)
  return member !== undefined && may(member, right)
}

/** The same, and nobody takes that from him until the transaction ends. */
export async function memberStillMay(tx: Tx, storeId: string, userId: string, right: Right): Promise<boolean> {
  const member = await holdMembership(tx, storeId, userId)
  return member !== undefined && may(member, right)
}

/** The same of who asks, whose right was looked at before: a key's ends by itself. Throws `forbidden` where a person lost it meanwhile. */
export async function assertStillMay(tx: Tx, storeId: string, { person }: Principal, right: Right): Promise<void> {
  if (!person || person.isAdmin || (await memberStillMay(tx, storeId, person.id, right))) return
  throw new ApiError('forbidden', 'You may not do this in the store any more.')
}

/** Throws `forbidden`. */
function assertMay(member: Membership, right: Right): void {
  if (may(member, right)) return
  const [needed, permission = 'to do all that your role may'] = right
  const message = atLeast(member.role, needed)
    ? `This needs the permission ${permission} in the store, which you were not given.`
    : `This needs the role ${needed} in the store; you are ${member.role}.`
  throw new ApiError('forbidden', message)
}

/**
 * The store, where this caller has the right `needed` in it: a member by role and permissions, an API key by its project (its scope was checked
 * at the edge). Administrators of the platform may do anything. Somebody else's store does not exist: 404; too small a right: 403.
 */
export async function accessStore({ sql }: Reads, caller: Principal, storeId: string, needed: Right): Promise<Store> {
  const { person } = caller
  if (isOfProject(caller)) return storeOfKey(sql, caller, storeId)
  const [store, membership, isLeaving] = await Promise.all([
    findStore(sql, storeId),
    person && findMembership(sql, storeId, person.id),
    leavesWithTenant(sql, storeId),
  ])
  if (!store || !(membership || person?.isAdmin)) throw notFound('The store')
  if (isLeaving) throw isDeleting()
  if (membership && !person?.isAdmin) assertMay(membership, needed)
  return store
}

/** Whether a caller has a right in a store: by role and permissions, and by scope where it has scopes. */
export async function hasAccess(
  context: Reads,
  caller: Principal,
  storeId: string,
  needed: Right & readonly [Role, Scope],
): Promise<boolean> {
  if (!can(caller, needed[1])) return false
  try {
    return (await accessStore(context, caller, storeId, needed)) !== null
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
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

/**
 * Holds the people of a store until the transaction ends, for one who still has this right in it: a right that was taken away meanwhile is none.
 * Gives his permissions; null where he may do all that his role may.
 */
export async function holdFor(tx: Tx, store: Store, asker: Asker, needed: Right): Promise<Membership['permissions']> {
  await holdPeople(tx, store.id)
  if (asker.isAdmin) return null
  const member = await findMember(tx, store.id, asker.id)
  if (!member) throw notFound('The store')
  assertMay(member, needed)
  return member.permissions
}

/** The store a request is about: the named one; a key may leave it out, since its project has but one. */
export async function chosenStore(context: Reads, caller: Principal, storeId: string | undefined, needed: Right): Promise<Store> {
  if (storeId !== undefined) return accessStore(context, caller, storeId, needed)
  const store = caller.project && (await findStoreOfProject(context.sql, caller.project.id))
  if (!store) throw invalid('/query/storeId', 'Say which store.')
  // Who acts as a person steers the project, and may yet be nobody in its store.
  return isOfProject(caller) ? store : accessStore(context, caller, store.id, needed)
}

/** How somebody stands to a store that anybody may come to. */
export type Standing = 'key' | 'member' | 'public'

/**
 * The store for whoever comes: keys and members by right, all others as its public, signed in or not; a member who may not look at
 * something as such sees what anybody sees. A key may leave it out.
 */
export async function enterStore(
  context: Reads,
  caller: Principal | null,
  storeId: string | undefined,
  needed: readonly [role: Role, scope: Scope],
): Promise<{ store: Store; standing: Standing }> {
  if (caller?.project) {
    assertCan(caller, needed[1])
    return { store: await chosenStore(context, caller, storeId, needed), standing: 'key' }
  }
  if (storeId === undefined) throw invalid('/query/storeId', 'Say which store.')
  const person = caller?.person
  const membership = person && !person.isAdmin && (await findMembership(context.sql, storeId, person.id))
  // What he does counts as a member's, so he needs the right to it; what anybody may look at he may, too.
  const comesAsMember = person?.isAdmin || (membership && (needed[0] !== 'viewer' || may(membership, needed)))
  if (caller && comesAsMember) return { store: await accessStore(context, caller, storeId, needed), standing: 'member' }
  const [store, isLeaving] = await Promise.all([findStore(context.sql, storeId), leavesWithTenant(context.sql, storeId)])
  if (!store) throw notFound('The store')
  if (isLeaving) throw isDeleting()
  return { store, standing: 'public' }
}

/** Whether anybody may see what the store shows: it is there, and does not go with its tenant. */
export const isShown = ({ sql }: Reads, storeId: string): Promise<boolean> => isShownStore(sql, storeId)

/** Newest first: those that a person is a member of; a key has the one of its project. */
export async function listStoresOf({ sql }: Reads, { person, project }: Principal, before: string | null, take: number): Promise<Store[]> {
  if (person) return listStoresOfUser(sql, person.id, before, take)
  const store = project && before === null ? await findStoreOfProject(sql, project.id) : undefined
  return store ? [store] : []
}
