import type { Tx } from '../../data/sql.ts'
import { moveParcel } from './move.ts'
import { findLiveOfOrder, lockParcel, type ParcelRow, type ParcelValues, updateParcel } from './parcels.queries.ts'

/** The order's parcel that was not cancelled, held until the transaction ends. Before the order: what moves a parcel holds it while its order follows. */
export async function holdLive(tx: Tx, orderId: string): Promise<ParcelRow | undefined> {
  const live = await findLiveOfOrder(tx, orderId)
  return live && lockParcel(tx, live.id)
}

/** Changes a parcel that no carrier has; why the last one did not take it is forgotten. */
export const amend = (tx: Tx, parcelId: string, values: ParcelValues): Promise<ParcelRow> =>
  updateParcel(tx, parcelId, { ...values, lastError: null })

/** Its order was given up: a parcel that no carrier has is cancelled with it, and takes the order along. */
export const giveUp = (tx: Tx, parcel: ParcelRow): Promise<ParcelRow> =>
  moveParcel(tx, parcel, { to: 'cancelled', source: 'api', at: new Date().toISOString() })
