import type { Tx } from '../../../data/sql.ts'
import { moveParcel } from '../lifecycle/move-parcel.ts'
import { listLiveParcelsOfOrder, lockParcels, type ParcelKey, type ParcelRow, type ParcelValues, updateParcel } from '../parcels.queries.ts'

/**
 * Locks and returns the parcels of an order that were not cancelled. Call it before locking the order, as moves of parcels lock in that
 * sequence.
 */
export async function lockLiveParcels(tx: Tx, projectId: string, orderId: string): Promise<readonly ParcelRow[]> {
  const live = await listLiveParcelsOfOrder(tx, projectId, orderId)
  if (live.length === 0) return live
  return lockParcels(
    tx,
    projectId,
    live.map(({ id }) => id),
  )
}

/** Changes a parcel that no carrier has, and clears the error of its last submission. */
export const updateUnsentParcel = (tx: Tx, parcel: ParcelKey, values: ParcelValues): Promise<ParcelRow> =>
  updateParcel(tx, parcel, { ...values, lastError: null })

/** Cancels a parcel that no carrier has, because its order is given up. The order of the parcel follows. */
export const cancelUnsentParcel = (tx: Tx, parcel: ParcelRow): Promise<ParcelRow> =>
  moveParcel(tx, parcel, { to: 'cancelled', source: 'api', at: new Date().toISOString() })
