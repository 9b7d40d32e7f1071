import type { Context } from '../../context.ts'
import { importRoutes } from '../../shop/imports/import-routes.ts'
import { orderSheetForm } from './columns.ts'
import { groupRows } from './group-rows.ts'
import { orderImporter } from './import-order.ts'
import { ImportedOrderRow, OrderImport, orderImportForm } from './imports.model.ts'

/** Routes that import orders from sheets. */
export const orderImportRoutes = (context: Context) =>
  importRoutes(context, '/v1/orders', {
    importer: orderImporter,
    job: 'orders.import',
    form: orderSheetForm,
    access: { write: ['agent', 'orders:write'], read: ['viewer', 'orders:read'] },
    prepare: (_, __, rows) => groupRows(rows),
    presentRow: ({ name, resultId, ...row }) => ({ ...row, reference: name, orderId: resultId }),
    schemas: { import: OrderImport, row: ImportedOrderRow, requestBody: orderImportForm },
    tag: 'Orders',
    docs: {
      start: {
        summary: 'Import orders from a sheet, CSV or XLSX: up to 200 rows at once, more in the background',
        operationId: 'importOrders',
      },
      columns: {
        summary: 'The columns of a sheet of orders, and the headings that they are known by',
        operationId: 'listOrderImportColumns',
      },
      read: { summary: 'The progress of an import of orders', operationId: 'readOrderImport' },
      rows: { summary: 'The result of each row of an import of orders, last row first', operationId: 'listOrderImportRows' },
    },
  })
