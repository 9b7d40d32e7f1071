import type { Tx } from '../../../data/sql.ts'
import { moveParcel } from '../lifecycle/move.ts'
import { listLiveOfOrder, lockParcels, type ParcelKey, type ParcelRow, type ParcelValues, updateParcel } from '../parcels.queries.ts'

/** The order's parcels that were not cancelled, held until the transaction ends. Before the order: what moves a parcel holds it while its order follows. */
export async function holdLive(tx: Tx, projectId: string, orderId: string): Promise<readonly ParcelRow[]> {
  const live = await listLiveOfOrder(tx, projectId, orderId)
  if (live.length === 0) return live
  return lockParcels(
    tx,
    projectId,
    live.map(({ id }) => id),
  )
}

/** Changes a parcel that no carrier has; why the last one did not take it is forgotten. */
export const amend = (tx: Tx, parcel: ParcelKey, values: ParcelValues): Promise<ParcelRow> =>
  updateParcel(tx, parcel, { ...values, lastError: null })

/** Its order was given up: a parcel that no carrier has is cancelled with it, and takes the order along. */
export const giveUp = (tx: Tx, parcel: ParcelRow): Promise<ParcelRow> =>
  moveParcel(tx, parcel, { to: 'cancelled', source: 'api', at: new Date().toISOString() })
