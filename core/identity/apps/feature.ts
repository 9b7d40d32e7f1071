import { feature } from '../../feature.ts'
import { apps } from './apps.routes.ts'
import { deleteAppsOfUser } from './apps.ts'

export default feature('apps', {
  routes: [apps],
  subscribers: {
    async 'user.deleted'(tx, { userId }) {
      await deleteAppsOfUser(tx, userId)
    },
  },
})
