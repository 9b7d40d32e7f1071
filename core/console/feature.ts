import { feature } from '../feature.ts'
import { live } from './live/live.routes.ts'
import { type LiveHub, openLiveHub } from './live/live-hub.ts'
import { liveSubscribers } from './live/subscribers.ts'
import { me } from './me/me.routes.ts'
import { deletePreferences } from './me/preferences.queries.ts'
import { preferences } from './me/preferences.routes.ts'
import { deletePrivateFilters, personalFilters } from './saved-filters/saved-filters.queries.ts'
import { savedFilters } from './saved-filters/saved-filters.routes.ts'
import { consoleActAs } from './shell/act-as.routes.ts'
import { consoleSession } from './shell/session.routes.ts'
import { consoleSetup } from './shell/setup.routes.ts'

declare module '../context.ts' {
  interface Services {
    /** Open live streams of this process. */
    readonly liveHub: LiveHub
  }
}

/** Web console: pages for people, which are a client of the public API. */
export default feature('console', {
  routes: [me, consoleSession, consoleActAs, consoleSetup, live, preferences, savedFilters],
  subscribers: {
    ...liveSubscribers,
    async 'user.deleted'(tx, { userId }) {
      await deletePrivateFilters(tx, userId)
      await deletePreferences(tx, userId)
    },
  },
  personalData: [personalFilters],
  async setup(context) {
    const liveHub = await openLiveHub(context)
    return { services: { liveHub }, close: () => liveHub.stop() }
  },
  start: async ({ liveHub }) => ({ drain: () => liveHub.drain(), stop: async () => {} }),
})
