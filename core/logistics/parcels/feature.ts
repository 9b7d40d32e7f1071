import { trackingsIn } from '../../../plugins/carrier/rows.model.ts'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { sweepBatches } from './batch/sweep.ts'
import { workBatches } from './batch/work.ts'
import { tellLostTurns } from './carrier-turn.ts'
import { removeByTracking, removeMany, removeNamed } from './change/remove-by-tracking.ts'
import { scoring } from './figures/figures.ts'
import { letNoParcelDown } from './leaving.ts'
import { events } from './lifecycle/events.ts'
import type { Outcomes } from './lifecycle/outcomes.ts'
import { openOutcomes } from './lifecycle/outcomes.ts'
import { parcels } from './parcels.routes.ts'
import { personalParcels, secondPhonesOfParcels } from './personal-data.queries.ts'
import { startSender } from './submission/sender.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'parcels.sweep': Record<string, unknown>
  }
}

declare module '../../context.ts' {
  interface Services {
    readonly outcomes: Outcomes
  }
}

/** Parcels of projects, from creation to delivery or return. */
export default feature('parcels', {
  routes: [parcels],
  events,
  operations: {
    carrier: {
      scoring: (context, { connection, body }) => scoring(context, connection, body.phone),
      remove: (context, { connection, params }) => removeByTracking(context, connection, params.tracking),
      removeMany: (context, { connection, query }) => removeNamed(context, connection, query.trackingIds ?? query.trackings ?? ''),
      deleteMany: (context, { connection, body }) => removeMany(context, connection, trackingsIn(body)),
    },
  },
  async setup({ shared }) {
    const outcomes = await openOutcomes(shared)
    return { services: { outcomes }, close: () => outcomes.close() }
  },
  start: startSender,
  jobs: {
    'parcels.batch': { work: (context, { projectId }, signal) => workBatches(context, projectId, signal) },
    // Continues the work of processes that died.
    'parcels.sweep': {
      schedule: '* * * * *',
      async work(context) {
        await tellLostTurns(context.sql)
        await sweepBatches(context)
      },
    },
  },
  partitions: [{ table: 'parcel_events', by: { column: 'parcel_id', ids: 'par' }, weeks: 13, retentionDays: null }],
  subscribers: letNoParcelDown,
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
