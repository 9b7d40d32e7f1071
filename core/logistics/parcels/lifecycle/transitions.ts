import type { ParcelStatus } from '../../../../plugins/carrier/model.ts'

const moving: readonly ParcelStatus[] = ['picked_up', 'in_transit', 'at_center', 'out_for_delivery', 'delivery_failed', 'on_hold']
const ends: readonly ParcelStatus[] = ['delivered', 'returning', 'returned', 'cancelled', 'lost']

/**
 * Where a parcel may go from each status. Carriers skip states and go back and forth between hub and courier, so any move among
 * the moving ones is taken; nothing falls back to before the carrier had it. A delivered parcel may still come back, and one on
 * its way back has been seen delivered.
 */
export const transitions: Readonly<Record<ParcelStatus, readonly ParcelStatus[]>> = {
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

/** The carrier is done with it, or will be soon: no news is asked for. */
export const settled: readonly ParcelStatus[] = ['returned', 'cancelled', 'lost']

/** Handed over, or about to be, and not at their end: whoever is to hear of them must be there. */
export const underWay: readonly ParcelStatus[] = ['submitting', 'submitted', ...moving, 'returning']

/** The timestamp that entering a status sets. */
export const stampOf: Partial<Record<ParcelStatus, 'submittedAt' | 'deliveredAt' | 'returnedAt' | 'cancelledAt'>> = {
  submitted: 'submittedAt',
  delivered: 'deliveredAt',
  returned: 'returnedAt',
  cancelled: 'cancelledAt',
}
