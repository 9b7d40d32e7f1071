import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { importRoutes } from '../../imports/import-routes.ts'
import { StoreQuery } from '../../imports/imports.model.ts'
import type { SheetRow } from '../../imports/parse-sheet.ts'
import { assertProductEnabled } from '../../stores/access.ts'
import type { Store } from '../../stores/stores.model.ts'
import { productForm } from './columns.ts'
import { exportProducts } from './export-products.ts'
import { ImportedProductRow, ProductImport, productImportForm } from './imports.model.ts'
import { productImporter } from './product-importer.ts'

const TAG = 'Products'

/** Routes that import products from sheets and export them as CSV. */
export const productSheets = (context: Context) =>
  new Elysia({ name: 'product sheets' }).use(productImportRoutes(context)).use(productExportRoutes(context))

const productImportRoutes = (context: Context) =>
  importRoutes(context, '/v1/products', {
    importer: productImporter,
    job: 'catalog.import',
    form: productForm,
    access: { write: ['admin', 'products:write'], read: ['viewer', 'products:read'] },
    prepare: prepareRows,
    presentRow: ({ name, resultId, warnings: _, ...row }) => ({ ...row, sku: name, productId: resultId }),
    schemas: { import: ProductImport, row: ImportedProductRow, requestBody: productImportForm },
    tag: TAG,
    docs: {
      start: {
        summary: 'Create and change products from a CSV or XLSX sheet: up to 200 rows at once, more in the background',
        operationId: 'importProducts',
      },
      columns: { summary: 'List the columns of a product sheet and their headings', operationId: 'listProductImportColumns' },
      read: { summary: 'Read the progress of a product import', operationId: 'readProductImport' },
      rows: { summary: 'List the rows of an import with their results, the last one first', operationId: 'listProductImportRows' },
    },
  })

async function prepareRows(context: Context, store: Store, rows: readonly SheetRow[]) {
  if (rows.some(({ cells }) => cells.stock !== undefined)) await assertProductEnabled(context, store.id, 'inventory')
  return rows.map(({ row, cells, isCut }) => ({ row, name: cells.sku ?? null, input: isCut ? { isCut } : cells }))
}

const productExportRoutes = (context: Context) =>
  new Elysia({ name: 'product export', prefix: '/v1/products' }).use(context.authority).get(
    '/export',
    ({ store }) =>
      new Response(exportProducts(context.sql, store), {
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
        tags: [TAG],
        summary: 'Export all products of a store as CSV that an import accepts',
        operationId: 'exportProducts',
        responses: { 200: { description: 'CSV in UTF-8.', content: { 'text/csv': { schema: { type: 'string' } } } } },
      },
    },
  )
