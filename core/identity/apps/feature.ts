import { feature } from '../../feature.ts'
import { deleteAppsOf } from './apps.queries.ts'
import { apps } from './apps.routes.ts'

export default feature('apps', {
  routes: [apps],
  follows: {
    async 'person.leaving'(tx, { userId }) {
      await deleteAppsOf(tx, userId)
    },
  },
})
