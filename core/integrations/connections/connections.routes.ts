import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { PendingAdapter } from '../../../plugins/host/discover.ts'
import type { AnyMountedAdapter } from '../../../plugins/host/registry.ts'
import { connectionOwnersOf, memberOf, operationsOf } from '../../../plugins/kind.ts'
import type { Context } from '../../context.ts'
import { isAdmin } from '../../http/auth/principal.ts'
import { answerNotModified } from '../../http/etag.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { chooseConnection } from './choose-connection.ts'
import { changeConnection, connectAdapter, disconnectAdapter } from './connect.ts'
import {
  AdapterChoice,
  AdapterDetails,
  Adapters,
  ConnectionChoice,
  Integration,
  IntegrationChange,
  NewIntegration,
} from './connections.model.ts'
import { listConnections } from './connections.queries.ts'
import { describeFields, enteredCredentialFields, presentIntegration } from './present.ts'

const describe = tagOperations('Integrations')
const ById = T.Object({ storeId: Id })
const ByKey = T.Object({ storeId: Id, key: T.String({ maxLength: 60 }) })

const listPending = ({ slugs, hosts, ...rest }: PendingAdapter) => ({ ...rest, slugs: [...slugs], hosts: [...hosts] })

const describeAdapter = (mounted: AnyMountedAdapter) => ({
  ...summarizeAdapter(mounted),
  credentials: describeFields(enteredCredentialFields(mounted)),
  settings: describeFields(mounted.adapter.settings),
})

const summarizeAdapter = ({ kind, adapter }: AnyMountedAdapter) => ({
  key: adapter.slug,
  kind: adapter.kind,
  label: adapter.label,
  website: adapter.website ?? null,
  ...Object.fromEntries((kind.listed ?? []).map((name) => [name, memberOf(adapter, name)])),
  hosts: [...adapter.net],
  owners: [...connectionOwnersOf(kind, adapter)],
  several: kind.multiple ?? false,
  oauth: adapter.oauth !== undefined,
  operations: operationsOf(kind, adapter),
})

/** Routes of a store's connections to adapters of any kind, and of the installed adapters. */
export const integrationRoutes = (context: Context) =>
  new Elysia({ name: 'integrations', prefix: '/v1' })
    .use(context.authority)
    .get(
      '/adapters',
      ({ caller, query: { kind } }) => ({
        data: context.plugins
          .all()
          .filter(({ adapter }) => kind === undefined || adapter.kind === kind)
          .map(describeAdapter),
        rejected: isAdmin(caller) ? [...context.plugins.rejected()] : [],
        pending: isAdmin(caller) ? context.plugins.pending().map(listPending) : [],
      }),
      {
        afterHandle: answerNotModified,
        access: 'stores:read',
        query: AdapterChoice,
        response: Adapters,
        detail: describe('The installed adapters, with the fields to connect them', 'listAdapters'),
      },
    )
    .get(
      '/adapters/:key',
      async ({ params: { key } }) => {
        const mounted = context.plugins.named(key)
        if (!mounted) throw notFound(`An adapter "${key}"`)
        return { data: { ...describeAdapter(mounted), readme: await context.plugins.readme(key) } }
      },
      {
        afterHandle: answerNotModified,
        access: 'stores:read',
        params: T.Object({ key: T.String({ maxLength: 60 }) }),
        response: Data(AdapterDetails),
        detail: describe('One adapter, with its README', 'readAdapter'),
      },
    )
    .get(
      '/stores/:storeId/integrations',
      async ({ store, query }) => {
        const found = await readKeysetPage(query, (before, take) => listConnections(context.sql, store.id, before, take))
        return { ...found, data: found.data.map((row) => presentIntegration(context, row)) }
      },
      {
        store: ['viewer', 'stores:read'],
        params: ById,
        query: T.Object(pageQuery),
        response: List(Integration),
        detail: describe('Connections of a store; the ids of those to carriers are the carrierAccountId of parcels', 'listIntegrations'),
      },
    )
    .get(
      '/stores/:storeId/integrations/:key',
      async ({ store, params, query }) => ({
        data: presentIntegration(context, await chooseConnection(context, store.id, params.key, query)),
      }),
      {
        store: ['viewer', 'stores:read'],
        params: ByKey,
        query: ConnectionChoice,
        response: Data(Integration),
        detail: describe('Read a connection; secrets are masked', 'readIntegration'),
      },
    )
    .put(
      '/stores/:storeId/integrations/:key',
      async ({ store, params, query, body }) => ({
        data: presentIntegration(context, await connectAdapter(context, store.id, params.key, body, query)),
      }),
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        query: ConnectionChoice,
        body: NewIntegration,
        response: Data(Integration),
        detail: describe('Connect an adapter, or replace its credentials and settings', 'connectIntegration'),
      },
    )
    .patch(
      '/stores/:storeId/integrations/:key',
      async ({ store, params, query, body }) => ({
        data: presentIntegration(context, await changeConnection(context, store.id, params.key, body, query)),
      }),
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        query: ConnectionChoice,
        body: IntegrationChange,
        response: Data(Integration),
        detail: describe('Change parts of a connection', 'changeIntegration'),
      },
    )
    .delete(
      '/stores/:storeId/integrations/:key',
      async ({ store, params, query, set }) => {
        await disconnectAdapter(context, store.id, params.key, query)
        set.status = 204
      },
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        query: ConnectionChoice,
        response: { 204: T.Void() },
        detail: describe('Delete a connection and its credentials', 'disconnectIntegration'),
      },
    )
