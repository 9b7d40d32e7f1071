import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import { isAdmin, type Principal } from '../../http/auth/principal.ts'
import { type Product, productsOfNewProject } from '../../http/auth/scopes.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { forgetProject } from '../auth/credentials/authenticate.ts'
import type { NewProject, Project, ProjectChange } from './projects.model.ts'
import { findStanding, insertProject, type Standing, updateProject } from './projects.queries.ts'
import { findOwnTenant, insertTenant, lockOwner } from './tenants.queries.ts'
import { isDeleting, makeRoomForProject, openTenant } from './tenants.ts'

export { endKeys, endSpanningKeys } from './keys/keys.ts'

type Input = { readonly name: string; readonly products?: readonly Product[] }

/** Makes a project in the person's oldest tenant, or in a first one. */
export async function createProject(tx: Tx, ownerId: string, input: Input): Promise<Project> {
  if (!(await lockOwner(tx, ownerId))) throw notFound('The account')
  return addProject(tx, (await findOwnTenant(tx, ownerId)) ?? (await insertTenant(tx, ownerId, input.name)), input)
}

/** In the tenant that is named, where the caller steers it; else in the person's own, or the key's. */
export async function createProjectAs(tx: Tx, caller: Principal, { tenantId, ...input }: NewProject): Promise<Project> {
  if (tenantId !== undefined) return addProject(tx, (await openTenant({ sql: tx }, caller, String(tenantId), 'admin')).id, input)
  if (caller.person) return createProject(tx, caller.person.id, input)
  if (!caller.project) throw new ApiError('forbidden', 'Projects are made by people, and by keys of a project.')
  return addProject(tx, caller.project.tenantId, input)
}

async function addProject(tx: Tx, tenantId: number, { name, products = productsOfNewProject }: Input): Promise<Project> {
  await makeRoomForProject(tx, tenantId)
  return insertProject(tx, { id: newId('prj'), tenantId, name, products })
}

/**
 * The project, where the caller may do that with it; everybody else's does not exist. Owners and admins of its tenant steer it, and those of the
 * store that it stands behind; members of its tenant see it.
 */
export async function openProject(
  { sql }: Pick<Context, 'sql'>,
  caller: Principal,
  id: string,
  needed: 'sees' | 'steers',
): Promise<Project> {
  const found = await findStanding(sql, id, caller.person?.id ?? null)
  const standing = found && standingOf(caller, found)
  if (!found || !standing) throw notFound('The project')
  if (found.isLeaving) throw isDeleting()
  if (needed === 'steers' && standing === 'sees')
    throw new ApiError('forbidden', 'Members of a tenant see its projects; its owner and its admins steer them.')
  return found.project
}

function standingOf(caller: Principal, { project, standing }: Standing): Standing['standing'] {
  if (isAdmin(caller)) return 'steers'
  if (caller.person) return standing
  return caller.project?.tenantId === project.tenantId ? 'steers' : null
}

export async function changeProject(context: Context, id: string, change: ProjectChange): Promise<Project> {
  const project = await updateProject(context.sql, id, change)
  await forgetProject(context.shared, id)
  return project
}
