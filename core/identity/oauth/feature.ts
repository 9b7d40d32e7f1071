import { feature } from '../../feature.ts'
import { authorizePages } from './authorize.routes.ts'
import { connectedApps } from './connected.routes.ts'
import { keepHouse, makeRoom } from './keeping.ts'
import { oauthServer } from './server.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'oauth.keepHouse': Record<string, unknown>
  }
}

export default feature('oauth', {
  // However long nobody was here: without room no token can be given.
  async open({ sql }) {
    await makeRoom(sql)
    return { services: {} }
  },
  routes: [authorizePages, oauthServer, connectedApps],
  jobs: { 'oauth.keepHouse': { at: '23 3 * * *', work: ({ sql }) => keepHouse(sql) } },
})
