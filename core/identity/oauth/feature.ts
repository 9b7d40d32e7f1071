import { feature } from '../../feature.ts'
import { authorizePages } from './authorize.routes.ts'
import { connectedApps } from './connected.routes.ts'
import { deleteGrantsOf } from './grants.queries.ts'
import { keepHouse, tokenTables } from './keeping.ts'
import { oauthServer } from './server.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'oauth.keepHouse': Record<string, unknown>
  }
}

export default feature('oauth', {
  partitions: tokenTables,
  routes: [authorizePages, oauthServer, connectedApps],
  follows: {
    async 'person.leaving'(tx, { userId }) {
      await deleteGrantsOf(tx, userId)
    },
  },
  jobs: { 'oauth.keepHouse': { at: '23 3 * * *', work: ({ sql }) => keepHouse(sql) } },
})
