import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { isAdmin, type Principal } from '../../http/auth/principal.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { forgetCredentials, forgetTenant } from '../auth/credentials/authenticate.ts'
import { assertRoom, limitsOf } from './limits.ts'
import { changePeople, holdNamed, isOwner } from './tenant-members.ts'
import {
  KEPT_DAYS,
  type NewTenant,
  type Tenant,
  type TenantChange,
  type TenantInFull,
  type TenantRole,
  tenantRoles,
} from './tenants.model.ts'
import {
  countProjects,
  countTenants,
  findTenant,
  insertTenant,
  limitTenant,
  listPeople,
  lockOwner,
  lockTenant,
  markDeleting,
  renameTenant,
  type Seen,
  type TenantRow,
  takeBack,
} from './tenants.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** It is about to be removed with all that is in it. Who still needs it throws. */
    'tenant.leaving': { tenantId: number }
  }
}

const TENANTS_MAX = 100

export const present = ({ ownerId: _, limits, ...row }: TenantRow): Tenant => ({
  ...row,
  limits: limitsOf(limits),
  state: row.deletesAt === null ? 'active' : 'deleting',
})

export const inFull = async ({ sql }: Pick<Context, 'sql'>, tenant: TenantRow): Promise<TenantInFull> => ({
  ...present(tenant),
  people: await listPeople(sql, tenant.id),
})

/** Who asks, as far as his own role goes. */
export const askingOf = ({ person }: Principal): string | null => person?.id ?? null

/** Which tenants a caller sees: administrators of the platform all, people those that they belong to, keys their own. */
export function seenBy(caller: Principal): Seen {
  if (isAdmin(caller)) return {}
  return caller.person ? { userId: caller.person.id } : { tenantId: caller.project?.tenantId ?? 0 }
}

/** The tenant, where the caller has this role in it; a key has an admin's. Everybody else's does not exist. */
export async function openTenant(
  { sql }: { readonly sql: Queryable },
  caller: Principal,
  id: string,
  needed: TenantRole,
): Promise<TenantRow> {
  const tenant = await findTenant(sql, Number(id), askingOf(caller))
  const role = tenant && roleIn(caller, tenant)
  if (!tenant || !role) throw notFound('The tenant')
  if (tenantRoles.indexOf(role) < tenantRoles.indexOf(needed))
    throw new ApiError('forbidden', `This needs the role ${needed} in the tenant; you are ${role}.`)
  return tenant
}

function roleIn(caller: Principal, tenant: TenantRow): TenantRole | null {
  if (isAdmin(caller)) return 'owner'
  if (caller.person) return tenant.role
  return caller.project?.tenantId === tenant.id ? 'admin' : null
}

export async function createTenant(tx: Tx, { person }: Principal, { name }: NewTenant): Promise<TenantInFull> {
  if (!person) throw new ApiError('forbidden', 'Tenants are made by people: a key acts for the one that it belongs to.')
  if (!(await lockOwner(tx, person.id))) throw notFound('The account')
  if ((await countTenants(tx, person.id)) >= TENANTS_MAX)
    throw new ApiError('limit_reached', `A person owns at most ${TENANTS_MAX} tenants. Delete one, or give it to somebody else.`)
  return reread(tx, await insertTenant(tx, person.id, name), person.id)
}

/** Name, people, limits, and whether it stays. What is being deleted is taken back before anything else of it changes. */
export async function changeTenant(
  { sql, shared, config }: Context,
  caller: Principal,
  id: number,
  change: TenantChange,
): Promise<TenantInFull> {
  const { changed, ended } = await transaction(sql, async (tx) => {
    const held = change.people ? await holdNamed(tx, change.people) : []
    const tenant = await lockTenant(tx, id)
    if (!tenant) throw notFound('The tenant')
    if (change.deleting === false && tenant.deletesAt !== null) {
      if (!isOwner(caller, tenant))
        throw new ApiError('forbidden', 'Only its owner, signed in himself, takes back the deletion of a tenant.')
      await takeBack(tx, id)
    } else if (tenant.deletesAt !== null) throw isDeleting()
    if (change.name !== undefined) await renameTenant(tx, id, change.name)
    if (change.limits) {
      if (!isAdmin(caller)) throw new ApiError('forbidden', 'Only administrators of the platform change the limits of a tenant.')
      await limitTenant(tx, id, change.limits)
    }
    const ended = change.people ? await changePeople({ shared, config }, tx, caller, tenant, change.people, held) : []
    return { changed: await reread(tx, id, askingOf(caller)), ended }
  })
  await forgetCredentials(shared, ended)
  await forgetTenant(shared, id)
  return changed
}

/**
 * Its keys and tokens stop working at once, its projects answer `tenant_deleting`; after 30 days all of it is removed. Refused while parcels are
 * on their way or money is: nobody could follow them any more.
 */
export async function deleteTenant({ sql, shared }: Context, caller: Principal, id: number): Promise<TenantInFull> {
  const deleted = await transaction(sql, async (tx) => {
    const tenant = await lockTenant(tx, id)
    if (!tenant) throw notFound('The tenant')
    if (tenant.deletesAt === null) {
      await assertMayLeave(tx, id)
      await markDeleting(tx, id, KEPT_DAYS)
    }
    return reread(tx, id, askingOf(caller))
  })
  await forgetTenant(shared, id)
  return deleted
}

/** Asked, and undone: it stays for 30 days yet. */
async function assertMayLeave(tx: Tx, tenantId: number) {
  const undone = new Error('undone')
  await tx
    .savepoint(async (asked) => {
      await publish(asked, 'tenant.leaving', { tenantId })
      throw undone
    })
    .catch((error) => {
      if (error !== undone) throw error
    })
}

async function reread(tx: Tx, id: number, asking: string | null): Promise<TenantInFull> {
  const tenant = await findTenant(tx, id, asking)
  if (!tenant) throw notFound('The tenant')
  return { ...present(tenant), people: await listPeople(tx, id) }
}

export const isDeleting = () =>
  new ApiError(
    'tenant_deleting',
    'The tenant that this belongs to is being deleted. Its owner takes that back with PATCH /v1/tenants/{id} {"deleting": false}.',
  )

/** Holds the tenant until the transaction ends, where it may have one more project. */
export async function makeRoomForProject(tx: Tx, tenantId: number): Promise<void> {
  const tenant = await lockTenant(tx, tenantId)
  if (!tenant) throw notFound('The tenant')
  if (tenant.deletesAt !== null) throw isDeleting()
  assertRoom(limitsOf(tenant.limits).maxProjects, await countProjects(tx, tenantId), 'projects')
}
