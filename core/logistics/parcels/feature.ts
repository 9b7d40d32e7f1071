import { trackingsIn } from '../../../plugins/carrier/rows.model.ts'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { processBatches } from './batch/process-batches.ts'
import { sweepBatches } from './batch/sweep.ts'
import { removeByTracking, removeByTrackingList, removeManyByTracking } from './change/remove-by-tracking.ts'
import { expireChangeLeases } from './change-lease.ts'
import { readRecipientScore } from './figures/statistics.ts'
import { parcelEvents } from './lifecycle/events.ts'
import type { OutcomeNotifier } from './lifecycle/outcome-notifier.ts'
import { openOutcomeNotifier } from './lifecycle/outcome-notifier.ts'
import { parcelRoutes } from './parcels.routes.ts'
import { personalParcels, secondPhonesOfParcels } from './personal-data.queries.ts'
import { removalVetoes } from './removal-vetoes.ts'
import { startSender } from './submission/sender.ts'
import { expireLeasesOfDeadProcesses } from './submission/submission.queries.ts'
import { countRefusedParcels, countUnknownOutcomes } from './submission/waiting.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'parcels.sweep': Record<string, unknown>
  }
}

declare module '../../context.ts' {
  interface Services {
    readonly outcomeNotifier: OutcomeNotifier
  }
}

/** Parcels of projects, from creation to delivery or return. */
export default feature('parcels', {
  routes: [parcelRoutes],
  events: parcelEvents,
  operations: {
    carrier: {
      scoring: (context, { connection, body }) => readRecipientScore(context, connection, body.phone),
      remove: (context, { connection, params }) => removeByTracking(context, connection, params.tracking),
      removeMany: (context, { connection, query }) => removeByTrackingList(context, connection, query.trackingIds ?? query.trackings ?? ''),
      deleteMany: (context, { connection, body }) => removeManyByTracking(context, connection, trackingsIn(body)),
    },
  },
  async setup({ shared }) {
    const outcomeNotifier = await openOutcomeNotifier(shared)
    return { services: { outcomeNotifier }, close: () => outcomeNotifier.close() }
  },
  start: startSender,
  jobs: {
    'parcels.batch': { work: (context, { projectId }, signal) => processBatches(context, projectId, signal) },
    // Continues the work of processes that died.
    'parcels.sweep': {
      schedule: '* * * * *',
      async work(context) {
        await expireChangeLeases(context.sql)
        await sweepBatches(context)
      },
    },
  },
  partitions: [{ table: 'parcel_events', by: { column: 'parcel_id', ids: 'par' }, weeks: 13, retentionDays: null }],
  subscribers: { ...removalVetoes, 'process.died': expireLeasesOfDeadProcesses },
  attention: [
    {
      kind: 'parcels_outcome_unknown',
      meaning: 'The carrier may or may not have these: ask it, then decide.',
      group: 'parcels',
      right: ['agent', 'parcels:write'],
      count: countUnknownOutcomes,
    },
    {
      kind: 'parcels_refused',
      meaning: 'The carrier did not accept these: correct what it names, then send again.',
      group: 'parcels',
      right: ['agent', 'parcels:write'],
      count: countRefusedParcels,
    },
  ],
  personalData: [
    personalParcels,
    secondPhonesOfParcels,
    eraseBySearch({ table: 'parcel_events', owner: 'parcel', key: ['parcel_id', 'id'], columns: { payload: 'json' } }),
    eraseBySearch({
      table: 'parcel_batch_rows',
      owner: 'project',
      key: ['batch_id', 'row:integer'],
      columns: { input: 'json', error: 'json', parcel_id: 'id', reference: 'id' },
      kind: 'log',
    }),
  ],
})
