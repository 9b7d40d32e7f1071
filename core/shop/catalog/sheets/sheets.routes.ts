import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { list } from '../../../http/resource/list.ts'
import { Data, List } from '../../../http/schema.ts'
import { invariant } from '../../../lib/invariant.ts'
import { shownColumns } from '../../imports/columns-shown.ts'
import { ById, ByStore, ImportColumns, ImportQuery, rowList } from '../../imports/imports.model.ts'
import { readImport, readImportRows } from '../../imports/read-import.ts'
import { readUpload } from '../../imports/reader.ts'
import { AT_ONCE_MAX, startImport } from '../../imports/start-import.ts'
import { workImport } from '../../imports/work-import.ts'
import { assertProduct } from '../../stores/access.ts'
import { ofStore } from '../../stores/authority.ts'
import { productForm } from './columns.ts'
import { exportProducts } from './export.ts'
import { productImporter } from './import.ts'
import { ImportedProductRow, ProductImport, productImportForm } from './imports.model.ts'

const tags = ['Products']

/** Products from and to sheets. */
export function productSheets(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'product sheets', prefix: '/v1/products' })
    .use(context.authority)
    .macro(
      'productImport',
      ofStore(context, 'import', (id) => readImport(sql, 'products', id)),
    )
    .post(
      '/import',
      async ({ store, caller, request, query: { dryRun = false }, set }) => {
        const { hash, rows, ignored } = await readUpload(request, store.id, productForm)
        if (rows.some(({ cells }) => cells.stock !== undefined)) await assertProduct(context, store.id, 'inventory')
        const inputs = rows.map(({ row, cells, isCut }) => ({ row, name: cells.sku ?? null, input: isCut ? { isCut } : cells }))
        const answer = await createOnce(
          context,
          { request, caller, set, body: { hash, ignored, dryRun } },
          async (tx) => ({
            data: await startImport(tx, store, { kind: 'products', job: 'catalog.import', dryRun, ignored, rows: inputs }),
          }),
          async ({ data }) => {
            if (rows.length <= AT_ONCE_MAX) await workImport(context, productImporter, { storeId: store.id, importId: data.id })
            return { data: invariant(await readImport(sql, 'products', data.id), 'An import that was made') }
          },
        )
        if (answer.data.status === 'processing') set.status = 202
        return answer
      },
      {
        store: ['admin', 'products:write'],
        // The form is read once it is known that the caller may send it.
        parse: 'none',
        query: ImportQuery,
        response: { 201: Data(ProductImport), 202: Data(ProductImport) },
        detail: {
          tags,
          summary: 'Make and change products from a sheet, CSV or XLSX: up to 200 rows at once, more in the background',
          operationId: 'importProducts',
          requestBody: productImportForm,
        },
      },
    )
    .get('/imports/columns', () => ({ data: shownColumns(productForm) }), {
      store: ['viewer', 'products:read'],
      query: ByStore,
      response: ImportColumns,
      detail: {
        tags,
        summary: 'The columns of a sheet of products, and the headings that they are known by',
        operationId: 'listProductImportColumns',
      },
    })
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
          async (reader, { filter, slice }) =>
            (await readImportRows(reader, taken, filter.status, slice)).map(({ name, resultId, ...row }) => ({
              ...row,
              sku: name,
              productId: resultId,
            })),
          ({ row }) => String(row),
        ),
      {
        productImport: ['viewer', 'products:read'],
        params: ById,
        query: rowList.query,
        response: List(ImportedProductRow),
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
