import { feature } from '../../feature.ts'
import { deletePickups } from './pickups.queries.ts'
import { pickupRoutes } from './pickups.routes.ts'
import { enqueueStaleRefreshes, refreshPickupsById } from './refresh.ts'

/** Pick-up points of carriers. */
export default feature('pickups', {
  routes: [pickupRoutes],
  jobs: {
    'pickups.refresh': { work: (context, { connectionId }, signal) => refreshPickupsById(context, connectionId, signal) },
    'pickups.refreshStale': { schedule: '23 * * * *', work: enqueueStaleRefreshes },
  },
  subscribers: { 'connection.removed': (tx, { connection }) => deletePickups(tx, connection) },
})
