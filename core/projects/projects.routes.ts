import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { createOnce } from '../http/idempotency.ts'
import { page } from '../http/page.ts'
import { Data, Id, List, pageQuery } from '../http/schema.ts'
import { ApiKey, CreatedApiKey, NewApiKey, NewProject, Project, ProjectChange } from './projects.model.ts'
import { listApiKeys, listProjectsOfTenant, listProjectsOfUser } from './projects.queries.ts'
import { changeProject, createApiKey, createProjectAs, revokeKey, steeredProject } from './projects.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Projects'], summary, operationId })
const ById = T.Object({ id: Id })

/** Projects and their API keys, for their owner and for keys with `tenants:manage`. */
export const projects = (context: Context) =>
  new Elysia({ name: 'projects', prefix: '/v1/projects' })
    .use(context.auth)
    .get(
      '',
      ({ caller, query }) =>
        page(query, (before, take) =>
          caller.kind === 'user'
            ? listProjectsOfUser(context.sql, caller.userId, before, take)
            : listProjectsOfTenant(context.sql, caller.tenantId, before, take),
        ),
      { access: 'tenants:manage', query: T.Object(pageQuery), response: List(Project), detail: describe('List projects', 'listProjects') },
    )
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
    .get('/:id', async ({ caller, params }) => ({ data: await steeredProject(context, caller, params.id) }), {
      access: 'tenants:manage',
      params: ById,
      response: Data(Project),
      detail: describe('Read a project', 'readProject'),
    })
    .patch('/:id', async ({ caller, params, body }) => ({ data: await changeProject(context, caller, params.id, body) }), {
      access: 'tenants:manage',
      params: ById,
      body: ProjectChange,
      response: Data(Project),
      detail: describe('Rename a project, or choose its products', 'changeProject'),
    })
    .get(
      '/:id/api-keys',
      async ({ caller, params, query }) => {
        await steeredProject(context, caller, params.id)
        return page(query, (before, take) => listApiKeys(context.sql, params.id, before, take))
      },
      {
        access: 'tenants:manage',
        params: ById,
        query: T.Object(pageQuery),
        response: List(ApiKey),
        detail: describe('List API keys; their text is never shown again', 'listApiKeys'),
      },
    )
    .post(
      '/:id/api-keys',
      async (creation) => {
        const project = await steeredProject(context, creation.caller, creation.params.id)
        return createOnce(context, creation, async (tx) => ({ data: await createApiKey(tx, creation.caller, project, creation.body) }))
      },
      {
        access: 'tenants:manage',
        params: ById,
        body: NewApiKey,
        response: { 201: Data(CreatedApiKey) },
        detail: describe('Create an API key', 'createApiKey'),
      },
    )
    .delete(
      '/:id/api-keys/:keyId',
      async ({ caller, params, set }) => {
        await steeredProject(context, caller, params.id)
        await revokeKey(context, params.id, params.keyId)
        set.status = 204
      },
      {
        access: 'tenants:manage',
        params: T.Object({ id: Id, keyId: Id }),
        response: { 204: T.Void() },
        detail: describe('Revoke an API key', 'revokeApiKey'),
      },
    )
