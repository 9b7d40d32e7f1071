import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { receive, setupWebhook, takeEarlyNews } from './callbacks.ts'
import { poll, pollDue } from './poll.ts'
import { deleteReports } from './reports.queries.ts'
import { remap } from './status-rules/map-status.ts'
import { statusRules } from './status-rules/status-rules.routes.ts'
import { startSync, syncStatus, workSync } from './sync.ts'
import { syncOrders } from './sync-orders.ts'
import { traces } from './traces.routes.ts'

/** Tracking of parcels: callbacks, polling, synchronisation and status rules. */
export default feature('news', {
  routes: [statusRules, traces],
  operations: {
    carrier: {
      setupWebhook,
      sync: (context, { connection }) => startSync(context, connection),
      syncOrders,
      syncStatus: { evenOff: async (_, { connection }) => syncStatus(connection) },
    },
  },
  webhooks: { carrier: receive },
  partitions: [{ table: 'parcel_reports', by: { column: 'parcel_id', ids: 'par' }, weeks: 13, retentionDays: null }],
  subscribers: {
    async 'parcel.removed'(tx, { parcel }) {
      await deleteReports(tx, parcel)
    },
  },
  jobs: {
    'integrations.sync': { work: (context, { connectionId, from }, signal) => workSync(context, connectionId, from, signal) },
    'integrations.earlyNews': { work: (context, { connectionId, reports, run }) => takeEarlyNews(context, connectionId, reports, run) },
    'integrations.remap': { work: (context, { connectionId, raws }, signal) => remap(context, connectionId, raws, signal) },
    'integrations.poll': { work: (context, { connectionId }, signal) => poll(context, connectionId, signal) },
    'integrations.pollDue': { schedule: '* * * * *', work: pollDue },
  },
  personalData: [
    eraseBySearch({
      table: 'parcel_reports',
      owner: 'parcel',
      key: ['parcel_id', 'event_key'],
      columns: { reason: 'text', carrier_status: 'text' },
    }),
  ],
})
