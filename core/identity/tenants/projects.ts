import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import { isAdmin, type Principal } from '../../http/auth/principal.ts'
import { type Product, productsOfNewProject } from '../../http/auth/scopes.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { evictProjectCredentials } from '../auth/credentials/authenticate.ts'
import type { LimitDefaults } from './limits.ts'
import type { NewProject, Project, ProjectChange } from './projects.model.ts'
import { findProjectAccess, insertProject, type ProjectAccess, updateProject } from './projects.queries.ts'
import { tenantErrors } from './tenants.errors.ts'
import { findOldestOwnedTenant, insertTenant, tryLockOwner } from './tenants.queries.ts'
import { lockTenantForProject, requireTenant } from './tenants.ts'

export { endKeys, endSpanningKeys } from './keys/keys.ts'

type Input = { readonly name: string; readonly products?: readonly Product[] }

/** Creates a project in the user's oldest own tenant, or in a new tenant. Throws `limit_reached`. */
export async function createProject(defaults: LimitDefaults, tx: Tx, ownerId: string, input: Input): Promise<Project> {
  if (!(await tryLockOwner(tx, ownerId))) throw notFound('The account')
  return addProject(defaults, tx, (await findOldestOwnedTenant(tx, ownerId)) ?? (await insertTenant(tx, ownerId, input.name)), input)
}

/**
 * Creates a project in the named tenant, or else in the own tenant of the user or the key. Throws `forbidden`, `not_found` and
 * `limit_reached`.
 */
export async function createProjectForCaller(
  defaults: LimitDefaults,
  tx: Tx,
  caller: Principal,
  { tenantId, ...input }: NewProject,
): Promise<Project> {
  if (tenantId !== undefined)
    return addProject(defaults, tx, (await requireTenant({ sql: tx }, caller, String(tenantId), 'admin')).id, input)
  if (caller.person) return createProject(defaults, tx, caller.person.id, input)
  if (!caller.project) throw tenantErrors.projectsForbidden()
  return addProject(defaults, tx, caller.project.tenantId, input)
}

async function addProject(
  defaults: LimitDefaults,
  tx: Tx,
  tenantId: number,
  { name, products = productsOfNewProject }: Input,
): Promise<Project> {
  await lockTenantForProject(defaults, tx, tenantId)
  return insertProject(tx, { id: newId('prj'), tenantId, name, products })
}

/**
 * Finds a project that the caller may view or manage. Owners and admins of the tenant or the store manage it; members of the tenant view
 * it. Throws `not_found` without access, `forbidden` with too little, and `tenant_deleting`.
 */
export async function requireProject(
  { sql }: Pick<Context, 'sql'>,
  caller: Principal,
  id: string,
  needed: 'view' | 'manage',
): Promise<Project> {
  const found = await findProjectAccess(sql, id, caller.person?.id ?? null)
  const access = found && accessOf(caller, found)
  if (!found || !access) throw notFound('The project')
  if (found.isLeaving) throw tenantErrors.tenantDeleting()
  if (needed === 'manage' && access === 'view') throw tenantErrors.membersReadOnly()
  return found.project
}

/** Returns the access of a caller: platform administrators manage everything, keys the projects of their tenant. */
function accessOf(caller: Principal, { project, access }: ProjectAccess): ProjectAccess['access'] {
  if (isAdmin(caller)) return 'manage'
  if (caller.person) return access
  return caller.project?.tenantId === project.tenantId ? 'manage' : null
}

/** Changes a project and evicts its cached credentials. */
export async function changeProject(context: Context, id: string, change: ProjectChange): Promise<Project> {
  const project = await updateProject(context.sql, id, change)
  await evictProjectCredentials(context.shared, id)
  return project
}
