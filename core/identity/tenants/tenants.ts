import type { Context } from '../../context.ts'
import { type Queryable, savepoint, type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { isAdmin, type Principal } from '../../http/auth/principal.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { evictCredentials, evictTenantCredentials } from '../auth/credentials/authenticate.ts'
import { assertBelowTenantLimit, type LimitDefaults, limitsOf } from './limits.ts'
import { isDirectOwner, lockNamedUsers, replaceTenantMembers } from './tenant-members.ts'
import { tenantErrors } from './tenants.errors.ts'
import {
  DELETION_DELAY_DAYS,
  type NewTenant,
  type Tenant,
  type TenantChange,
  type TenantDetail,
  type TenantRole,
  tenantRoles,
} from './tenants.model.ts'
import {
  cancelTenantDeletion,
  countProjects,
  countTenants,
  findTenant,
  insertTenant,
  listTenantMembers,
  lockTenant,
  markTenantDeleting,
  renameTenant,
  type TenantRow,
  type TenantScope,
  tryLockOwner,
  updateTenantLimits,
} from './tenants.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published before a tenant is removed with all its data. Subscribers that still need it throw. */
    'tenant.deleted': { tenantId: number }
  }
}

const TENANTS_MAX = 100

/** Builds the API view of a tenant for lists. */
export const presentTenant = (defaults: LimitDefaults, { ownerId: _, limits, ...row }: TenantRow): Tenant => ({
  ...row,
  limits: limitsOf(defaults, limits),
  state: row.deletesAt === null ? 'active' : 'deleting',
})

/** Builds the API view of a tenant with its members. */
export const presentTenantDetail = async (context: Pick<Context, 'sql' | 'config'>, tenant: TenantRow): Promise<TenantDetail> => ({
  ...presentTenant(context, tenant),
  people: await listTenantMembers(context.sql, tenant.id),
})

/** Returns the id of the user of a credential; null for keys. */
export const callerUserId = ({ person }: Principal): string | null => person?.id ?? null

/** Returns the tenants that a caller may view: all for platform administrators, those of the user, or the one of the key. */
export function tenantScopeOf(caller: Principal): TenantScope {
  if (isAdmin(caller)) return {}
  return caller.person ? { userId: caller.person.id } : { tenantId: caller.project?.tenantId ?? 0 }
}

/**
 * Finds a tenant in which the caller has a role; keys have the role of an admin. Throws `not_found` without a role, `forbidden` with a
 * lower one.
 */
export async function requireTenant(
  { sql }: { readonly sql: Queryable },
  caller: Principal,
  id: string,
  needed: TenantRole,
): Promise<TenantRow> {
  const tenant = await findTenant(sql, Number(id), callerUserId(caller))
  const role = tenant && roleIn(caller, tenant)
  if (!tenant || !role) throw notFound('The tenant')
  if (tenantRoles.indexOf(role) < tenantRoles.indexOf(needed)) throw tenantErrors.roleTooLow({ needed, role })
  return tenant
}

function roleIn(caller: Principal, tenant: TenantRow): TenantRole | null {
  if (isAdmin(caller)) return 'owner'
  if (caller.person) return tenant.role
  return caller.project?.tenantId === tenant.id ? 'admin' : null
}

/** Creates a tenant that the user owns. Throws `forbidden` for keys, and `limit_reached`. */
export async function createTenant(defaults: LimitDefaults, tx: Tx, { person }: Principal, { name }: NewTenant): Promise<TenantDetail> {
  if (!person) throw tenantErrors.apiKeysForbidden()
  if (!(await tryLockOwner(tx, person.id))) throw notFound('The account')
  if ((await countTenants(tx, person.id)) >= TENANTS_MAX) throw tenantErrors.tooManyTenants({ tenantsMax: TENANTS_MAX })
  return reread(defaults, tx, await insertTenant(tx, person.id, name), person.id)
}

/**
 * Changes name, members and limits of a tenant, or cancels its deletion. Throws `tenant_deleting` when anything else of a tenant that is
 * being deleted would change.
 */
export async function changeTenant(
  { sql, shared, config }: Context,
  caller: Principal,
  id: number,
  change: TenantChange,
): Promise<TenantDetail> {
  const { changed, ended } = await transaction(sql, async (tx) => {
    const named = change.people ? await lockNamedUsers(tx, change.people) : []
    const tenant = await lockTenant(tx, id)
    if (!tenant) throw notFound('The tenant')
    if (change.deleting === false && tenant.deletesAt !== null) {
      if (!isDirectOwner(caller, tenant)) throw tenantErrors.cancellationForbidden()
      await cancelTenantDeletion(tx, id)
    } else if (tenant.deletesAt !== null) throw tenantErrors.tenantDeleting()
    if (change.name !== undefined) await renameTenant(tx, id, change.name)
    if (change.limits) {
      if (!isAdmin(caller)) throw tenantErrors.limitsForbidden()
      await updateTenantLimits(tx, id, change.limits)
    }
    const ended = change.people ? await replaceTenantMembers({ shared, config }, tx, caller, tenant, change.people, named) : []
    return { changed: await reread({ config }, tx, id, callerUserId(caller)), ended }
  })
  await evictCredentials(shared, ended)
  await evictTenantCredentials(shared, id)
  return changed
}

/**
 * Schedules the deletion of a tenant in 30 days. Its keys and tokens stop working at once. Throws what subscribers throw while parcels or
 * money are in transit.
 */
export async function deleteTenant({ sql, shared, config }: Context, caller: Principal, id: number): Promise<TenantDetail> {
  const deleted = await transaction(sql, async (tx) => {
    const tenant = await lockTenant(tx, id)
    if (!tenant) throw notFound('The tenant')
    if (tenant.deletesAt === null) {
      await assertDeletable(tx, id)
      await markTenantDeleting(tx, id, DELETION_DELAY_DAYS)
    }
    return reread({ config }, tx, id, callerUserId(caller))
  })
  await evictTenantCredentials(shared, id)
  return deleted
}

/** Throws when a subscriber refuses the deletion. It publishes the event in a savepoint and rolls it back. */
async function assertDeletable(tx: Tx, tenantId: number) {
  const rollback = new Error('undone')
  await savepoint(tx, async (asked) => {
    await publish(asked, 'tenant.deleted', { tenantId })
    throw rollback
  }).catch((error) => {
    if (error !== rollback) throw error
  })
}

async function reread(defaults: LimitDefaults, tx: Tx, id: number, callerId: string | null): Promise<TenantDetail> {
  const tenant = await findTenant(tx, id, callerId)
  if (!tenant) throw notFound('The tenant')
  return { ...presentTenant(defaults, tenant), people: await listTenantMembers(tx, id) }
}

/** Locks a tenant until the transaction ends, before a project is added. Throws `limit_reached` and `tenant_deleting`. */
export async function lockTenantForProject(defaults: LimitDefaults, tx: Tx, tenantId: number): Promise<void> {
  const tenant = await lockTenant(tx, tenantId)
  if (!tenant) throw notFound('The tenant')
  if (tenant.deletesAt !== null) throw tenantErrors.tenantDeleting()
  assertBelowTenantLimit(limitsOf(defaults, tenant.limits).maxProjects, await countProjects(tx, tenantId), 'projects')
}
