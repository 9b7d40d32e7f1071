import type { Context } from '../../context.ts'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import type { OfConnection } from '../operations/operation-registry.ts'
import { openWork, type Work } from './calls/later.ts'
import { enable } from './connect.ts'
import { integrations } from './connections.routes.ts'
import { endLeftBehind } from './disconnect-orphaned.ts'
import { tellOwner } from './health/attention.ts'
import { testConnection } from './health/test-connection.ts'
import { testUntested } from './health/test-later.ts'
import { testHanded } from './oauth-client/handed.ts'
import { oauth } from './oauth-client/oauth.routes.ts'
import { renewResting } from './oauth-client/renew-resting.ts'
import { requestStalePlaces, syncPlaces } from './places/sync-places.ts'
import { platformIntegrations } from './platform.routes.ts'
import { socialClient } from './social-clients.ts'
import { webhookAddress } from './webhook-address.ts'

declare module '../../context.ts' {
  interface Services {
    readonly connections: Work
  }
}

/** Operations of connections of any kind; they also work on a disabled connection. */
const commonOperations = {
  testConnection: { evenOff: (context: Context, { connection: { row } }: OfConnection) => testConnection(context, row.storeId, row.key) },
  enable: {
    evenOff: (context: Context, { connection: { row }, body }: OfConnection & { readonly body: { readonly enabled: boolean } }) =>
      enable(context, row.storeId, row.key, body.enabled),
  },
}

/** Operations of connections whose provider sends webhooks. */
const webhookOperations = {
  ...commonOperations,
  webhookUrl: {
    evenOff: async (context: Context, { connection }: OfConnection) => ({ url: webhookAddress(context, connection) }),
  },
}

export default feature('connections', {
  setup: async ({ gateway, log }) => {
    const connections = openWork(gateway.sql, log)
    return { services: { connections, partings: new Map(), socialClient }, close: () => connections.stop() }
  },
  routes: [integrations, platformIntegrations, oauth],
  operations: {
    carrier: webhookOperations,
    payment: webhookOperations,
    connector: webhookOperations,
    spreadsheet: commonOperations,
    ads: commonOperations,
    model: commonOperations,
  },
  jobs: {
    'integrations.places': { work: (context, { connectionId, runs = 0 }, signal) => syncPlaces(context, connectionId, runs, signal) },
    'integrations.stalePlaces': { schedule: '17 2 * * *', work: requestStalePlaces },
    'connections.endLeftBehind': { schedule: '29 3 * * *', work: endLeftBehind },
    'connections.renewResting': { schedule: '41 3 * * *', work: renewResting },
    'connections.test': { work: (context, { connectionId }) => testUntested(context, connectionId) },
    'connections.testHanded': { work: (context, { connectionId }) => testHanded(context, connectionId) },
    'connections.tellOwner': { work: (context, { connectionId, noticeId }) => tellOwner(context, connectionId, noticeId) },
  },
  personalData: [
    eraseBySearch({ table: 'adapter_memory', owner: 'connection', key: ['connection_id', 'key'], columns: { value: 'json' } }),
    eraseBySearch({ table: 'integrations', owner: 'store', key: ['id'], columns: { status_message: 'text', sync: 'json' } }),
  ],
})
