/** Words of the page of what waits. */
export const today = {
  'today.empty': 'Nothing waits for you.',
  'today.partial': 'Something could not be counted. It is counted again in a minute.',
  'today.since': 'Since',
  'today.more': 'and more',
  'today.group.orders': 'Orders',
  'today.group.parcels': 'Parcels',
  'today.group.money': 'Money',
  'today.group.connections': 'Connections',
  'today.kind.orders_to_confirm': { one: '{count} order to confirm', other: '{count} orders to confirm' },
  'today.kind.returns_awaited': { one: '{count} return on its way', other: '{count} returns on their way' },
  'today.kind.shop_orders_unreadable': {
    one: '{count} order of a connected shop could not be read',
    other: '{count} orders of connected shops could not be read',
  },
  'today.kind.shop_orders_waiting': {
    one: '{count} order of a connected shop cannot be imported yet',
    other: '{count} orders of connected shops cannot be imported yet',
  },
  'today.kind.orders_to_send': { one: '{count} order to send', other: '{count} orders to send' },
  'today.kind.orders_not_dispatched': { one: '{count} order found no carrier', other: '{count} orders found no carrier' },
  'today.kind.parcels_refused': {
    one: '{count} parcel was refused by its carrier',
    other: '{count} parcels were refused by their carrier',
  },
  'today.kind.parcels_outcome_unknown': {
    one: '{count} parcel may or may not be with its carrier',
    other: '{count} parcels may or may not be with their carrier',
  },
  'today.kind.payouts_to_confirm': { one: '{count} payout of a carrier to confirm', other: '{count} payouts of carriers to confirm' },
  'today.kind.gateway_payouts_to_review': {
    one: '{count} payout of a gateway to look at',
    other: '{count} payouts of gateways to look at',
  },
  'today.kind.payments_to_review': { one: '{count} payment to look at', other: '{count} payments to look at' },
  'today.kind.connections_to_repair': { one: '{count} connection to repair', other: '{count} connections to repair' },
  'today.kind.statuses_unknown': {
    one: '{count} status of a carrier without a meaning',
    other: '{count} statuses of carriers without a meaning',
  },
  'today.kind.shop_goods_unmatched': {
    one: '{count} article of a connected shop without a product',
    other: '{count} articles of connected shops without a product',
  },
  'today.kind.webhooks_failing': { one: '{count} webhook fails', other: '{count} webhooks fail' },
  'today.kind.webhooks_switched_off': { one: '{count} webhook was switched off', other: '{count} webhooks were switched off' },
}
