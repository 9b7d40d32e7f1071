import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { assertCanUse, canUse, isKeyOfProject, type Principal } from '../../http/auth/principal.ts'
import type { RequestProject } from '../../http/auth/project-access.ts'
import { isRoleAtLeast, type Product, type Role, type Scope, type StoreRight } from '../../http/auth/scopes.ts'
import { tenantErrors } from '../../identity/tenants/tenants.errors.ts'
import { DomainError, notFound } from '../../lib/errors/domain-error.ts'
import type { Membership } from './members/members.model.ts'
import { findMember, lockMembers } from './members/members.queries.ts'
import { recallStore } from './memory/remembered-stores.ts'
import { storeErrors } from './stores.errors.ts'
import type { Store } from './stores.model.ts'
import {
  findEnabledProducts,
  findMembership,
  findStore,
  findStoreAccess,
  findStoreOfProject,
  listStoresOfUser,
  lockMembership,
  type StoreAccess,
} from './stores.queries.ts'
import { isVisibleStore } from './tenant.queries.ts'

type Database = Pick<Context, 'sql'>

/** Throws `product_not_enabled` where the store's project has not enabled the product. This applies to users and API keys. */
export async function assertProductEnabled({ sql }: Database, storeId: string, product: Product, caller: Principal | null = null) {
  // An API key can only name the store of its own project. An app's token may name another store of its user.
  const own = caller && isApiKey(caller) ? caller.project?.products : undefined
  const enabled = own ?? (await findEnabledProducts(sql, storeId))
  if (!enabled?.includes(product)) throw storeErrors.productNotEnabled({ product })
}

/**
 * Returns the store like {@link accessStore}, after checking that its project has enabled the product. Throws `product_not_enabled` in
 * addition. A caller without access gets that error, whatever the product.
 */
export async function accessProduct(context: Database, caller: Principal, storeId: string, needed: StoreRight, product: Product) {
  const { store, products } = await authorizeInStore(context, caller, storeId, needed)
  if (!products.includes(product)) throw storeErrors.productNotEnabled({ product })
  return store
}

/**
 * Returns the project of a store where the user has the right `needed`, after checking that it has enabled the product. Throws like
 * {@link accessProduct}.
 */
export async function findProjectOfStore(
  context: Database,
  caller: Principal,
  storeId: string,
  needed: StoreRight,
  product: Product | undefined,
): Promise<RequestProject> {
  const { store, products, tenantId } = await authorizeUserInStore(context, caller, storeId, needed)
  if (product && !products.includes(product)) throw storeErrors.productNotEnabled({ product })
  return { id: store.projectId, tenantId, products }
}

/** Returns true where a member's role suffices and the member's permissions include the one needed. */
export const hasRight = ({ role, permissions }: Membership, [needed, permission]: StoreRight): boolean =>
  isRoleAtLeast(role, needed) && (permissions === null || permissions.some((given) => given === permission))

/** Returns true where the user is a member of the store with this right. */
export async function hasMemberRight(sql: Queryable, storeId: string, userId: string, right: StoreRight): Promise<boolean> {
  const member = await findMembership(sql, storeId, userId)
  return member !== undefined && hasRight(member, right)
}

/**
 * Returns true where the user is a member of the store with this right. Locks the membership, so that it does not change until the
 * transaction ends.
 */
export async function lockMemberRight(tx: Tx, storeId: string, userId: string, right: StoreRight): Promise<boolean> {
  const member = await lockMembership(tx, storeId, userId)
  return member !== undefined && hasRight(member, right)
}

/**
 * Throws `forbidden` where a user has lost a right since it was checked. Locks the membership until the transaction ends. API keys and
 * platform administrators pass, since a revoked key fails by itself.
 */
export async function assertRightInTransaction(tx: Tx, storeId: string, { person }: Principal, right: StoreRight): Promise<void> {
  if (!person || person.isAdmin || (await lockMemberRight(tx, storeId, person.id, right))) return
  throw storeErrors.accessLost()
}

