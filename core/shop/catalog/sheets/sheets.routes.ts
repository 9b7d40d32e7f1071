import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { readList } from '../../../http/resource/list.ts'
import { Data, List } from '../../../http/schema.ts'
import { invariant } from '../../../lib/invariant.ts'
import { ImportColumns, ImportParams, ImportQuery, importRowList, StoreQuery } from '../../imports/imports.model.ts'
import { presentColumns } from '../../imports/present-columns.ts'
import { readImport, readImportRows } from '../../imports/read-import.ts'
import { readSheetUpload } from '../../imports/reader.ts'
import { runImport } from '../../imports/run-import.ts'
import { INLINE_ROWS_MAX, startImport } from '../../imports/start-import.ts'
import { assertProductEnabled } from '../../stores/access.ts'
import { storeItemMacro } from '../../stores/authority.ts'
import { productForm } from './columns.ts'
import { exportProducts } from './export-products.ts'
import { ImportedProductRow, ProductImport, productImportForm } from './imports.model.ts'
import { productImporter } from './product-importer.ts'

const tags = ['Products']

/** Routes that import products from sheets and export them as CSV. */
export function productSheets(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'product sheets', prefix: '/v1/products' })
    .use(context.authority)
    .macro(
      'productImport',
      storeItemMacro(context, 'import', (id) => readImport(sql, 'products', id)),
    )
    .post(
      '/import',
      async ({ store, caller, request, query: { dryRun = false }, set }) => {
        const { hash, rows, ignored } = await readSheetUpload(request, store.id, productForm)
        if (rows.some(({ cells }) => cells.stock !== undefined)) await assertProductEnabled(context, store.id, 'inventory')
        const inputs = rows.map(({ row, cells, isCut }) => ({ row, name: cells.sku ?? null, input: isCut ? { isCut } : cells }))
        const answer = await createOnce(
          context,
          { request, caller, set, body: { hash, ignored, dryRun } },
          async (tx) => ({
            data: await startImport(tx, store, { kind: 'products', job: 'catalog.import', dryRun, ignored, rows: inputs }),
          }),
          async ({ data }) => {
            if (rows.length <= INLINE_ROWS_MAX) await runImport(context, productImporter, { storeId: store.id, importId: data.id })
            return { data: invariant(await readImport(sql, 'products', data.id), 'An import that was made') }
          },
        )
        if (answer.data.status === 'processing') set.status = 202
        return answer
      },
      {
        store: ['admin', 'products:write'],
        // Reads the form in the handler, after the access check.
        parse: 'none',
        query: ImportQuery,
        response: { 201: Data(ProductImport), 202: Data(ProductImport) },
        detail: {
          tags,
          summary: 'Create and change products from a CSV or XLSX sheet: up to 200 rows at once, more in the background',
          operationId: 'importProducts',
          requestBody: productImportForm,
        },
      },
    )
    .get('/imports/columns', () => ({ data: presentColumns(productForm) }), {
      store: ['viewer', 'products:read'],
      query: StoreQuery,
      response: ImportColumns,
      detail: {
        tags,
        summary: 'List the columns of a product sheet and their headings',
        operationId: 'listProductImportColumns',
      },
    })
    .get('/imports/:id', ({ import: found }) => ({ data: found }), {
      productImport: ['viewer', 'products:read'],
      params: ImportParams,
      response: Data(ProductImport),
      detail: { tags, summary: 'Read the progress of a product import', operationId: 'readProductImport' },
    })
    .get(
      '/imports/:id/rows',
      ({ import: found, query }) =>
        readList(
          sql,
          importRowList,
          query,
          async (reader, { filter, page: slice }) =>
            (await readImportRows(reader, found, filter.status, slice)).map(({ name, resultId, ...row }) => ({
              ...row,
              sku: name,
              productId: resultId,
            })),
          ({ row }) => String(row),
        ),
      {
        productImport: ['viewer', 'products:read'],
        params: ImportParams,
        query: importRowList.query,
        response: List(ImportedProductRow),
        detail: {
          tags,
          summary: 'List the rows of an import with their results, the last one first',
          operationId: 'listProductImportRows',
        },
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
        query: StoreQuery,
        detail: {
          tags,
          summary: 'Export all products of a store as CSV that an import accepts',
          operationId: 'exportProducts',
          responses: { 200: { description: 'CSV in UTF-8.', content: { 'text/csv': { schema: { type: 'string' } } } } },
        },
      },
    )
}
