import type { StatusRule } from 'serai/carrier'

/** Every raw status that the carrier is known to say, and what it means. What is not here waits for a person; it is never guessed. */
export const statuses: Readonly<Record<string, StatusRule>> = {
  registered: 'submitted',
  'in transit': 'in_transit',
  'out for delivery': 'out_for_delivery',
  'not reached': 'delivery_failed',
  delivered: { status: 'delivered', cash: 'collected' },
  'coming back': 'returning',
  returned: 'returned',
  cancelled: 'cancelled',
}
