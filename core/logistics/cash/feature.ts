import { feature } from '../../feature.ts'
import { cash } from './cash.routes.ts'
import { followCash, learnFee, restateAmount } from './follow-parcel.ts'
import { logDifferences } from './verify.ts'

export default feature('cash', {
  routes: [cash],
  jobs: { 'cash.verify': { at: '27 4 * * *', work: logDifferences } },
  follows: {
    'parcel.moved': (tx, { parcel, ...move }) => followCash(tx, parcel, move),
    'parcel.restated': (tx, { parcel }) => restateAmount(tx, parcel),
    'carrier.fee_learnt': (tx, { parcel, fee }) => learnFee(tx, parcel, fee),
  },
})
