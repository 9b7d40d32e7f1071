import { enqueue } from '../../data/jobs.ts'
import { feature } from '../../feature.ts'
import type { App } from '../apps/client.ts'
import { type DocumentApps, openDocumentApps } from '../apps/metadata-document.ts'
import type { CredentialCache } from '../auth/credentials/credential-cache.ts'
import { authorizePages } from './authorize/authorize.routes.ts'
import { deleteExpiredOAuthData, purgeRemovedApp } from './cleanup.ts'
import { connectedApps } from './connected-apps.routes.ts'
import { deleteGrantsOfUser } from './grants.queries.ts'
import { oauthServer } from './server.routes.ts'
import { tokenPartitions } from './tokens/partitions.ts'
import { openTokenStore, type TokenStore } from './tokens/tokens.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'oauth.deleteExpired': Record<string, unknown>
    'oauth.removeApp': { appId: string }
  }
}

declare module '../../context.ts' {
  interface Services {
    /** OAuth apps by `client_id`, cached until they change. */
    readonly clientApps: CredentialCache<App>
    readonly documentApps: DocumentApps
    readonly tokenStore: TokenStore
  }
}

export default feature('oauth', {
  partitions: tokenPartitions,
  setup: async ({ credentialCaches, sql, outbound }) => ({
    services: {
      clientApps: credentialCaches.open<App>(),
      documentApps: openDocumentApps({ sql, outbound }),
      tokenStore: openTokenStore(sql),
    },
  }),
  routes: [authorizePages, oauthServer, connectedApps],
  subscribers: {
    async 'user.deleted'(tx, { userId }) {
      await deleteGrantsOfUser(tx, userId)
    },
    async 'app.deleted'(tx, { appId }) {
      await enqueue(tx, 'oauth.removeApp', { appId }, { key: `app:${appId}`, owner: '' })
    },
    async 'user.recovered'(tx, { userId }) {
      await deleteGrantsOfUser(tx, userId)
    },
  },
  jobs: {
    'oauth.deleteExpired': { schedule: '23 3 * * *', work: ({ sql }) => deleteExpiredOAuthData(sql) },
    'oauth.removeApp': { work: ({ sql }, { appId }, signal) => purgeRemovedApp(sql, appId, signal) },
  },
})
