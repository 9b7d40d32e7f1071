/** Statuses of orders, as shopkeepers say them. */
export const status = {
  'status.pending': 'To confirm',
  'status.confirmed': 'Confirmed',
  'status.unreachable': 'Unreachable',
  'status.postponed': 'Postponed',
  'status.sent': 'Sent',
  'status.out_for_delivery': 'Out for delivery',
  'status.delivered': 'Delivered',
  'status.returning': 'Coming back',
  'status.returned': 'Returned',
  'status.cancelled': 'Cancelled',
  'status.lost': 'Lost',
}
