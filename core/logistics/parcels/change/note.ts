import type { Tx } from '../../../data/sql.ts'
import { type ParcelKey, type ParcelRow, type ParcelValues, updateParcel } from '../parcels.queries.ts'

/** What a carrier's word tells of a parcel beside its status. */
type Noted = Pick<ParcelValues, 'cashStatus' | 'lastError' | 'lastReportAt' | 'outcomeUnknown' | 'readyForPickup' | 'trackingId'>

/** Keeps it with the parcel, which the caller holds. */
export const note = (tx: Tx, parcel: ParcelKey, noted: Noted): Promise<ParcelRow> => updateParcel(tx, parcel, noted)
