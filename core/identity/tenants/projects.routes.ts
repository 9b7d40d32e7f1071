import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import { assertDirectUser } from '../../http/auth/principal.ts'
import type { Scope } from '../../http/auth/scopes.ts'
import { createOnce } from '../../http/idempotency.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { readList } from '../../http/resource/list.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { listApiKeys } from './keys/keys.queries.ts'
import { createApiKey, revokeKey } from './keys/keys.ts'
import { ApiKey, CreatedApiKey, keyList, NewApiKey, NewProject, Project, ProjectChange, projectList } from './projects.model.ts'
import { listProjects } from './projects.queries.ts'
import { changeProject, createProjectForCaller, requireProject } from './projects.ts'
import { tenantScopeOf } from './tenants.ts'

const describe = tagOperations('Projects')
const ById = T.Object({ id: Id })

/** Routes for projects and their API keys, for users who may manage them and for keys with `tenants:manage`. */
export const projects = (context: Context) =>
  new Elysia({ name: 'projects', prefix: '/v1/projects' })
    .use(context.auth)
    .macro('visibleProject', (scope: Scope) => ({
      access: scope,
      resolve: async (route: object) => ({ project: await requireProject(context, callerOf(route), pathIdOf(route), 'view') }),
      detail: { 'x-role': 'member of the tenant, or admin of the project' } as OperationAccess,
    }))
    .macro('managedProject', (scope: Scope) => ({
      access: scope,
      resolve: async (route: object) => ({ project: await requireProject(context, callerOf(route), pathIdOf(route), 'manage') }),
      detail: { 'x-role': 'admin of the project' } as OperationAccess,
    }))
    .macro('projectForKeys', (scope: Scope) => ({
      access: scope,
      resolve: async (route: object) => {
        assertDirectUser(callerOf(route).person)
        return { project: await requireProject(context, callerOf(route), pathIdOf(route), 'manage') }
      },
      detail: { 'x-role': 'admin of the project' } as OperationAccess,
    }))
    .get(
      '',
      ({ caller, query }) => readList(context.sql, projectList, query, (sql, asked) => listProjects(sql, tenantScopeOf(caller), asked)),
      {
        access: 'tenants:manage',
        query: projectList.query,
        response: List(Project),
        detail: describe('List the projects that you can view', 'listProjects'),
      },
    )
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({ data: await createProjectForCaller(context, tx, creation.caller, creation.body) })),
      {
        access: 'tenants:manage',
        body: NewProject,
        response: { 201: Data(Project) },
        detail: describe('Create a project', 'createProject'),
      },
    )
    .get('/:id', ({ project }) => ({ data: project }), {
      visibleProject: 'tenants:manage',
      params: ById,
      response: Data(Project),
      detail: describe('Read a project', 'readProject'),
    })
    .patch('/:id', async ({ project, body }) => ({ data: await changeProject(context, project.id, body) }), {
      managedProject: 'tenants:manage',
      params: ById,
      body: ProjectChange,
      response: Data(Project),
      detail: describe('Rename a project, or choose its products', 'changeProject'),
    })
    .get(
      '/:id/api-keys',
      ({ project, query }) => readList(context.sql, keyList, query, (sql, asked) => listApiKeys(sql, project.id, asked)),
      {
        managedProject: 'tenants:manage',
        params: ById,
        query: keyList.query,
        response: List(ApiKey),
        detail: describe('List API keys; their text is never shown again', 'listApiKeys'),
      },
    )
    .post(
      '/:id/api-keys',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await createApiKey(context, tx, creation.caller, creation.project, creation.body),
        })),
      {
        projectForKeys: 'tenants:manage',
        params: ById,
        body: NewApiKey,
        response: { 201: Data(CreatedApiKey) },
        detail: describe('Create an API key', 'createApiKey'),
      },
    )
    .delete(
      '/:id/api-keys/:keyId',
      async ({ project, params, set }) => {
        await revokeKey(context, project.id, params.keyId)
        set.status = 204
      },
      {
        projectForKeys: 'tenants:manage',
        params: T.Object({ id: Id, keyId: Id }),
        response: { 204: T.Void() },
        detail: describe('Revoke an API key: it stops working within a second, everywhere', 'revokeApiKey'),
      },
    )
