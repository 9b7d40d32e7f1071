import { feature } from '../../feature.ts'
import { changeTriggers } from './change-triggers.ts'
import { findLag } from './changes.queries.ts'
import { startChangesLoop } from './changes-loop.ts'

/** Service that says whether the readers of changes keep up. */
export interface OrderChanges {
  /** Returns `delayed` while a change has waited for half a minute or longer. */
  state(): Promise<'ok' | 'delayed'>
}

declare module '../../context.ts' {
  interface Services {
    readonly orderChanges: OrderChanges
  }
}

const DELAYED_SECONDS = 30

/** Record of the changes of orders, and the background work that publishes them in batches as `orders.changed`. */
export default feature('order-changes', {
  triggers: changeTriggers,
  setup: async ({ sql }) => ({
    services: { orderChanges: { state: async () => ((await findLag(sql)) < DELAYED_SECONDS ? 'ok' : 'delayed') } },
  }),
  start: startChangesLoop,
})
