import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { createOnce } from '../../http/idempotency.ts'
import { list } from '../../http/resource/list.ts'
import { Data, Id } from '../../http/schema.ts'
import { csvAnswer, exportCsv, exportQuery } from '../../http/table/csv-export.ts'
import { openConnection } from '../../integrations/connections/connection.ts'
import { findConnectionByKey } from '../../integrations/connections/connections.queries.ts'
import { ImportColumns } from '../../shop/imports/imports.model.ts'
import { ImportedPayout, importForm } from './cash.model.ts'
import { listCash } from './export-cash.queries.ts'
import { cashColumns, cashList, OfStore } from './export-cash.ts'
import { importPayout, readUploaded } from './import.ts'
import { shownColumns } from './sheet/columns.ts'

const Key = T.String({ maxLength: 60, description: "the carrier's slug" })

/** Payouts of carriers that tell of them by a sheet. All else of cash is asked of the carrier's own segments. */
export const cash = (context: Context) =>
  new Elysia({ name: 'cash', prefix: '/v1/stores/:storeId/integrations' })
    .use(context.authority)
    .get('/:key/encaissements/imports/columns', () => ({ data: shownColumns }), {
      store: ['viewer', 'parcels:read', 'parcels'],
      params: T.Object({ storeId: Id, key: Key }),
      response: ImportColumns,
      detail: {
        tags: ['Cash'],
        summary: "The columns of a payout's sheet, and the headings that they are known by",
        operationId: 'listPayoutImportColumns',
      },
    })
    .post(
      '/:key/encaissements/import',
      async ({ caller, store, params, request, set }) => {
        const row = await findConnectionByKey(context.sql, store.id, params.key)
        if (!row) throw new ApiError('carrier_not_enabled', `The store is not connected to ${params.key}. Connect it first.`)
        const connection = openConnection(context, 'carrier', row)
        const { upload, sheet } = await readUploaded(context, connection, request)
        const { hash, columns, at } = upload
        return createOnce(context, { request, caller, set, body: { hash, columns, at } }, async (tx) => {
          const { payout, isNew } = await importPayout(tx, connection, upload, sheet)
          if (!isNew) set.status = 200
          return { data: payout }
        })
      },
      {
        store: ['admin', 'parcels:write', 'parcels'],
        // The form is read once it is known that the caller may send it.
        parse: 'none',
        params: T.Object({ storeId: Id, key: Key }),
        response: { 200: Data(ImportedPayout), 201: Data(ImportedPayout) },
        detail: {
          tags: ['Cash'],
          summary: 'Make a payout of a sheet, CSV or XLSX; 200 where it was made before',
          operationId: 'importPayout',
          requestBody: importForm,
        },
      },
    )

/** Routes of the cash ledger of a store, for its accountant. */
export const cashExport = (context: Context) =>
  new Elysia({ name: 'cash export', prefix: '/v1/stores/:storeId/cash' })
    .use(context.authority)
    .get(
      '/export.csv',
      ({ store, query, request }) =>
        exportCsv({ request, query, ownerId: store.id, name: 'cash' }, cashColumns, (asked) =>
          list(context.sql, cashList, asked, (reader, wanted) => listCash(reader, store.projectId, wanted)),
        ),
      {
        store: ['viewer', 'parcels:read', 'parcels'],
        params: OfStore,
        query: exportQuery(cashList.query),
        detail: {
          tags: ['Cash'],
          summary: 'Export the lines of the cash ledger as CSV, newest first',
          operationId: 'exportCash',
          ...csvAnswer,
        },
      },
    )
