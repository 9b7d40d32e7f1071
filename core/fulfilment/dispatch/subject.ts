import type { OrderRow } from '../../orders/orders.queries.ts'

/** Order to dispatch, or the unsent rest of one. */
export interface DispatchSubject {
  readonly order: OrderRow
  readonly stateCode: string
  readonly deliveryType: OrderRow['destination']['deliveryType']
  readonly weightKg: number
  /** Amount to collect. */
  readonly amount: number
  /** Currency of the amount. */
  readonly currency: string
}
