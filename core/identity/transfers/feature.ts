import { feature } from '../../feature.ts'
import { cancelTransfers, deleteTransfersOfUser } from './transfers.queries.ts'
import { transfers } from './transfers.routes.ts'

export default feature('transfers', {
  routes: [transfers],
  subscribers: {
    // Somebody who knew the previous password may have started a transfer to themselves.
    async 'user.password_changed'(tx, { userId }) {
      await cancelTransfers(tx, userId)
    },
    async 'user.deleted'(tx, { userId }) {
      await deleteTransfersOfUser(tx, userId)
    },
  },
})
