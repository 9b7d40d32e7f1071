import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { LeadForm, LeadPage } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { invalidValue, notFound } from '../../../http/errors/errors.ts'
import { Data, Id, List, Maybe, pageQuery, Text } from '../../../http/schema.ts'
import { asApiError, callAdapter } from '../../../integrations/connections/calls/call.ts'
import { pageRows } from '../../../integrations/connections/calls/page-rows.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { Platform } from '../channels.model.ts'
import { channelOf } from '../channels.queries.ts'
import { callbackAddress, connectorOf, openConnector } from '../connector.ts'
import { LeadSetup, LeadSetupChange, NewLeadSetup } from '../lead-forms/leads.model.ts'
import { configureLeads, leadsOf, reconfigureLeads } from '../lead-forms/setup.ts'
import { configureRows } from '../sheet-import/configure.ts'
import { NewRowSource, RowSource } from '../sheet-import/rows.model.ts'
import { openRows } from '../sheet-import/rows.routes.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Connectors'], summary, operationId })
const params = T.Object({ storeId: Id, connectorId: Id, platform: Platform })
const READ_MS = 20_000

interface Asked {
  readonly storeId: string
  readonly connectorId: string
  readonly platform: string
}

async function openLeads(context: Context, { storeId, connectorId, platform }: Asked): Promise<ConnectorConnection> {
  const connection = await openConnector(context, storeId, connectorId)
  if (connection.row.key !== platform) throw notFound(`A connector of ${platform}`)
  leadsOf(connection)
  return connection
}

const orApiError = (error: unknown) => Promise.reject(asApiError(error))

/** What of a page's forms, or of a tab's rows, becomes orders. */
export const connectorSetup = (context: Context) =>
  new Elysia({ name: 'connector setup', prefix: '/v1/stores/:storeId/integrations/connectors/:connectorId/:platform' })
    .use(context.authority)
    .get(
      '/pages',
      async ({ store, params: asked, query }) => {
        const connection = await openLeads(context, { ...asked, storeId: store.id })
        const { pages } = leadsOf(connection)
        const options = { operation: 'pages', deadlineMs: READ_MS, schema: T.Array(LeadPage) }
        return pageRows(await callAdapter(context, connection, (_, own) => pages(own), options).catch(orApiError), query)
      },
      {
        store: ['admin', 'stores:write'],
        params,
        query: T.Object(pageQuery),
        response: List(LeadPage),
        detail: describe('The pages of whoever connected a platform of forms', 'listLeadPages'),
      },
    )
    .get(
      '/forms',
      async ({ store, params: asked, query: { pageId: named, ...query } }) => {
        const connection = await openLeads(context, { ...asked, storeId: store.id })
        const pageId = named ?? (await channelOf(context.sql, connection.row.id)).setup?.pageId
        if (pageId === undefined) throw invalidValue('/query/pageId', 'Say which page: GET …/pages lists them.')
        const { forms } = leadsOf(connection)
        const options = { operation: 'forms', deadlineMs: READ_MS, schema: T.Array(LeadForm) }
        return pageRows(await callAdapter(context, connection, (_, own) => forms(own, { pageId }), options).catch(orApiError), query)
      },
      {
        store: ['admin', 'stores:write'],
        params,
        query: T.Object({ pageId: Maybe({ ...Text(60, 1), description: 'the one that is set up, if left out' }), ...pageQuery }),
        response: List(LeadForm),
        detail: describe('The forms of a page, and what each asks', 'listLeadForms'),
      },
    )
    .post(
      '/configure',
      async ({ store, params: asked, body }) => {
        const at = { ...asked, storeId: store.id }
        const { kind } = await connectorOf(context, at.storeId, at.connectorId)
        if (kind === 'spreadsheet') {
          if (!('spreadsheetId' in body)) throw invalidValue('/body/spreadsheetId', 'Say which spreadsheet, and which tab of it.')
          return { data: await configureRows(context, await openRows(context, at), body).catch(orApiError) }
        }
        const connection = await openLeads(context, at)
        if (!('pageId' in body)) throw invalidValue('/body/pageId', 'Say which page, and which forms of it.')
        return {
          data: await configureLeads(context, connection, body, callbackAddress(context, connection.row)).catch(orApiError),
        }
      },
      {
        store: ['admin', 'stores:write'],
        params,
        body: T.Union([NewRowSource, NewLeadSetup]),
        response: Data(T.Union([RowSource, LeadSetup])),
        detail: describe('Have the rows of a tab, or the answers of forms, become orders', 'configureConnector'),
      },
    )
    .post(
      '/reconfigure',
      async ({ store, params: asked, body }) => {
        const connection = await openLeads(context, { ...asked, storeId: store.id })
        return {
          data: await reconfigureLeads(context, connection, body, callbackAddress(context, connection.row)).catch(orApiError),
        }
      },
      {
        store: ['admin', 'stores:write'],
        params,
        body: LeadSetupChange,
        response: Data(LeadSetup),
        detail: describe('Change which forms become orders; the answers of the last 90 days are read again', 'reconfigureConnector'),
      },
    )
