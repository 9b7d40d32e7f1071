import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { personIdOf } from '../../../http/auth/principal.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id } from '../../../http/schema.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { NewTemplatePreview, PreviewQuery, StartedPreview, TemplatePreview } from './template-preview.model.ts'
import { deletePreview } from './template-preview.queries.ts'
import { readTemplatePreview, startTemplatePreview } from './template-preview.ts'

const describe = tagOperations('Stores')
const ById = T.Object({ storeId: Id })

/** Routes of the preview of a template in a store, before the store uses it. */
export const templatePreview = (context: Context) =>
  new Elysia({ name: 'template preview', prefix: '/v1/stores/:storeId/template-preview' })
    .use(context.authority)
    .get('', async ({ store, audience, query }) => ({ data: await readTemplatePreview(context, store, audience, query.token) }), {
      storefront: ['viewer', 'stores:read'],
      params: ById,
      query: PreviewQuery,
      response: Data(TemplatePreview),
      detail: describe('Read the preview of a template, for members and holders of its token', 'readTemplatePreview'),
    })
    .put(
      '',
      async ({ store, caller, body }) => ({
        data: await transaction(context.sql, (tx) => startTemplatePreview(tx, store, personIdOf(caller), body)),
      }),
      {
        store: ['admin', 'stores:write'],
        params: ById,
        body: NewTemplatePreview,
        response: Data(StartedPreview),
        detail: describe('Start a preview of a template, with its own settings, for some hours', 'startTemplatePreview'),
      },
    )
    .delete(
      '',
      async ({ store, set }) => {
        if (!(await deletePreview(context.sql, store.projectId))) throw notFound('A preview of a template')
        set.status = 204
      },
      {
        store: ['admin', 'stores:write'],
        params: ById,
        response: { 204: T.Void() },
        detail: describe('End the preview of a template', 'endTemplatePreview'),
      },
    )
