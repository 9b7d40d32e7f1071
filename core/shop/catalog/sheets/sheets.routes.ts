import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { list } from '../../../http/list.ts'
import { Data, Id, List } from '../../../http/schema.ts'
import { known } from '../../../lib/known.ts'
import { assertProduct } from '../../stores/access.ts'
import { ofStore } from '../../stores/authority.ts'
import { exportProducts } from './export.ts'
import { AT_ONCE_MAX, startImport, workImport } from './import.ts'
import { ImportedRow, importForm, ProductImport, rowList } from './imports.model.ts'
import { findImport, listImportRows } from './imports.queries.ts'
import { readUpload } from './reader.ts'

const ByStore = T.Object({ storeId: T.Optional(Id) })
const ById = T.Object({ id: Id })
const tags = ['Products']

/** Products from and to sheets. */
export function productSheets(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'product sheets', prefix: '/v1/products' })
    .use(context.authority)
    .macro(
      'productImport',
      ofStore(context, 'import', (id) => findImport(sql, id)),
    )
    .post(
      '/import',
      async ({ store, caller, request, set }) => {
        const { hash, rows } = await readUpload(request, store.id)
        if (rows.some(({ stock }) => stock !== undefined)) await assertProduct(context, store.id, 'inventory')
        const answer = await createOnce(
          context,
          { request, caller, set, body: { hash } },
          async (tx) => ({ data: await startImport(tx, store, rows) }),
          async ({ data }) => {
            if (rows.length <= AT_ONCE_MAX) await workImport(context, store.id, data.id)
            return { data: known(await findImport(sql, data.id), 'An import that was made') }
          },
        )
        if (answer.data.status === 'processing') set.status = 202
        return answer
      },
      {
        store: ['admin', 'products:write'],
        // The form is read once it is known that the caller may send it.
        parse: 'none',
        query: ByStore,
        response: { 201: Data(ProductImport), 202: Data(ProductImport) },
        detail: {
          tags,
          summary: 'Make and change products from a sheet: up to 200 rows at once, more in the background',
          operationId: 'importProducts',
          requestBody: importForm,
        },
      },
    )
    .get('/imports/:id', ({ import: taken }) => ({ data: taken }), {
      productImport: ['viewer', 'products:read'],
      params: ById,
      response: Data(ProductImport),
      detail: { tags, summary: 'How far a sheet of products is', operationId: 'readProductImport' },
    })
    .get(
      '/imports/:id/rows',
      ({ import: taken, query }) =>
        list(
          sql,
          rowList,
          query,
          (reader, { filter, slice }) => listImportRows(reader, taken, filter.status, slice),
          ({ row }) => String(row),
        ),
      {
        productImport: ['viewer', 'products:read'],
        params: ById,
        query: rowList.query,
        response: List(ImportedRow),
        detail: { tags, summary: 'What became of each row of a sheet, the last one first', operationId: 'listProductImportRows' },
      },
    )
    .get(
      '/export',
      ({ store }) =>
        new Response(exportProducts(sql, store), {
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="products-${store.slug}.csv"`,
            'cache-control': 'private, no-store',
          },
        }),
      {
        store: ['viewer', 'products:read'],
        query: ByStore,
        detail: {
          tags,
          summary: 'All products of a store as CSV, as an import takes it',
          operationId: 'exportProducts',
          responses: { 200: { description: 'CSV in UTF-8.', content: { 'text/csv': { schema: { type: 'string' } } } } },
        },
      },
    )
}
