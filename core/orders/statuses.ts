import type { ParcelStatus } from '../../plugins/carrier/model.ts'

export const orderStatuses = [
  'pending',
  'confirmed',
  'unreachable',
  'postponed',
  'sent',
  'out_for_delivery',
  'delivered',
  'returning',
  'returned',
  'cancelled',
  'lost',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** How an order is paid before its parcel is delivered. What is collected at the door counts with the cash. */
export const orderPaymentStatuses = ['unpaid', 'pending', 'partially_paid', 'paid', 'refunded', 'needs_attention'] as const
export type OrderPaymentStatus = (typeof orderPaymentStatuses)[number]

/** What a person may do by hand. After sending, the parcel moves the order. */
export const byHand: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['confirmed', 'unreachable', 'postponed', 'cancelled'],
  confirmed: ['pending', 'unreachable', 'postponed', 'cancelled'],
  unreachable: ['pending', 'confirmed', 'postponed', 'cancelled'],
  postponed: ['pending', 'confirmed', 'unreachable', 'cancelled'],
  sent: [],
  out_for_delivery: [],
  delivered: [],
  returning: [],
  returned: [],
  cancelled: ['pending'],
  lost: [],
}

/** Not yet with a carrier: lines, address and prices may still change. */
export const open: readonly OrderStatus[] = ['pending', 'confirmed', 'unreachable', 'postponed']

/** Nobody has confirmed it yet. */
export const waiting: readonly OrderStatus[] = ['pending', 'unreachable', 'postponed']

/** Nothing more is delivered of it. */
export const ended: readonly OrderStatus[] = ['returned', 'cancelled', 'lost']

/** What becomes of the goods that an order holds: still reserved, gone from the shelf, or back on it. */
export type Goods = 'reserved' | 'taken' | 'back'

/** What a parcel's status says about its order. A parcel that was cancelled here sets the order free to be sent again. */
export const byParcel: Readonly<Record<ParcelStatus, { readonly order: OrderStatus; readonly goods: Goods } | null>> = {
  created: null,
  submitting: null,
  submitted: { order: 'sent', goods: 'reserved' },
  picked_up: { order: 'sent', goods: 'taken' },
  in_transit: { order: 'sent', goods: 'taken' },
  at_center: { order: 'sent', goods: 'taken' },
  out_for_delivery: { order: 'out_for_delivery', goods: 'taken' },
  delivery_failed: { order: 'sent', goods: 'taken' },
  on_hold: { order: 'sent', goods: 'taken' },
  delivered: { order: 'delivered', goods: 'taken' },
  returning: { order: 'returning', goods: 'taken' },
  returned: { order: 'returned', goods: 'back' },
  cancelled: { order: 'cancelled', goods: 'back' },
  lost: { order: 'lost', goods: 'taken' },
}
