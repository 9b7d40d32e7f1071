import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { LeadForm, LeadPage } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, Maybe, pageQuery, Text } from '../../../http/schema.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { pageRows } from '../../../integrations/connections/calls/page-rows.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { findConnector, openConnector, shopWebhookUrl } from '../connector.ts'
import { PlatformSlug } from '../connectors.model.ts'
import { configureLeads, leadFormsOf, reconfigureLeads } from '../lead-forms/configure-leads.ts'
import { LeadSetup, LeadSetupChange, NewLeadSetup } from '../lead-forms/leads.model.ts'
import { configureRowSource } from '../sheet-import/configure-row-source.ts'
import { NewRowSource, RowSource } from '../sheet-import/rows.model.ts'
import { openRowSource } from '../sheet-import/rows.routes.ts'
import { findOrInsertShopSync } from '../shop-sync.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'

const describe = tagOperations('Connectors')
const params = T.Object({ storeId: Id, connectorId: Id, platform: PlatformSlug })
const READ_MS = 20_000

interface ConnectorPath {
  readonly storeId: string
  readonly connectorId: string
  readonly platform: string
}

async function openLeads(context: Context, { storeId, connectorId, platform }: ConnectorPath): Promise<ConnectorConnection> {
  const connection = await openConnector(context, storeId, connectorId)
  if (connection.row.key !== platform) throw notFound(`A connector of ${platform}`)
  leadFormsOf(connection)
  return connection
}

const rejectWithDomainError = (error: unknown) => Promise.reject(toDomainError(error))

/** Routes that choose which lead forms or spreadsheet rows become orders. */
export const connectorSetupRoutes = (context: Context) =>
  new Elysia({ name: 'connector setup', prefix: '/v1/stores/:storeId/integrations/connectors/:connectorId/:platform' })
    .use(context.authority)
    .get(
      '/pages',
      async ({ store, params: path, query }) => {
        const connection = await openLeads(context, { ...path, storeId: store.id })
        const { pages } = leadFormsOf(connection)
        const options = { operation: 'pages', deadlineMs: READ_MS, schema: T.Array(LeadPage) }
        return pageRows(await callAdapter(context, connection, (_, own) => pages(own), options).catch(rejectWithDomainError), query)
      },
      {
        store: ['admin', 'stores:write'],
        params,
        query: T.Object(pageQuery),
        response: List(LeadPage),
        detail: describe('The pages of the account that is connected to a platform of lead forms', 'listLeadPages'),
      },
    )
    .get(
      '/forms',
      async ({ store, params: path, query: { pageId: named, ...query } }) => {
        const connection = await openLeads(context, { ...path, storeId: store.id })
        const pageId = named ?? (await findOrInsertShopSync(context.sql, connection.row)).setup?.pageId
        if (pageId === undefined) throw connectorShopErrors.pageMissing({ field: ['pageId'] })
        const { forms } = leadFormsOf(connection)
        const options = { operation: 'forms', deadlineMs: READ_MS, schema: T.Array(LeadForm) }
        return pageRows(
          await callAdapter(context, connection, (_, own) => forms(own, { pageId }), options).catch(rejectWithDomainError),
          query,
        )
      },
      {
        store: ['admin', 'stores:write'],
        params,
        query: T.Object({ pageId: Maybe({ ...Text(60, 1), description: 'the one that is set up, if left out' }), ...pageQuery }),
        response: List(LeadForm),
        detail: describe('The forms of a page and their questions', 'listLeadForms'),
      },
    )
    .post(
      '/configure',
      async ({ store, params: path, body }) => {
        const at = { ...path, storeId: store.id }
        const { kind } = await findConnector(context, at.storeId, at.connectorId)
        if (kind === 'spreadsheet') {
          if (!('spreadsheetId' in body)) throw connectorShopErrors.spreadsheetMissing({ field: ['spreadsheetId'] })
          return { data: await configureRowSource(context, await openRowSource(context, at), body).catch(rejectWithDomainError) }
        }
        const connection = await openLeads(context, at)
        if (!('pageId' in body)) throw connectorShopErrors.formsMissing({ field: ['pageId'] })
        return {
          data: await configureLeads(context, connection, body, shopWebhookUrl(context, connection.row)).catch(rejectWithDomainError),
        }
      },
      {
        store: ['admin', 'stores:write'],
        params,
        body: T.Union([NewRowSource, NewLeadSetup]),
        response: Data(T.Union([RowSource, LeadSetup])),
        detail: describe('Import the rows of a tab, or the answers of lead forms, as orders', 'configureConnector'),
      },
    )
    .post(
      '/reconfigure',
      async ({ store, params: path, body }) => {
        const connection = await openLeads(context, { ...path, storeId: store.id })
        return {
          data: await reconfigureLeads(context, connection, body, shopWebhookUrl(context, connection.row)).catch(rejectWithDomainError),
        }
      },
      {
        store: ['admin', 'stores:write'],
        params,
        body: LeadSetupChange,
        response: Data(LeadSetup),
        detail: describe('Change which forms are imported; reads the answers of the last 90 days again', 'reconfigureConnector'),
      },
    )
