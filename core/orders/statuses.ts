import type { ParcelStatus } from '../../plugins/carrier/model.ts'

/** Statuses of an order. */
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
/** Element of {@link orderStatuses}. */
export type OrderStatus = (typeof orderStatuses)[number]

/** Prepayment statuses of an order. Cash collected on delivery is recorded in the ledger instead. */
export const orderPaymentStatuses = ['unpaid', 'pending', 'partially_paid', 'paid', 'refunded', 'needs_attention'] as const
/** Element of {@link orderPaymentStatuses}. */
export type OrderPaymentStatus = (typeof orderPaymentStatuses)[number]

/** Status changes that a user may make. Once an order is sent, its parcel sets the status. */
export const manualTransitions: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
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

/** Statuses before a carrier has the order: lines, address and prices may still change. */
export const openStatuses: readonly OrderStatus[] = ['pending', 'confirmed', 'unreachable', 'postponed']

/** Statuses of an order that is not confirmed yet. */
export const unconfirmedStatuses: readonly OrderStatus[] = ['pending', 'unreachable', 'postponed']

/** Statuses in which nothing more of the order will be delivered. */
export const endedStatuses: readonly OrderStatus[] = ['returned', 'cancelled', 'lost']

/** State of the goods of an order: reserved, taken out of stock, or back in stock. */
export type GoodsState = 'reserved' | 'taken' | 'back'

/**
 * Order status and goods state that follow from each parcel status; null changes nothing. A parcel cancelled in Serai releases its order
 * instead.
 */
export const orderStatusByParcelStatus: Readonly<Record<ParcelStatus, { readonly order: OrderStatus; readonly goods: GoodsState } | null>> =
  {
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
