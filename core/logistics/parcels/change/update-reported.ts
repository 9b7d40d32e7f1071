import type { Tx } from '../../../data/sql.ts'
import { type ParcelKey, type ParcelRow, type ParcelValues, updateParcel } from '../parcels.queries.ts'

/** Columns that a carrier reports in addition to the status. */
type ReportedValues = Pick<ParcelValues, 'cashStatus' | 'lastError' | 'lastReportAt' | 'outcomeUnknown' | 'readyForPickup' | 'trackingId'>

/** Stores reported values of a parcel. The caller must have locked it. */
export const updateReportedValues = (tx: Tx, parcel: ParcelKey, noted: ReportedValues): Promise<ParcelRow> =>
  updateParcel(tx, parcel, noted)
