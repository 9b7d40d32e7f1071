import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { sensitiveNeeds } from '../../http/auth/scopes.ts'
import { readList } from '../../http/resource/list.ts'
import { csvResponse, exportCsv, exportQuery } from '../../http/table/csv-export.ts'
import { listLedgerLines } from './export-ledger.queries.ts'
import { ledgerColumns, ledgerList, StoreParams } from './export-ledger.ts'

/** Route that exports a store's cash ledger as CSV. */
export const ledgerExport = (context: Context) =>
  new Elysia({ name: 'ledger', prefix: '/v1/stores/:storeId/cash' })
    .use(context.authority)
    .get(
      '/export.csv',
      ({ store, query, request }) =>
        exportCsv({ request, query, ownerId: store.id, name: 'cash' }, ledgerColumns, (asked) =>
          readList(context.sql, ledgerList, asked, (reader, wanted) => listLedgerLines(reader, store.projectId, wanted)),
        ),
      {
        store: ['viewer', sensitiveNeeds.readParcelCash, 'parcels'],
        params: StoreParams,
        query: exportQuery(ledgerList.query),
        detail: {
          tags: ['Cash'],
          summary: 'Export the lines of the cash ledger as CSV, newest first',
          operationId: 'exportCash',
          ...csvResponse,
        },
      },
    )