/** Throws `forbidden` where a member lacks the right. */
function assertRight(member: Membership, right: StoreRight): void {
  if (hasRight(member, right)) return
  const [needed, permission] = right
  if (!isRoleAtLeast(member.role, needed)) throw storeErrors.roleTooLow({ needed, role: member.role })
  throw permission === undefined ? storeErrors.allPermissionsNeeded() : storeErrors.permissionMissing({ permission })
}

/**
 * Returns the store where the caller has the right `needed`. A member needs the role and the permission, an API key needs the store's
 * project; its scope was checked before. Platform administrators have every right. Throws `not_found` for a foreign store, `forbidden`
 * where the right is missing, `tenant_deleting`.
 */
export const accessStore = async (context: Database, caller: Principal, storeId: string, needed: StoreRight): Promise<Store> =>
  (await authorizeInStore(context, caller, storeId, needed)).store

/** Project of a store, and what a user may do in the store. */
export interface StoreRights extends Membership {
  readonly projectId: string
}

/**
 * Reads what a user may do in a store, whatever that is. Platform administrators may do all. Throws `not_found` for a foreign store,
 * `tenant_deleting`.
 */
export async function readStoreRights(sql: Queryable, { id, isAdmin }: ActingUser, storeId: string): Promise<StoreRights> {
  const access = await findStoreAccess(sql, storeId, id)
  if (!access || !(access.membership || isAdmin)) throw notFound('The store')
  if (access.isTenantDeleting) throw tenantErrors.tenantDeleting()
  const { projectId } = access.store
  return isAdmin || !access.membership ? { projectId, role: 'owner', permissions: null } : { projectId, ...access.membership }
}

/** Returns the store like {@link accessStore}, and the products that its project has enabled. */
async function authorizeInStore(
  context: Database,
  caller: Principal,
  storeId: string,
  needed: StoreRight,
): Promise<Pick<StoreAccess, 'store' | 'products'>> {
  if (!isApiKey(caller)) return authorizeUserInStore(context, caller, storeId, needed)
  return { store: await findStoreOfKey(context.sql, caller, storeId), products: caller.project?.products ?? [] }
}

/** Returns the store like {@link accessStore} for a user, with what else decides on access to it. */
async function authorizeUserInStore({ sql }: Database, { person }: Principal, storeId: string, needed: StoreRight): Promise<StoreAccess> {
  const access = await findStoreAccess(sql, storeId, person?.id ?? null)
  if (!access || !(access.membership || person?.isAdmin)) throw notFound('The store')
  if (access.isTenantDeleting) throw tenantErrors.tenantDeleting()
  if (access.membership && !person?.isAdmin) assertRight(access.membership, needed)
  return access
}

/** Returns true where the caller has a right in a store: by role and permissions, and by scope where the credential has scopes. */
export const hasAccess = async (context: Database, caller: Principal, storeId: string, needed: readonly [Role, Scope]): Promise<boolean> =>
  canUse(caller, needed[1]) && hasRightInStore(context, caller, storeId, needed)

