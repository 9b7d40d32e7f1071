import { feature } from '../../feature.ts'
import { forgetTransfersOf } from './transfers.queries.ts'
import { transfers } from './transfers.routes.ts'

export default feature('transfers', {
  routes: [transfers],
  follows: {
    async 'person.leaving'(tx, { userId }) {
      await forgetTransfersOf(tx, userId)
    },
  },
})
