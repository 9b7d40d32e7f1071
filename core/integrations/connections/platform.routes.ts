import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, List, pageQuery } from '../../http/schema.ts'
import { chooseConnection } from './choose-connection.ts'
import { changeConnection, connectAdapter, disconnectAdapter } from './connect.ts'
import { ConnectionChoice, IntegrationChange, NewIntegration, PlatformIntegration } from './connections.model.ts'
import { listConnections } from './connections.queries.ts'
import { presentPlatformIntegration } from './present.ts'

const describe = tagOperations('Integrations')
const ByKey = T.Object({ key: T.String({ maxLength: 60 }) })

/** Routes of the platform's own connections: accounts of the operator of this server, and OAuth clients that stores sign in with. */
export const platformIntegrationRoutes = (context: Context) =>
  new Elysia({ name: 'platform-integrations', prefix: '/v1/platform/integrations' })
    .use(context.auth)
    .get(
      '',
      async ({ query }) => {
        const found = await readKeysetPage(query, (before, take) => listConnections(context.sql, null, before, take))
        return { ...found, data: found.data.map((row) => presentPlatformIntegration(context, row)) }
      },
      {
        user: 'admin',
        query: T.Object(pageQuery),
        response: List(PlatformIntegration),
        detail: describe("The platform's own connections", 'listPlatformIntegrations'),
      },
    )
    .get(
      '/:key',
      async ({ params, query }) => ({
        data: presentPlatformIntegration(context, await chooseConnection(context, null, params.key, query)),
      }),
      {
        user: 'admin',
        params: ByKey,
        query: ConnectionChoice,
        response: Data(PlatformIntegration),
        detail: describe('Read a connection of the platform; secrets are masked', 'readPlatformIntegration'),
      },
    )
    .put(
      '/:key',
      async ({ params, query, body }) => ({
        data: presentPlatformIntegration(context, await connectAdapter(context, null, params.key, body, query)),
      }),
      {
        user: 'admin',
        params: ByKey,
        query: ConnectionChoice,
        body: NewIntegration,
        response: Data(PlatformIntegration),
        detail: describe(
          'Connect the platform itself to an adapter, or replace its credentials and settings',
          'connectPlatformIntegration',
        ),
      },
    )
    .patch(
      '/:key',
      async ({ params, query, body }) => ({
        data: presentPlatformIntegration(context, await changeConnection(context, null, params.key, body, query)),
      }),
      {
        user: 'admin',
        params: ByKey,
        query: ConnectionChoice,
        body: IntegrationChange,
        response: Data(PlatformIntegration),
        detail: describe('Change parts of a connection of the platform', 'changePlatformIntegration'),
      },
    )
    .delete(
      '/:key',
      async ({ params, query, set }) => {
        await disconnectAdapter(context, null, params.key, query)
        set.status = 204
      },
      {
        user: 'admin',
        params: ByKey,
        query: ConnectionChoice,
        response: { 204: T.Void() },
        detail: describe('Delete a connection of the platform and its credentials', 'disconnectPlatformIntegration'),
      },
    )
