import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, invalid, notFound } from '../../http/errors.ts'
import { assertCan, type Person, type Principal } from '../../http/principal.ts'
import { type Product, productsOfNewProject, type Scope, spanning } from '../../http/scopes.ts'
import { newToken, sha256 } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { forgetCredentials } from '../auth/authenticate.ts'
import type { NewApiKey, NewProject, Project, ProjectChange } from './projects.model.ts'
import {
  ensureTenant,
  findProject,
  findProjectOfUser,
  holdRight,
  insertApiKey,
  insertProject,
  listProjectsOfTenant,
  listProjectsOfUser,
  ownsTenant,
  revokeApiKey,
  revokeApiKeys,
  revokeSpanningKeys,
  updateProject,
} from './projects.queries.ts'

/** Makes a project in the person's tenant. */
export async function createProject(tx: Tx, ownerId: string, input: { name: string; products?: readonly Product[] }): Promise<Project> {
  const tenantId = await ensureTenant(tx, ownerId, input.name)
  return insertProject(tx, { id: newId('prj'), tenantId, name: input.name, products: input.products ?? productsOfNewProject })
}

/** With a key, the new project joins the key's tenant. */
export async function createProjectAs(tx: Tx, { person, project }: Principal, input: NewProject): Promise<Project> {
  if (person) return createProject(tx, person.id, input)
  if (!project) throw new ApiError('forbidden', 'Projects are made by people, and by keys of a project.')
  return insertProject(tx, {
    id: newId('prj'),
    tenantId: project.tenantId,
    name: input.name,
    products: input.products ?? productsOfNewProject,
  })
}

/** Newest first: of the person's tenants, or of the key's. */
export async function listProjectsOf({ sql }: Context, { person, project }: Principal, before: string | null, take: number) {
  if (person) return listProjectsOfUser(sql, person.id, before, take)
  return project ? listProjectsOfTenant(sql, project.tenantId, before, take) : []
}

/** The project, where the caller may steer it; everybody else's does not exist. */
export async function steeredProject({ sql }: Context, caller: Principal, id: string): Promise<Project> {
  const { person } = caller
  const project = person && !person.isAdmin ? await findProjectOfUser(sql, id, person.id) : await findProject(sql, id)
  if (!project || (!person && project.tenantId !== caller.project?.tenantId)) throw notFound('The project')
  return project
}

export async function changeProject(context: Context, id: string, change: ProjectChange): Promise<Project> {
  const project = await updateProject(context.sql, id, change)
  await forgetCredentials(context.shared, 'all')
  return project
}

/** The key's text is in this answer and nowhere else. It may do no more than its maker: a person by his right here, another key by its scopes. */
export async function createApiKey(tx: Tx, caller: Principal, project: Project, input: NewApiKey) {
  if (input.expiresAt !== undefined && Date.parse(input.expiresAt) <= Date.now()) throw invalid('/body/expiresAt', 'Must be in the future.')
  for (const scope of input.scopes) assertCan(caller, scope)
  if (caller.person) await assertRight(tx, caller.person, project, input.scopes)
  const key = newToken('sk')
  const row = await insertApiKey(tx, {
    id: newId('key'),
    projectId: project.id,
    name: input.name,
    keyHash: sha256(key),
    last4: key.slice(-4),
    scopes: input.scopes,
    createdBy: caller.personId,
    expiresAt: input.expiresAt ?? null,
  })
  return { ...row, key }
}

/** A role in a store is a right in its project alone; what reaches beyond it is for the tenant's owner. */
async function assertRight(tx: Tx, person: Person, { id, tenantId }: Project, scopes: readonly Scope[]) {
  if (person.isAdmin) return
  if (!(await holdRight(tx, id, person.id))) throw notFound('The project')
  const beyond = scopes.filter((scope) => spanning.includes(scope))
  if (beyond.length === 0 || (await ownsTenant(tx, tenantId, person.id))) return
  throw new ApiError('forbidden', `Keys with ${beyond.join(', ')} reach all projects of the tenant; only its owner makes them.`)
}

/** A person left, or may do less: his keys that reach beyond the project end with the transaction, the others are shown as his. */
export const endSpanningKeys = (tx: Tx, projectId: string, userId: string): Promise<string[]> =>
  revokeSpanningKeys(tx, projectId, userId, spanning)

/** All keys of a project end with the transaction. Gives their hashes, for `forgetCredentials` after it. */
export const endKeys = (tx: Tx, projectId: string): Promise<string[]> => revokeApiKeys(tx, projectId)

export async function revokeKey({ sql, shared }: Context, projectId: string, keyId: string) {
  const hash = await transaction(sql, (tx) => revokeApiKey(tx, projectId, keyId))
  if (!hash) throw notFound('The API key')
  await forgetCredentials(shared, [hash])
}
