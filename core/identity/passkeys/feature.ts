import { feature } from '../../feature.ts'
import { deleteExpiredChallenges, deletePasskeysOfUser } from './passkeys.queries.ts'
import { passkeys } from './passkeys.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'passkeys.deleteExpiredChallenges': Record<string, unknown>
  }
}

export default feature('passkeys', {
  routes: [passkeys],
  jobs: {
    'passkeys.deleteExpiredChallenges': {
      schedule: '29 * * * *',
      async work({ sql }) {
        await deleteExpiredChallenges(sql)
      },
    },
  },
  subscribers: {
    async 'user.deleted'(tx, { userId }) {
      await deletePasskeysOfUser(tx, userId)
    },
    async 'user.recovered'(tx, { userId }) {
      await deletePasskeysOfUser(tx, userId)
    },
  },
})
