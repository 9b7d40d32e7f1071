import { searched } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { writeCancelled } from './delivery/cancel.ts'
import { startDispatcher } from './delivery/dispatch.ts'
import { dropDeliveries } from './delivery/drop.ts'
import { DELIVERIES_KEPT_DAYS, EVENTS_KEPT_DAYS } from './delivery/schedule.ts'
import { tellOwner } from './tell-owner.ts'
import { webhooks } from './webhooks.routes.ts'

/** Webhooks feature: endpoints, events and their delivery. */
export default feature('webhooks', {
  routes: [webhooks],
  jobs: {
    'webhooks.tell-owner': { work: (context, { noticeId }) => tellOwner(context, noticeId) },
    'webhooks.cancelWaiting': { work: (context, { endpointId }, signal) => writeCancelled(context, endpointId, signal) },
    'webhooks.dropDeliveries': { work: dropDeliveries },
  },
  partitions: [
    { table: 'events', by: { column: 'id', ids: 'evt' }, weeks: 1, keptDays: EVENTS_KEPT_DAYS },
    {
      table: 'webhook_deliveries',
      by: { column: 'id', ids: 'dlv' },
      weeks: 1,
      keptDays: DELIVERIES_KEPT_DAYS,
      options: 'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0',
    },
  ],
  start: startDispatcher,
  personalData: [
    searched({ table: 'events', owner: 'project', key: ['id'], columns: { body: 'body' }, created: 'created_at', kind: 'log' }),
    searched({
      table: 'webhook_deliveries',
      owner: 'project',
      key: ['endpoint_id', 'id'],
      columns: { attempts: 'json', order_key: 'id' },
      created: 'created_at',
      kind: 'log',
    }),
  ],
})
