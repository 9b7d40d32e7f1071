import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { Data } from '../../../http/schema.ts'
import { ComponentsRequest, ResolvedComponents } from './components.model.ts'
import { resolveComponents } from './components.ts'

/** Route that resolves the components of templates. */
export const components = (context: Context) =>
  new Elysia({ name: 'component actions', prefix: '/v1/actions' })
    .use(context.authority)
    .post('/resolveComponents', async ({ store, body }) => ({ data: await resolveComponents(context.sql, store.projectId, body) }), {
      store: ['viewer', 'stores:read'],
      body: ComponentsRequest,
      response: Data(ResolvedComponents),
      detail: {
        tags: ['Actions'],
        summary: 'Resolve the components of a template, by the names under "component" in its data',
        operationId: 'resolveComponents',
      },
    })
