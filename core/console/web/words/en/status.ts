/** Statuses of orders, as shopkeepers say them, and the risk that a delivery comes back. */
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
  'risk.tag': 'Risk',
  'risk.high': '{refused} of {ended} deliveries came back. Call before you send.',
  'risk.low': '{refused} of {ended} deliveries came back.',
  'risk.rule': 'A risk: at least 3 deliveries ended, and half of them or more came back.',
}
