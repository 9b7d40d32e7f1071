import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { callerOf, idOf } from '../../http/auth.ts'
import { createOnce } from '../../http/idempotency.ts'
import type { Authority } from '../../http/openapi.ts'
import { page } from '../../http/page.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import type { Scope } from '../../http/scopes.ts'
import { ApiKey, CreatedApiKey, NewApiKey, NewProject, Project, ProjectChange } from './projects.model.ts'
import { listApiKeys } from './projects.queries.ts'
import { changeProject, createApiKey, createProjectAs, listProjectsOf, revokeKey, steeredProject } from './projects.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Projects'], summary, operationId })
const ById = T.Object({ id: Id })

/** Projects and their API keys, for their owner and for keys with `tenants:manage`. */
export const projects = (context: Context) =>
  new Elysia({ name: 'projects', prefix: '/v1/projects' })
    .use(context.auth)
    .macro('steered', (scope: Scope) => ({
      access: scope,
      resolve: async (asked: object) => ({ project: await steeredProject(context, callerOf(asked), idOf(asked)) }),
      detail: { 'x-role': 'admin of the project' } as Authority,
    }))
    .get('', ({ caller, query }) => page(query, (before, take) => listProjectsOf(context, caller, before, take)), {
      access: 'tenants:manage',
      query: T.Object(pageQuery),
      response: List(Project),
      detail: describe('List projects', 'listProjects'),
    })
    .post(
      '',
      (creation) => createOnce(context, creation, async (tx) => ({ data: await createProjectAs(tx, creation.caller, creation.body) })),
      {
        access: 'tenants:manage',
        body: NewProject,
        response: { 201: Data(Project) },
        detail: describe('Create a project', 'createProject'),
      },
    )
    .get('/:id', ({ project }) => ({ data: project }), {
      steered: 'tenants:manage',
      params: ById,
      response: Data(Project),
      detail: describe('Read a project', 'readProject'),
    })
    .patch('/:id', async ({ project, body }) => ({ data: await changeProject(context, project.id, body) }), {
      steered: 'tenants:manage',
      params: ById,
      body: ProjectChange,
      response: Data(Project),
      detail: describe('Rename a project, or choose its products', 'changeProject'),
    })
    .get('/:id/api-keys', ({ project, query }) => page(query, (before, take) => listApiKeys(context.sql, project.id, before, take)), {
      steered: 'tenants:manage',
      params: ById,
      query: T.Object(pageQuery),
      response: List(ApiKey),
      detail: describe('List API keys; their text is never shown again', 'listApiKeys'),
    })
    .post(
      '/:id/api-keys',
      (creation) =>
        createOnce(context, creation, async (tx) => ({ data: await createApiKey(tx, creation.caller, creation.project, creation.body) })),
      {
        steered: 'tenants:manage',
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
        steered: 'tenants:manage',
        params: T.Object({ id: Id, keyId: Id }),
        response: { 204: T.Void() },
        detail: describe('Revoke an API key', 'revokeApiKey'),
      },
    )
