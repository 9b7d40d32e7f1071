import { feature } from '../../feature.ts'
import { followParcel, forgetParcel, freeOrder } from './follow-parcel.ts'
import { orders } from './orders.routes.ts'
import { cancelOverdue } from './unconfirmed.ts'
import { logDifferences } from './verify.ts'

export default feature('orders', {
  routes: [orders],
  jobs: {
    'orders.cancelUnconfirmed': { at: '* * * * *', work: (context, _, signal) => cancelOverdue(context, signal) },
    'orders.verify': { at: '37 3 * * *', work: logDifferences },
  },
  follows: {
    'parcel.moved': (tx, { parcel, to }) => followParcel(tx, parcel, to),
    'parcel.freed': (tx, { parcel }) => freeOrder(tx, parcel),
    'parcel.removed': (tx, { parcel }) => forgetParcel(tx, parcel),
  },
})
