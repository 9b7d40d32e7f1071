import { feature } from '../../feature.ts'
import { forgetTransfersOf, takeBackTransfers } from './transfers.queries.ts'
import { transfers } from './transfers.routes.ts'

export default feature('transfers', {
  routes: [transfers],
  subscribers: {
    // Whoever knew the password before may have offered all to himself.
    async 'person.passwordNew'(tx, { userId }) {
      await takeBackTransfers(tx, userId)
    },
    async 'person.leaving'(tx, { userId }) {
      await forgetTransfersOf(tx, userId)
    },
  },
})
