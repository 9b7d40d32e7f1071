import { feature } from '../../feature.ts'
import { type SocialProviderList, socialProviderList } from './providers/clients.ts'
import { openProviderKeys, type ProviderKeys } from './providers/identity-token.ts'
import { revokeAtProvider } from './revoke.ts'
import { deleteExpiredFlows } from './social.queries.ts'
import { social } from './social.routes.ts'
import { assertSignInMethodLeft, unlinkAllProviders } from './unlink.ts'

declare module '../../context.ts' {
  interface Services {
    readonly listSocialProviders: SocialProviderList
    readonly providerKeys: ProviderKeys
  }
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'social.deleteExpired': Record<string, unknown>
  }
}

const BATCH = 5_000

export default feature('social', {
  setup: async (context) => ({
    services: { providerKeys: openProviderKeys(context.outbound), listSocialProviders: socialProviderList(context) },
  }),
  routes: [social],
  jobs: {
    'social.revoke': { work: revokeAtProvider },
    'social.deleteExpired': {
      schedule: '33 * * * *',
      async work({ sql }) {
        while ((await deleteExpiredFlows(sql, BATCH)) === BATCH);
      },
    },
  },
  subscribers: {
    'passkey.removed': (tx, { userId }) => assertSignInMethodLeft(tx, userId),
    'user.recovered': (tx, { userId }) => unlinkAllProviders(tx, userId),
    'user.deleted': (tx, { userId }) => unlinkAllProviders(tx, userId),
  },
})
