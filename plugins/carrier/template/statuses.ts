import type { StatusRule } from 'serai/carrier'

/** Every raw status of the carrier and its meaning. An unknown status waits for a person; it is never guessed. */
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
