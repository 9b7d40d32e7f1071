import { feature } from '../../feature.ts'
import { forgetChallenges, forgetPasskeysOf } from './passkeys.queries.ts'
import { passkeys } from './passkeys.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'passkeys.forgetChallenges': Record<string, unknown>
  }
}

export default feature('passkeys', {
  routes: [passkeys],
  jobs: {
    'passkeys.forgetChallenges': {
      at: '29 * * * *',
      async work({ sql }) {
        await forgetChallenges(sql)
      },
    },
  },
  follows: {
    async 'person.leaving'(tx, { userId }) {
      await forgetPasskeysOf(tx, userId)
    },
    async 'person.recovered'(tx, { userId }) {
      await forgetPasskeysOf(tx, userId)
    },
  },
})
