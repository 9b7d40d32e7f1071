import type { ParcelStatus } from '../../../../plugins/carrier/model.ts'

const moving: readonly ParcelStatus[] = ['picked_up', 'in_transit', 'at_center', 'out_for_delivery', 'delivery_failed', 'on_hold']
const ends: readonly ParcelStatus[] = ['delivered', 'returning', 'returned', 'cancelled', 'lost']

/**
 * Allowed status changes. Carriers skip statuses and move parcels back and forth, so any change among the moving statuses is allowed. No
 * parcel falls back to before its carrier had it. A delivered parcel may be returned, and a returning one may be delivered.
 */
export const parcelTransitions: Readonly<Record<ParcelStatus, readonly ParcelStatus[]>> = {
  created: ['submitting', 'submitted', 'cancelled'],
  submitting: ['submitted', 'created', 'cancelled', ...moving, ...ends],
  submitted: [...moving, ...ends],
  picked_up: [...moving, ...ends],
  in_transit: [...moving, ...ends],
  at_center: [...moving, ...ends],
  out_for_delivery: [...moving, ...ends],
  delivery_failed: [...moving, ...ends],
  on_hold: [...moving, ...ends],
  delivered: ['returning', 'returned'],
  returning: ['at_center', 'out_for_delivery', 'delivered', 'returned', 'lost'],
  returned: [],
  cancelled: [],
  lost: [],
}

/** Statuses after which the carrier reports nothing more: these parcels are not polled. */
export const finalParcelStatuses: readonly ParcelStatus[] = ['returned', 'cancelled', 'lost']

/** Statuses of parcels that are submitted or being submitted, and have not ended. Their store and connection must stay. */
export const underWayStatuses: readonly ParcelStatus[] = ['submitting', 'submitted', ...moving, 'returning']

/** Timestamp column that a new status sets. */
export const timestampOf: Partial<Record<ParcelStatus, 'submittedAt' | 'deliveredAt' | 'returnedAt' | 'cancelledAt'>> = {
  submitted: 'submittedAt',
  delivered: 'deliveredAt',
  returned: 'returnedAt',
  cancelled: 'cancelledAt',
}
