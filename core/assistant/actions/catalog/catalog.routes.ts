import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { serverAddress } from '../../../http/address/server-address.ts'
import { assertRate } from '../../../http/concurrency.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { Data } from '../../../http/schema.ts'
import { Catalog, NewCatalog } from './catalog.model.ts'
import { createCatalog, streamCatalog } from './catalog.ts'

const tags = ['Actions']
/** Downloads of one IP address in a minute. */
const FETCHES_PER_MINUTE = 30

/** Routes for catalogues of products for advertising platforms. */
export function catalogs(context: Context) {
  return new Elysia({ name: 'catalog actions', prefix: '/v1/actions' })
    .use(context.authority)
    .use(context.auth)
    .post(
      '/generateCatalogCsv',
      ({ store, body, request, caller, set }) =>
        createOnce(context, { request, caller, set, body: { ...body, storeId: store.id } }, async (tx) => ({
          data: await createCatalog(tx, store, body, serverAddress(context)),
        })),
      {
        store: ['admin', 'products:read'],
        body: NewCatalog,
        response: { 201: Data(Catalog) },
        detail: { tags, summary: 'Create the catalogue of a store for a platform, with a new link', operationId: 'generateCatalogCsv' },
      },
    )
    .get(
      '/downloadCatalogCsv',
      async ({ query, address }) => {
        await assertRate(context, `catalog:${address}`, FETCHES_PER_MINUTE)
        return streamCatalog(context, query.token, serverAddress(context))
      },
      {
        open: true,
        query: T.Object({ token: T.String({ minLength: 1, maxLength: 100 }) }),
        detail: {
          tags,
          summary: 'Download a catalogue of products as CSV, by its secret link',
          operationId: 'downloadCatalogCsv',
          responses: { 200: { description: 'CSV in UTF-8.', content: { 'text/csv': { schema: { type: 'string' } } } } },
        } as object,
      },
    )
}
