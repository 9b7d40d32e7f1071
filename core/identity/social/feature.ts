import { feature } from '../../feature.ts'
import { listProviders } from './providers/clients.ts'
import { type Keys, openKeys } from './providers/identity-token.ts'
import { leave } from './redirect.ts'
import { tellProvider } from './revoke.ts'
import { forgetOver } from './social.queries.ts'
import { social } from './social.routes.ts'
import { assertWayIn, unlinkAll } from './unlink.ts'

declare module '../../context.ts' {
  interface Services {
    readonly socialKeys: Keys
  }
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'social.forget': Record<string, unknown>
  }
}

const BATCH = 5_000

export default feature('social', {
  async setup({ outbound, signInMethods }) {
    signInMethods.social = { list: listProviders, leave: (context, request, slug, goOnTo) => leave(context, request, slug, { goOnTo }) }
    return { services: { socialKeys: openKeys(outbound) } }
  },
  routes: [social],
  jobs: {
    'social.giveUp': { work: tellProvider },
    'social.forget': {
      at: '33 * * * *',
      async work({ sql }) {
        while ((await forgetOver(sql, BATCH)) === BATCH);
      },
    },
  },
  subscribers: {
    'passkey.removed': (tx, { userId }) => assertWayIn(tx, userId),
    'person.recovered': (tx, { userId }) => unlinkAll(tx, userId),
    'person.leaving': (tx, { userId }) => unlinkAll(tx, userId),
  },
})
