import type { OrderRow } from '../../orders/orders.queries.ts'

/** An order, or what is left of it, as it would be sent. */
export interface Subject {
  readonly order: OrderRow
  readonly stateCode: string
  readonly deliveryType: OrderRow['destination']['deliveryType']
  readonly weightKg: number
  /** What is collected. */
  readonly amount: number
  /** What the amount is in. */
  readonly currency: string
}
