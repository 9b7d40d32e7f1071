import { transaction } from '../../data/sql.ts'
import { feature } from '../../feature.ts'
import { expireDue, logDrift } from './inventory.jobs.ts'
import { inventory } from './inventory.routes.ts'
import { expireReservation } from './release.ts'

export default feature('inventory', {
  routes: [inventory],
  jobs: {
    'inventory.expireReservation': {
      work: ({ sql }, { projectId, reservationId }) => transaction(sql, (tx) => expireReservation(tx, projectId, reservationId)),
    },
    'inventory.expireDue': { at: '* * * * *', work: ({ sql }, _, signal) => expireDue(sql, signal) },
    'inventory.verify': { at: '17 3 * * *', work: logDrift },
  },
})
