import type { Tx } from '../../../data/sql.ts'
import { updateCash } from '../parcels.queries.ts'

// What was decided here moves the cash of parcels that the caller holds. Every status may go to either of these: to have been paid is
// the end of the axis, and a cancelled payout starts it again.

export const confirmCash = (tx: Tx, projectId: string, parcelIds: readonly string[]) =>
  updateCash(tx, projectId, parcelIds, 'payout_confirmed')

export const cancelCash = (tx: Tx, projectId: string, parcelIds: readonly string[]) =>
  updateCash(tx, projectId, parcelIds, 'payout_cancelled', 'payout_confirmed')
