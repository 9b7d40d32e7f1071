import type { Queryable } from '../data/sql.ts'
import { type ParcelRow, updateParcel } from './parcels.queries.ts'

/** Gives a parcel that no carrier has to another one; why the last one did not take it is forgotten. */
export const reassign = (tx: Queryable, parcelId: string, to: { id: string; key: string }): Promise<ParcelRow> =>
  updateParcel(tx, parcelId, { carrierAccountId: to.id, courierId: to.key, lastError: null })
