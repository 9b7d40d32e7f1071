import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { SheetTab, Spreadsheet, SpreadsheetFile, SpreadsheetId } from '../../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../../context.ts'
import { createOnceExternally } from '../../../http/idempotency.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, pageQuery, Text } from '../../../http/schema.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { pageRows } from '../../../integrations/connections/calls/page-rows.ts'
import { openConnection } from '../../../integrations/connections/connection.ts'
import { ImportColumns } from '../../../shop/imports/imports.model.ts'
import { callSpreadsheet } from '../../sheet-export/call-spreadsheet.ts'
import type { SpreadsheetConnection } from '../../sheet-export/sheets.model.ts'
import { findConnector } from '../connector.ts'
import { PlatformSlug } from '../connectors.model.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { changeRowColumns, requireTab } from './configure-row-source.ts'
import { defaultRowHeaders, recognizeRowHeaders, rowColumnDescriptions } from './row-fields.ts'
import { NewRowFile, RowColumns, RowHeaders, RowSource } from './rows.model.ts'

const describe = tagOperations('Connectors')
const Of = { storeId: Id, connectorId: Id, platform: PlatformSlug }
const TITLE = 'Orders'

/** Opens the spreadsheet of a connector. Throws `not_found` if the connector is of another kind or platform, and `adapter_not_enabled`. */
export async function openRowSource(
  context: Context,
  params: { storeId: string; connectorId: string; platform: string },
): Promise<SpreadsheetConnection> {
  const row = await findConnector(context, params.storeId, params.connectorId)
  if (row.kind !== 'spreadsheet' || row.key !== params.platform) throw connectorShopErrors.notASpreadsheet({ platform: params.platform })
  if (!row.enabled) throw connectorShopErrors.connectorOff()
  return openConnection(context, 'spreadsheet', row)
}

const rejectWithDomainError = (error: unknown) => Promise.reject(toDomainError(error))

/** Routes of spreadsheets whose rows become orders: list, create, and read their tabs and headers. */
export const rowSourceRoutes = (context: Context) =>
  new Elysia({ name: 'connector rows', prefix: '/v1/stores/:storeId/integrations/connectors/:connectorId/:platform' })
    .use(context.authority)
    .get(
      '/imports/columns',
      async ({ store, params }) => {
        await findConnector(context, store.id, params.connectorId)
        return { data: rowColumnDescriptions }
      },
      {
        store: ['viewer', 'orders:read'],
        params: T.Object(Of),
        response: ImportColumns,
        detail: describe('The columns of a sheet whose rows become orders, and their recognized headings', 'listConnectorImportColumns'),
      },
    )
    .get(
      '/spreadsheets',
      async ({ store, params, query }) => {
        const connection = await openRowSource(context, { ...params, storeId: store.id })
        return pageRows(
          await callSpreadsheet(context, connection, 'list', (adapter, own) => adapter.list(own)).catch(rejectWithDomainError),
          query,
        )
      },
      {
        store: ['viewer', 'orders:read'],
        params: T.Object(Of),
        query: T.Object(pageQuery),
        response: List(SpreadsheetFile),
        detail: describe('The spreadsheets that a connector may reach', 'listConnectorSpreadsheets'),
      },
    )
    .post(
      '/spreadsheets',
      ({ store, params, body, request, caller, set }) =>
        createOnceExternally(context, { body, request, caller, set }, async () => {
          const connection = await openRowSource(context, { ...params, storeId: store.id })
          const { title = TITLE, tab = TITLE, language = 'ar' } = body
          const file = { title, tab, headers: defaultRowHeaders(language) }
          return {
            data: await callSpreadsheet(context, connection, 'create', (adapter, own) => adapter.create(own, file)).catch(
              rejectWithDomainError,
            ),
          }
        }),
      {
        store: ['admin', 'stores:write'],
        params: T.Object(Of),
        body: NewRowFile,
        response: { 201: Data(Spreadsheet) },
        detail: describe('Create a spreadsheet with headers for orders; nothing is read from it yet', 'createConnectorSpreadsheet'),
      },
    )
    .get(
      '/spreadsheets/:spreadsheetId/tabs',
      async ({ store, params, query }) => {
        const connection = await openRowSource(context, { ...params, storeId: store.id })
        return pageRows(await tabsOf(context, connection, params.spreadsheetId), query)
      },
      {
        store: ['admin', 'stores:write'],
        params: T.Object({ ...Of, spreadsheetId: SpreadsheetId }),
        query: T.Object(pageQuery),
        response: List(SheetTab),
        detail: describe('The tabs of a spreadsheet that a connector may reach', 'listConnectorTabs'),
      },
    )
    .get(
      '/spreadsheets/:spreadsheetId/sheets/:sheetName/headers',
      async ({ store, params }) => {
        const connection = await openRowSource(context, { ...params, storeId: store.id })
        const { spreadsheetId } = params
        const { id: tabId } = requireTab(await tabsOf(context, connection, spreadsheetId), params.sheetName, ['sheetName'])
        const headers = await callSpreadsheet(context, connection, 'headers', (adapter, own) =>
          adapter.headers(own, { spreadsheetId, tabId }),
        ).catch(rejectWithDomainError)
        return { data: { headers, recognised: recognizeRowHeaders(headers) } }
      },
      {
        store: ['admin', 'stores:write'],
        params: T.Object({ ...Of, spreadsheetId: SpreadsheetId, sheetName: Text(500, 1) }),
        response: Data(RowHeaders),
        detail: describe('The headers of a tab, by its title or id, and the fields of the recognized ones', 'readConnectorHeaders'),
      },
    )
    .post(
      '/field-mapping',
      async ({ store, params, body }) => ({
        data: await changeRowColumns(context, await openRowSource(context, { ...params, storeId: store.id }), body.columns).catch(
          rejectWithDomainError,
        ),
      }),
      {
        store: ['admin', 'stores:write'],
        params: T.Object(Of),
        body: T.Object({ columns: RowColumns }, { additionalProperties: false }),
        response: Data(RowSource),
        detail: describe('Set the field of each column of the tab whose rows become orders', 'mapConnectorFields'),
      },
    )

const tabsOf = (context: Context, connection: SpreadsheetConnection, spreadsheetId: string) =>
  callSpreadsheet(context, connection, 'tabs', (adapter, own) => adapter.tabs(own, spreadsheetId)).catch(rejectWithDomainError)
