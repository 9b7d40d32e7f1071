import { feature } from '../../feature.ts'
import { deleteExpiredChallenges, deletePasskeysOfUser } from './passkeys.queries.ts'
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
      schedule: '29 * * * *',
      async work({ sql }) {
        await deleteExpiredChallenges(sql)
      },
    },
  },
  subscribers: {
    async 'person.leaving'(tx, { userId }) {
      await deletePasskeysOfUser(tx, userId)
    },
    async 'person.recovered'(tx, { userId }) {
      await deletePasskeysOfUser(tx, userId)
    },
  },
})
