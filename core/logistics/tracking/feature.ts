import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { applyCallback, retryEarlyReports, setupWebhook } from './callbacks.ts'
import { enqueueDuePolls, pollConnection } from './poll-carriers.ts'
import { deleteReports } from './reports.queries.ts'
import { remapReports } from './status-rules/map-status.ts'
import { statusRuleRoutes } from './status-rules/status-rules.routes.ts'
import { countUnknownStatuses } from './status-rules/waiting.queries.ts'
import { enqueueSync, runSync, syncStatusOf } from './sync.ts'
import { syncOrders } from './sync-orders.ts'
import { traceRoutes } from './traces.routes.ts'

/** Tracking of parcels: callbacks, polling, synchronisation and status rules. */
export default feature('tracking', {
  routes: [statusRuleRoutes, traceRoutes],
  operations: {
    carrier: {
      setupWebhook,
      sync: (context, { connection }) => enqueueSync(context, connection),
      syncOrders,
      syncStatus: { worksWhenDisabled: async (_, { connection }) => syncStatusOf(connection) },
    },
  },
  webhooks: { carrier: { handle: applyCallback } },
  partitions: [{ table: 'parcel_reports', by: { column: 'parcel_id', ids: 'par' }, weeks: 13, retentionDays: null }],
  subscribers: {
    async 'parcel.removed'(tx, { parcel }) {
      await deleteReports(tx, parcel)
    },
  },
  jobs: {
    'tracking.sync': { work: (context, { connectionId, from }, signal) => runSync(context, connectionId, from, signal) },
    'tracking.retryEarlyReports': { work: retryEarlyReports },
    'tracking.remap': { work: (context, { connectionId, raws }, signal) => remapReports(context, connectionId, raws, signal) },
    'tracking.poll': { work: (context, { connectionId }, signal) => pollConnection(context, connectionId, signal) },
    'tracking.pollDue': { schedule: '* * * * *', work: enqueueDuePolls },
  },
  attention: [
    {
      kind: 'statuses_unknown',
      meaning: 'Words of carriers without a meaning: define it, so that parcels move on.',
      group: 'connections',
      right: ['admin', 'stores:write'],
      count: countUnknownStatuses,
    },
  ],
  personalData: [
    eraseBySearch({
      table: 'parcel_reports',
      owner: 'parcel',
      key: ['parcel_id', 'event_key'],
      columns: { reason: 'text', carrier_status: 'text' },
    }),
  ],
})
