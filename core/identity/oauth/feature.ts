import { enqueue } from '../../data/jobs.ts'
import { feature } from '../../feature.ts'
import type { App } from '../apps/client.ts'
import { type DocumentApps, openDocumentApps } from '../apps/metadata-document.ts'
import type { Memory } from '../auth/credentials/credential-cache.ts'
import { authorizePages } from './authorize/authorize.routes.ts'
import type { SignInWays } from './authorize/ways.ts'
import { keepHouse, removeApp } from './cleanup.ts'
import { connectedApps } from './connected.routes.ts'
import { deleteGrantsOf } from './grants.queries.ts'
import { oauthServer } from './server.routes.ts'
import { tokenTables } from './tokens/partitions.ts'
import { openTokens, type Tokens } from './tokens/tokens.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'oauth.keepHouse': Record<string, unknown>
    'oauth.removeApp': { appId: string }
  }
}

declare module '../../context.ts' {
  interface Services {
    /** OAuth apps by `client_id`, cached until they change. */
    readonly clientApps: Memory<App>
    readonly documentApps: DocumentApps
    readonly signInMethods: SignInWays
    readonly tokens: Tokens
  }
}

export default feature('oauth', {
  partitions: tokenTables,
  setup: async ({ credentialCaches, sql, outbound }) => ({
    services: {
      clientApps: credentialCaches.open<App>(),
      documentApps: openDocumentApps({ sql, outbound }),
      tokens: openTokens(sql),
      signInMethods: {},
    },
  }),
  routes: [authorizePages, oauthServer, connectedApps],
  subscribers: {
    async 'person.leaving'(tx, { userId }) {
      await deleteGrantsOf(tx, userId)
    },
    async 'app.leaving'(tx, { appId }) {
      await enqueue(tx, 'oauth.removeApp', { appId }, { key: `app:${appId}`, owner: '' })
    },
    async 'person.recovered'(tx, { userId }) {
      await deleteGrantsOf(tx, userId)
    },
  },
  jobs: {
    'oauth.keepHouse': { at: '23 3 * * *', work: ({ sql }) => keepHouse(sql) },
    'oauth.removeApp': { work: ({ sql }, { appId }, signal) => removeApp(sql, appId, signal) },
  },
})
