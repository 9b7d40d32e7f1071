import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { writeCancelledStatus } from './delivery/cancel.ts'
import { deleteAllDeliveries } from './delivery/delete-deliveries.ts'
import { startDispatcher } from './delivery/dispatch.ts'
import { DELIVERY_RETENTION_DAYS, EVENT_RETENTION_DAYS } from './delivery/schedule.ts'
import { notifyOwner } from './notify-owner.ts'
import { webhookRoutes } from './webhooks.routes.ts'

/** Webhooks feature: endpoints, events and their delivery. */
export default feature('webhooks', {
  routes: [webhookRoutes],
  jobs: {
    'webhooks.notifyOwner': { work: (context, { noticeId }) => notifyOwner(context, noticeId) },
    'webhooks.cancelWaiting': { work: (context, { endpointId }, signal) => writeCancelledStatus(context, endpointId, signal) },
    'webhooks.deleteDeliveries': { work: deleteAllDeliveries },
  },
  partitions: [
    { table: 'events', by: { column: 'id', ids: 'evt' }, weeks: 1, retentionDays: EVENT_RETENTION_DAYS },
    {
      table: 'webhook_deliveries',
      by: { column: 'id', ids: 'dlv' },
      weeks: 1,
      retentionDays: DELIVERY_RETENTION_DAYS,
      storageParameters: 'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0',
    },
  ],
  start: startDispatcher,
  personalData: [
    eraseBySearch({ table: 'events', owner: 'project', key: ['id'], columns: { body: 'body' }, created: 'created_at', kind: 'log' }),
    eraseBySearch({
      table: 'webhook_deliveries',
      owner: 'project',
      key: ['endpoint_id', 'id'],
      columns: { attempts: 'json', order_key: 'id' },
      created: 'created_at',
      kind: 'log',
    }),
  ],
})
