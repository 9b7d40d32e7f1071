import type { Queryable } from '../data/sql.ts'
import { ApiError } from '../http/errors.ts'
import { moveParcel } from './move.ts'
import { findLiveOfOrder, lockParcel, type ParcelRow, type ParcelValues, updateParcel } from './parcels.queries.ts'

/** The order's parcel that was not cancelled, held until the transaction ends. Taken before the order: what moves a parcel holds it while its order follows. */
export async function holdLive(tx: Queryable, orderId: string): Promise<ParcelRow | undefined> {
  const live = await findLiveOfOrder(tx, orderId)
  return live && lockParcel(tx, live.id)
}

/**
 * The parcel of an order that no carrier has, held until the transaction ends; undefined where the order has none, or one that is with
 * a carrier. While it is being handed over nothing may be decided about it: `outcome_unknown`.
 */
export async function lockUnsent(tx: Queryable, orderId: string): Promise<ParcelRow | undefined> {
  const parcel = await holdLive(tx, orderId)
  if (parcel?.status === 'submitting') {
    throw new ApiError(
      'outcome_unknown',
      'The order is being handed over; whether the carrier has it is not known yet. Try again in a minute.',
    )
  }
  return parcel?.status === 'created' ? parcel : undefined
}

/** Changes a parcel that no carrier has; why the last one did not take it is forgotten. */
export const amend = (tx: Queryable, parcelId: string, values: ParcelValues): Promise<ParcelRow> =>
  updateParcel(tx, parcelId, { ...values, lastError: null })

/** Its order was given up: a parcel that no carrier has is cancelled with it, and takes the order along. */
export const giveUp = (tx: Queryable, parcel: ParcelRow): Promise<ParcelRow> =>
  moveParcel(tx, parcel, { to: 'cancelled', source: 'api', at: new Date().toISOString() })
