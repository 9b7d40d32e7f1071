import { forgetCredentials } from '../auth/authenticate.ts'
import type { Context } from '../context.ts'
import { type Queryable, transaction } from '../data/sql.ts'
import { type Caller, checkScope } from '../http/auth.ts'
import { invalid, notFound } from '../http/errors.ts'
import { type Product, productsOfNewProject } from '../http/scopes.ts'
import { newToken, sha256 } from '../lib/crypto.ts'
import { newId } from '../lib/ids.ts'
import type { NewApiKey, NewProject, Project, ProjectChange } from './projects.model.ts'
import {
  ensureTenant,
  findProject,
  findProjectOfUser,
  insertApiKey,
  insertProject,
  revokeApiKey,
  updateProject,
} from './projects.queries.ts'

/** Makes a project in the person's tenant. */
export async function createProject(
  tx: Queryable,
  ownerId: string,
  input: { name: string; products?: readonly Product[] },
): Promise<Project> {
  const tenantId = await ensureTenant(tx, ownerId, input.name)
  return insertProject(tx, { id: newId('prj'), tenantId, name: input.name, products: input.products ?? productsOfNewProject })
}

/** With a key, the new project joins the key's tenant. */
export async function createProjectAs(tx: Queryable, caller: Caller, input: NewProject): Promise<Project> {
  if (caller.kind === 'user') return createProject(tx, caller.userId, input)
  return insertProject(tx, {
    id: newId('prj'),
    tenantId: caller.tenantId,
    name: input.name,
    products: input.products ?? productsOfNewProject,
  })
}

/** The project, where the caller may steer it; everybody else's does not exist. */
export async function steeredProject({ sql }: Context, caller: Caller, id: string): Promise<Project> {
  const project = caller.kind === 'user' ? await findProjectOfUser(sql, id, caller.userId) : await findProject(sql, id)
  if (!project || (caller.kind === 'project' && project.tenantId !== caller.tenantId)) throw notFound('The project')
  return project
}

export async function changeProject(context: Context, caller: Caller, id: string, change: ProjectChange): Promise<Project> {
  await steeredProject(context, caller, id)
  const project = await updateProject(context.sql, id, change)
  await forgetCredentials(context.shared, 'all')
  return project
}

/** The key's text is in this answer and nowhere else. A key cannot make one that may do more than itself. */
export async function createApiKey(tx: Queryable, caller: Caller, project: Project, input: NewApiKey) {
  if (input.expiresAt !== undefined && Date.parse(input.expiresAt) <= Date.now()) throw invalid('/body/expiresAt', 'Must be in the future.')
  if (caller.kind === 'project') for (const scope of input.scopes) checkScope(caller, scope)
  const key = newToken('sk')
  const row = await insertApiKey(tx, {
    id: newId('key'),
    projectId: project.id,
    name: input.name,
    keyHash: sha256(key),
    last4: key.slice(-4),
    scopes: input.scopes,
    expiresAt: input.expiresAt ?? null,
  })
  return { ...row, key }
}

export async function revokeKey({ sql, shared }: Context, projectId: string, keyId: string) {
  const hash = await transaction(sql, (tx) => revokeApiKey(tx, projectId, keyId))
  if (!hash) throw notFound('The API key')
  await forgetCredentials(shared, [hash])
}
