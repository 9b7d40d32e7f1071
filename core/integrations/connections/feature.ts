import type { Context } from '../../context.ts'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import type { ConnectionCall } from '../operations/operation-registry.ts'
import { type ConnectionTasks, openConnectionTasks } from './calls/connection-tasks.ts'
import { setConnectionEnabled } from './connect.ts'
import { integrationRoutes } from './connections.routes.ts'
import { deleteOrphanedConnections } from './delete-orphaned.ts'
import { notifyOwners } from './health/attention.ts'
import { testConnection } from './health/test-connection.ts'
import { testUntestedConnection } from './health/test-later.ts'
import { countConnectionsToRepair } from './health/waiting.queries.ts'
import { oauthClientRoutes } from './oauth-client/oauth.routes.ts'
import { testPushedTokens } from './oauth-client/pushed-tokens.ts'
import { renewIdleTokens } from './oauth-client/renew-idle-tokens.ts'
import { requestStalePlacesSync, syncPlaces } from './places/sync-places.ts'
import { platformIntegrationRoutes } from './platform.routes.ts'
import { findSocialClient } from './social-clients.ts'
import { webhookUrlOf } from './webhook-url.ts'

declare module '../../context.ts' {
  interface Services {
    readonly connections: ConnectionTasks
  }
}

/** Operations of connections of any kind; they also work on a disabled connection. */
const commonOperations = {
  testConnection: {
    worksWhenDisabled: (context: Context, { connection: { row } }: ConnectionCall) => testConnection(context, row.storeId, row.key),
  },
  enable: {
    worksWhenDisabled: (
      context: Context,
      { connection: { row }, body }: ConnectionCall & { readonly body: { readonly enabled: boolean } },
    ) => setConnectionEnabled(context, row.storeId, row.key, { enabled: body.enabled }),
  },
}

/** Operations of connections whose provider sends webhooks. */
const webhookOperations = {
  ...commonOperations,
  webhookUrl: {
    worksWhenDisabled: async (context: Context, { connection }: ConnectionCall) => ({ url: webhookUrlOf(context, connection) }),
  },
}

export default feature('connections', {
  setup: async ({ egress: gateway, log }) => {
    const connections = openConnectionTasks(gateway.sql, log)
    return { services: { connections }, close: () => connections.stop() }
  },
  routes: [integrationRoutes, platformIntegrationRoutes, oauthClientRoutes],
  provides: { socialClient: findSocialClient },
  operations: {
    carrier: webhookOperations,
    payment: webhookOperations,
    connector: webhookOperations,
    spreadsheet: commonOperations,
    ads: commonOperations,
    model: commonOperations,
  },
  jobs: {
    'connections.syncPlaces': { work: (context, { connectionId, runs = 0 }, signal) => syncPlaces(context, connectionId, runs, signal) },
    'connections.syncStalePlaces': { schedule: '17 2 * * *', work: requestStalePlacesSync },
    'connections.deleteOrphaned': { schedule: '29 3 * * *', work: deleteOrphanedConnections },
    'connections.renewIdleTokens': { schedule: '41 3 * * *', work: renewIdleTokens },
    'connections.test': { work: (context, { connectionId }) => testUntestedConnection(context, connectionId) },
    'connections.testPushedTokens': { work: (context, { connectionId }) => testPushedTokens(context, connectionId) },
    'connections.notifyOwner': { work: (context, { connectionId, noticeId }) => notifyOwners(context, connectionId, noticeId) },
  },
  attention: [
    {
      kind: 'connections_to_repair',
      meaning: 'Platforms that refuse what was entered for them: sign in again or enter new keys.',
      group: 'connections',
      right: ['admin', 'stores:write'],
      count: countConnectionsToRepair,
    },
  ],
  personalData: [
    eraseBySearch({ table: 'adapter_storage', owner: 'project', key: ['connection_id', 'key'], columns: { value: 'json' } }),
    eraseBySearch({ table: 'integrations', owner: 'project', key: ['id'], columns: { status_message: 'text', sync: 'json' } }),
  ],
})
