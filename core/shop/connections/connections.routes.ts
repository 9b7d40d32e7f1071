import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { operationsOf } from '../../../plugins/carrier/offered.ts'
import type { Pending } from '../../../plugins/host/discover.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../http/errors.ts'
import { page } from '../../http/page.ts'
import { isAdmin } from '../../http/principal.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { changeConnection, connect, describeFields, disconnect, present } from './connect.ts'
import { Adapters, Integration, IntegrationChange, NewIntegration } from './connections.model.ts'
import { findConnectionByKey, listConnections } from './connections.queries.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Integrations'], summary, operationId })
const ById = T.Object({ storeId: Id })
const ByKey = T.Object({ storeId: Id, key: T.String({ maxLength: 60 }) })

const listPending = ({ slugs, hosts, ...rest }: Pending) => ({ ...rest, slugs: [...slugs], hosts: [...hosts] })

/** A store's connections to carriers, and the adapters there are. */
export const integrations = (context: Context) =>
  new Elysia({ name: 'integrations', prefix: '/v1' })
    .use(context.authority)
    .get(
      '/adapters',
      ({ caller }) => ({
        data: context.plugins.of('carrier').map(({ carrier }) => ({
          key: carrier.slug,
          kind: carrier.kind,
          label: carrier.label,
          website: carrier.website ?? null,
          countries: [...carrier.countries],
          currency: carrier.currency,
          hosts: [...carrier.net],
          exactlyOnce: carrier.exactlyOnce,
          deliveryTypes: [...carrier.deliveryTypes],
          operations: operationsOf(carrier),
          credentials: describeFields(carrier.credentials),
          settings: describeFields(carrier.settings),
        })),
        rejected: isAdmin(caller) ? [...context.plugins.rejected()] : [],
        pending: isAdmin(caller) ? context.plugins.pending().map(listPending) : [],
      }),
      {
        access: 'stores:read',
        response: Adapters,
        detail: describe('Adapters that are there, with the fields to connect them', 'listAdapters'),
      },
    )
    .get(
      '/stores/:storeId/integrations',
      async ({ store, query }) => {
        const found = await page(query, (before, take) => listConnections(context.sql, store.id, before, take))
        return { ...found, data: found.data.map((row) => present(context, row)) }
      },
      {
        store: ['viewer', 'stores:read'],
        params: ById,
        query: T.Object(pageQuery),
        response: List(Integration),
        detail: describe('Connections of a store; their ids are the carrierAccountId of parcels', 'listIntegrations'),
      },
    )
    .get(
      '/stores/:storeId/integrations/:key',
      async ({ store, params }) => {
        const row = await findConnectionByKey(context.sql, store.id, params.key)
        if (!row) throw notFound(`A connection to ${params.key}`)
        return { data: present(context, row) }
      },
      {
        store: ['viewer', 'stores:read'],
        params: ByKey,
        response: Data(Integration),
        detail: describe('Read a connection; secrets are masked', 'readIntegration'),
      },
    )
    .put(
      '/stores/:storeId/integrations/:key',
      async ({ store, params, body }) => ({ data: await connect(context, store.id, params.key, body) }),
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        body: NewIntegration,
        response: Data(Integration),
        detail: describe('Connect a carrier, or replace its credentials and settings', 'connectIntegration'),
      },
    )
    .patch(
      '/stores/:storeId/integrations/:key',
      async ({ store, params, body }) => ({ data: await changeConnection(context, store.id, params.key, body) }),
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        body: IntegrationChange,
        response: Data(Integration),
        detail: describe('Change parts of a connection', 'changeIntegration'),
      },
    )
    .delete(
      '/stores/:storeId/integrations/:key',
      async ({ store, params, set }) => {
        await disconnect(context, store.id, params.key)
        set.status = 204
      },
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        response: { 204: T.Void() },
        detail: describe('Forget a connection and its credentials', 'disconnectIntegration'),
      },
    )
