import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readList } from '../../http/resource/list.ts'
import { Data, List } from '../../http/schema.ts'
import { invariant } from '../../lib/invariant.ts'
import { ImportColumns, ImportParams, ImportQuery, importRowList, StoreQuery } from '../../shop/imports/imports.model.ts'
import { presentColumns } from '../../shop/imports/present-columns.ts'
import { readImport, readImportRows } from '../../shop/imports/read-import.ts'
import { readSheetUpload } from '../../shop/imports/reader.ts'
import { runImport } from '../../shop/imports/run-import.ts'
import { INLINE_ROWS_MAX, startImport } from '../../shop/imports/start-import.ts'
import { storeItemMacro } from '../../shop/stores/authority.ts'
import { orderSheetForm } from './columns.ts'
import { groupRows } from './group-rows.ts'
import { orderImporter } from './import-order.ts'
import { ImportedOrderRow, OrderImport, orderImportForm } from './imports.model.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Orders'], summary, operationId })

/** Routes that import orders from sheets. */
export function orderImportRoutes(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'order imports', prefix: '/v1/orders' })
    .use(context.authority)
    .macro(
      'orderImport',
      storeItemMacro(context, 'import', (id) => readImport(sql, 'orders', id)),
    )
    .post(
      '/import',
      async ({ store, caller, request, query: { dryRun = false }, set }) => {
        const { hash, rows, ignored } = await readSheetUpload(request, store.id, orderSheetForm)
        const inputs = await groupRows(rows)
        const answer = await createOnce(
          context,
          { request, caller, set, body: { hash, ignored, dryRun } },
          async (tx) => ({ data: await startImport(tx, store, { kind: 'orders', job: 'orders.import', dryRun, ignored, rows: inputs }) }),
          async ({ data }) => {
            if (rows.length <= INLINE_ROWS_MAX) await runImport(context, orderImporter, { storeId: store.id, importId: data.id })
            return { data: invariant(await readImport(sql, 'orders', data.id), 'An import that was made') }
          },
        )
        if (answer.data.status === 'processing') set.status = 202
        return answer
      },
      {
        store: ['agent', 'orders:write'],
        // The form is read only after the caller is authorized.
        parse: 'none',
        query: ImportQuery,
        response: { 201: Data(OrderImport), 202: Data(OrderImport) },
        detail: {
          ...describe('Import orders from a sheet, CSV or XLSX: up to 200 rows at once, more in the background', 'importOrders'),
          requestBody: orderImportForm,
        },
      },
    )
    .get('/imports/columns', () => ({ data: presentColumns(orderSheetForm) }), {
      store: ['viewer', 'orders:read'],
      query: StoreQuery,
      response: ImportColumns,
      detail: describe('The columns of a sheet of orders, and the headings that they are known by', 'listOrderImportColumns'),
    })
    .get('/imports/:id', ({ import: taken }) => ({ data: taken }), {
      orderImport: ['viewer', 'orders:read'],
      params: ImportParams,
      response: Data(OrderImport),
      detail: describe('The progress of an import of orders', 'readOrderImport'),
    })
    .get(
      '/imports/:id/rows',
      ({ import: taken, query }) =>
        readList(
          sql,
          importRowList,
          query,
          async (reader, { filter, page: slice }) =>
            (await readImportRows(reader, taken, filter.status, slice)).map(({ name, resultId, ...row }) => ({
              ...row,
              reference: name,
              orderId: resultId,
            })),
          ({ row }) => String(row),
        ),
      {
        orderImport: ['viewer', 'orders:read'],
        params: ImportParams,
        query: importRowList.query,
        response: List(ImportedOrderRow),
        detail: describe('The result of each row of an import of orders, last row first', 'listOrderImportRows'),
      },
    )
}
