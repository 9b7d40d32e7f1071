import { feature } from '../../feature.ts'
import { findStoreOfProject } from '../../shop/stores/stores.queries.ts'
import { forgetPickups } from './pickups.queries.ts'
import { pickups } from './pickups.routes.ts'
import { refreshById, refreshStale } from './refresh.ts'

/** Pick-up points of carriers. */
export default feature('pickups', {
  async setup({ homes, sql }) {
    homes.setLookup(async (projectId) => (await findStoreOfProject(sql, projectId))?.countryCode)
    return { services: {} }
  },
  routes: [pickups],
  jobs: {
    'pickups.refresh': { work: (context, { connectionId }, signal) => refreshById(context, connectionId, signal) },
    'pickups.refreshStale': { schedule: '23 * * * *', work: refreshStale },
  },
  subscribers: { 'connection.leaving': (tx, { connection }) => forgetPickups(tx, connection.id) },
})
