import { feature } from '../../feature.ts'
import './clients.ts'
import { type Keys, openKeys } from './identity-token.ts'
import { forgetIdentitiesOf, forgetOver } from './social.queries.ts'
import { social } from './social.routes.ts'
import { assertWayIn } from './unlink.ts'

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
  open: async ({ outbound }) => ({ services: { socialKeys: openKeys(outbound) } }),
  routes: [social],
  jobs: {
    'social.forget': {
      at: '33 * * * *',
      async work({ sql }) {
        while ((await forgetOver(sql, BATCH)) === BATCH);
      },
    },
  },
  follows: {
    'passkey.removed': (tx, { userId }) => assertWayIn(tx, userId),
    async 'person.recovered'(tx, { userId }) {
      await forgetIdentitiesOf(tx, userId)
    },
    async 'person.leaving'(tx, { userId }) {
      await forgetIdentitiesOf(tx, userId)
    },
  },
})
