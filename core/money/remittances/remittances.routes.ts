import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { sensitiveNeeds } from '../../http/auth/scopes.ts'
import { createOnce } from '../../http/idempotency.ts'
import { Data, Id } from '../../http/schema.ts'
import { type CarrierConnection, openConnection } from '../../integrations/connections/connection.ts'
import { findConnectionByKey } from '../../integrations/connections/connections.queries.ts'
import { ImportColumns } from '../../shop/imports/imports.model.ts'
import { checkSheet } from './import/check-sheet.ts'
import { CheckedPayout, ImportedPayout, remittanceImportForm } from './import/import.model.ts'
import { importRemittance, inspectUploadedSheet, readUploadedSheet } from './import/import.ts'
import { remittanceErrors } from './remittances.errors.ts'
import { documentedColumns } from './sheet/columns.ts'

const Key = T.String({ maxLength: 60, description: "the carrier's slug" })

/** Routes that import carriers' remittances from sheets. The carrier's own segments serve all other cash operations. */
export const remittances = (context: Context) =>
  new Elysia({ name: 'remittances', prefix: '/v1/stores/:storeId/integrations' })
    .use(context.authority)
    .get('/:key/encaissements/imports/columns', () => ({ data: documentedColumns }), {
      store: ['viewer', sensitiveNeeds.readParcelCash, 'parcels'],
      params: T.Object({ storeId: Id, key: Key }),
      response: ImportColumns,
      detail: {
        tags: ['Cash'],
        summary: 'List the columns of a payout sheet and the headings recognized for each',
        operationId: 'listPayoutImportColumns',
      },
    })
    .post(
      '/:key/encaissements/import',
      async ({ caller, store, params, request, set }) => {
        const connection = await openCarrier(context, store.id, params.key)
        const { upload, sheet } = await readUploadedSheet(context, connection, request)
        const { hash, columns, at } = upload
        return createOnce(context, { request, caller, set, body: { hash, columns, at } }, async (tx) => {
          const { payout, isNew } = await importRemittance(tx, connection, upload, sheet)
          if (!isNew) set.status = 200
          return { data: payout }
        })
      },
      {
        store: ['admin', sensitiveNeeds.writeParcelCash, 'parcels'],
        // Authorization runs before the form is read.
        parse: 'none',
        params: T.Object({ storeId: Id, key: Key }),
        response: { 200: Data(ImportedPayout), 201: Data(ImportedPayout) },
        detail: {
          tags: ['Cash'],
          summary: 'Import a payout from a CSV or XLSX sheet; 200 if it was imported before',
          operationId: 'importPayout',
          requestBody: remittanceImportForm,
        },
      },
    )
    .post(
      '/:key/encaissements/check',
      async ({ store, params, request }) => {
        const connection = await openCarrier(context, store.id, params.key)
        return { data: await checkSheet(context, connection, await inspectUploadedSheet(context, connection, request)) }
      },
      {
        store: ['admin', sensitiveNeeds.writeParcelCash, 'parcels'],
        parse: 'none',
        params: T.Object({ storeId: Id, key: Key }),
        response: Data(CheckedPayout),
        detail: {
          tags: ['Cash'],
          summary: 'Check a payout sheet before its import: columns, first rows and differences. Changes nothing.',
          operationId: 'checkPayoutSheet',
          requestBody: remittanceImportForm,
        },
      },
    )

/** Opens the carrier of a store that a path names. A connection that is switched off still has payouts. */
async function openCarrier(context: Context, storeId: string, key: string): Promise<CarrierConnection> {
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row) throw remittanceErrors.carrierNotConnected({ key })
  return openConnection(context, 'carrier', row)
}
