import { feature } from '../../feature.ts'
import { confirmation } from './confirmation.routes.ts'

/** The queue of orders that somebody calls about. Each is in it for as long as its order waits for that. */
export default feature('confirmation', {
  routes: [confirmation],
  partitions: [{ table: 'confirmation_calls', by: { column: 'order_id', ids: 'ord' }, weeks: 13, keptDays: null }],
})
