import { type Static, Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import { ownerOf } from '../../http/auth/principal.ts'
import { createOnceExternally } from '../../http/idempotency.ts'
import { redirectTo } from '../../http/pages/notice-page.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, Maybe, Nullable, oneOf, pageQuery, WebPage } from '../../http/schema.ts'
import { toDomainError } from '../../integrations/connections/calls/adapter-failures.ts'
import { disconnectAdapter } from '../../integrations/connections/connect.ts'
import { findConnection } from '../../integrations/connections/connections.queries.ts'
import { invariant } from '../../lib/invariant.ts'
import { findConnector, openConnector, presentConnector, shopWebhookUrl } from './connector.ts'
import { Connector, NewConnector, PullRequest } from './connectors.model.ts'
import { connectShop } from './install/connect-shop.ts'
import { buildInstallUrl } from './install/install-shop.ts'
import { registerWebhooks } from './install/register-webhooks.ts'
import { requestPullAndReplay } from './orders/request-pull.ts'
import { connectRowSource, disconnectRowSource, findRowSpreadsheet } from './sheet-import/connect-row-source.ts'
import { listShops } from './shop-sync.queries.ts'

const describe = tagOperations('Connectors')
const ById = T.Object({ storeId: Id, connectorId: Id })
const InstallQuery = T.Object({
  shop: Maybe(T.String({ minLength: 1, maxLength: 1000, description: "the shop's host, where each shop has one" })),
  name: Maybe(T.String({ minLength: 1, maxLength: 80, description: 'name of the connection; by default the host' })),
  returnTo: Maybe(WebPage('the page that the browser is sent to after a sign-in')),
})
type InstallQuery = Static<typeof InstallQuery>

const ADDRESS = {
  description: 'The address, without a redirect.',
  content: {
    'application/json': {
      schema: {
        type: 'object' as const,
        required: ['data'],
        properties: { data: { type: 'object' as const, required: ['url'], properties: { url: { type: 'string' as const } } } },
      },
    },
  },
}

/** Routes of a store's connections to external shops: connect, read, delete, pull orders and register webhooks. */
export const connectorRoutes = (context: Context) => {
  const installOptions = ({ shop, name, returnTo }: InstallQuery) => ({ shop, name, returnTo, origin: serverAddress(context) })
  return new Elysia({ name: 'connectors', prefix: '/v1/stores/:storeId/integrations/connectors' })
    .use(context.authority)
    .get(
      '',
      async ({ store, query }) => {
        const found = await readKeysetPage(query, (before, take) => listShops(context.sql, store.id, before, take))
        const rows = await Promise.all(found.data.map(({ id }) => findConnector(context, store.id, id)))
        return { ...found, data: await Promise.all(rows.map((row) => presentConnector(context, row))) }
      },
      {
        store: ['viewer', 'orders:read'],
        params: T.Object({ storeId: Id }),
        query: T.Object(pageQuery),
        response: List(Connector),
        detail: describe('External shops that the store is connected to, with the progress of their orders', 'listConnectors'),
      },
    )
    .post(
      '',
      ({ store, body, request, caller, set }) =>
        createOnceExternally(context, { body, request, caller, set }, async () => {
          const { platform, name, enabled = true, credentials, settings } = body
          const input = { enabled, credentials, ...(name !== undefined && { name }), ...(settings && { settings }) }
          const rowsOf = findRowSpreadsheet(context, platform)
          const row = rowsOf
            ? await connectRowSource(context, store.id, rowsOf, input)
            : await connectShop(context, store.id, platform, input)
          return { data: await presentConnector(context, row) }
        }),
      {
        store: ['admin', 'stores:write'],
        params: T.Object({ storeId: Id }),
        body: NewConnector,
        response: { 201: Data(Connector) },
        detail: describe(
          'Connect a shop by its keys. Replaces the connection of that shop, or of the given name; its orders stay',
          'createConnector',
        ),
      },
    )
    .delete(
      '/:connectorId',
      async ({ store, params, set }) => {
        const row = await findConnector(context, store.id, params.connectorId)
        if (row.kind === 'spreadsheet') await disconnectRowSource(context, row)
        else await disconnectAdapter(context, store.id, row.key, { connection: row.id })
        set.status = 204
      },
      {
        store: ['admin', 'stores:write'],
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a connection and its keys; imported orders stay', 'deleteConnector'),
      },
    )
    .post(
      '/:connectorId/pull',
      async ({ store, params, body, set }) => {
        const { row } = await openConnector(context, store.id, params.connectorId)
        await transaction(context.sql, (tx) => requestPullAndReplay(tx, row, body ?? {}))
        set.status = 202
        return { data: await presentConnector(context, row) }
      },
      {
        store: ['agent', 'orders:write'],
        params: ById,
        body: T.Optional(Nullable(PullRequest)),
        response: { 202: Data(Connector) },
        detail: describe('Pull the orders of a shop now, since the end of the last pull or since a given time', 'pullConnector'),
      },
    )
    .post(
      '/:connectorId/webhooks',
      async ({ store, params }) => {
        const connection = await openConnector(context, store.id, params.connectorId)
        await registerWebhooks(context, connection, shopWebhookUrl(context, connection.row)).catch((error) =>
          Promise.reject(toDomainError(error)),
        )
        const row = invariant(await findConnection(context.sql, connection.row), 'A connector that was asked')
        return { data: await presentConnector(context, row) }
      },
      {
        store: ['admin', 'stores:write'],
        params: ById,
        response: Data(Connector),
        detail: describe('Register the webhooks of a shop; switches on again what the shop switched off', 'subscribeConnector'),
      },
    )
    .get(
      '/:connectorId/install-url',
      async ({ store, params, query, caller }) => ({
        data: {
          url: await buildInstallUrl(context, { store, platform: params.connectorId, begunBy: ownerOf(caller), ...installOptions(query) }),
        },
      }),
      {
        store: ['admin', 'stores:write'],
        params: ById,
        query: InstallQuery,
        response: Data(
          T.Object({ url: T.String({ description: "the address that the shop owner's browser must open within ten minutes" }) }),
        ),
        detail: describe('The address that connects a shop of a platform; the path names the platform', 'readInstallUrl'),
      },
    )
    .get(
      '/:connectorId/install',
      async ({ store, params, query, caller }) => {
        const url = await buildInstallUrl(context, {
          store,
          platform: params.connectorId,
          begunBy: ownerOf(caller),
          ...installOptions(query),
        })
        return query.redirect === 'false' ? Response.json({ data: { url } }) : redirectTo(url)
      },
      {
        store: ['admin', 'stores:write'],
        params: ById,
        query: T.Object({
          ...InstallQuery.properties,
          redirect: Maybe(oneOf(['true', 'false'], { description: '`false` returns the address instead of a redirect' })),
        }),
        detail: {
          ...describe('Redirect to the page that connects a shop of a platform; the path names the platform', 'installConnector'),
          responses: { 200: ADDRESS, 303: { description: 'Redirect to the page of the shop or the platform.' } },
        },
      },
    )
}
