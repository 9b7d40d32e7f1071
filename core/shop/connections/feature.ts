import { feature } from '../../feature.ts'
import { integrations } from './connections.routes.ts'
import { requestStalePlaces, syncPlaces } from './sync-places.ts'

export default feature('connections', {
  routes: [integrations],
  jobs: {
    'integrations.places': { work: (context, { connectionId, runs = 0 }, signal) => syncPlaces(context, connectionId, runs, signal) },
    'integrations.stalePlaces': { at: '17 2 * * *', work: requestStalePlaces },
  },
})
