import { feature } from '../../feature.ts'
import { admins } from './admins.routes.ts'
import { notifications } from './notifications.routes.ts'
import { deleteNotificationsOfUser, deleteOldNotifications, personalNotifications } from './users.queries.ts'
import { users } from './users.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'users.deleteOldNotifications': Record<string, unknown>
  }
}

const KEPT_DAYS = 90
const BATCH = 5_000

export default feature('users', {
  routes: [users, admins, notifications],
  jobs: {
    'users.deleteOldNotifications': {
      schedule: '49 3 * * *',
      async work({ sql }) {
        while ((await deleteOldNotifications(sql, KEPT_DAYS, BATCH)) === BATCH);
      },
    },
  },
  subscribers: {
    async 'user.deleted'(tx, { userId }) {
      await deleteNotificationsOfUser(tx, userId)
    },
  },
  personalData: [personalNotifications],
})