/** Returns true where the caller has a right in a store, by role and permissions. Scopes are left to the route. */
export async function hasRightInStore(context: Database, caller: Principal, storeId: string, needed: StoreRight): Promise<boolean> {
  try {
    return (await accessStore(context, caller, storeId, needed)) !== null
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}

/**
 * Finds the store of an API key or token by the project it acts for. Throws `not_found`. Keys of a tenant in deletion do not work at all,
 * so this is not checked.
 */
async function findStoreOfKey(sql: Context['sql'], caller: Principal, storeId: string): Promise<Store> {
  const store = await findStore(sql, storeId)
  if (!store || !isKeyOfProject(caller, store.projectId)) throw notFound('The store')
  return store
}

/** Finds the store like {@link findStoreOfKey}, from memory. */
async function recallStoreOfKey(sql: Context['sql'], caller: Principal, storeId: string): Promise<Store> {
  const store = await recallStore(sql, storeId)
  if (!store || !isKeyOfProject(caller, store.projectId)) throw notFound('The store')
  return store
}

const isApiKey = ({ person }: Principal) => person === null

/** Signed-in user who acts in a store. */
export type ActingUser = NonNullable<Principal['person']>

/**
 * Locks the members of a store until the transaction ends, and checks the user's right again under the lock. Returns the user's
 * permissions; null for all that the role allows. Throws `not_found`, `forbidden`.
 */
export async function lockMembersWithRight(
  tx: Tx,
  store: Store,
  asker: ActingUser,
  needed: StoreRight,
): Promise<Membership['permissions']> {
  await lockMembers(tx, store.id)
  if (asker.isAdmin) return null
  const member = await findMember(tx, store.id, asker.id)
  if (!member) throw notFound('The store')
  assertRight(member, needed)
  return member.permissions
}

const unnamedStore = () => storeErrors.storeMissing({ field: ['storeId'] })

/**
 * Returns the store that a request names. An API key may leave it out, since its project has one store. Throws `invalid_request`
 * where no store is named, and the errors of {@link accessStore}.
 */
export async function resolveStore(context: Database, caller: Principal, storeId: string | undefined, needed: StoreRight): Promise<Store> {
  if (storeId !== undefined) return accessStore(context, caller, storeId, needed)
  const store = caller.project && (await findStoreOfProject(context.sql, caller.project.id))
  if (!store) throw unnamedStore()
  // The user behind a token may administer the project without being a member of its store.
  return isApiKey(caller) ? store : accessStore(context, caller, store.id, needed)
}

/** Relation of a caller to a store that anybody may visit. `public` is everybody who is neither a member nor an API key of it. */
export type Audience = 'key' | 'member' | 'public'

/**
 * Access that a storefront route requires of members and keys. `remembered`: keys get the store from memory, and the handler runs its use
 * case in `withCurrentStore`.
 */
export type StorefrontAccess = readonly [role: Role, scope: Scope, freshness?: 'remembered']

/**
 * Returns the store and the caller's audience, for routes that anybody may call. A member without the right to read is treated as public.
 * An API key may leave the store out. Throws `not_found`, `invalid_request`, `forbidden`, `tenant_deleting`.
 */
export async function accessStorefront(
  context: Database,
  caller: Principal | null,
  storeId: string | undefined,
  [role, scope, freshness]: StorefrontAccess,
): Promise<{ store: Store; audience: Audience }> {
  const needed = [role, scope] as const
  if (caller?.project) {
    assertCanUse(caller, scope)
    if (freshness === 'remembered' && isApiKey(caller))
      return { store: await recallStoreOfKey(context.sql, caller, storeId ?? storeIdOf(caller.project.id)), audience: 'key' }
    return { store: await resolveStore(context, caller, storeId, needed), audience: 'key' }
  }
  if (storeId === undefined) throw unnamedStore()
  const person = caller?.person
  const access = await findStoreAccess(context.sql, storeId, person?.id ?? null)
  if (!access) throw notFound('The store')
  const { store, membership, isTenantDeleting } = access
  if (isTenantDeleting) throw tenantErrors.tenantDeleting()
  if (person?.isAdmin) return { store, audience: 'member' }
  if (!membership) return { store, audience: 'public' }
  if (hasRight(membership, needed)) return { store, audience: 'member' }
  // Members need the right for everything but reading what the public may read.
  if (role !== 'viewer') assertRight(membership, needed)
  return { store, audience: 'public' }
}

/** Returns true where the public may see the store: it exists, and its tenant is not being deleted. */
export const isStoreVisible = ({ sql }: Database, storeId: string): Promise<boolean> => isVisibleStore(sql, storeId)

/** Lists the stores of a user, newest first, or the one store of an API key's project. */
export async function listAccessibleStores(
  { sql }: Database,
  { person, project }: Principal,
  before: string | null,
  take: number,
): Promise<Store[]> {
  if (person) return listStoresOfUser(sql, person.id, before, take)
  const store = project && before === null ? await findStoreOfProject(sql, project.id) : undefined
  return store ? [store] : []
}
