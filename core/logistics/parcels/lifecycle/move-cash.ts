import type { Tx } from '../../../data/sql.ts'
import { updateCash } from '../parcels.queries.ts'

// These moves are decided here, for parcels that the caller has locked. Every cash status can change to either of them: `payout_confirmed`
// ends the sequence, and a cancelled payout restarts it.

/** Marks the cash of parcels as paid out. The caller must have locked the parcels. */
export const confirmCash = (tx: Tx, projectId: string, parcelIds: readonly string[]) =>
  updateCash(tx, projectId, parcelIds, 'payout_confirmed')

/** Marks the confirmed payout of parcels as cancelled. The caller must have locked the parcels. */
export const cancelCash = (tx: Tx, projectId: string, parcelIds: readonly string[]) =>
  updateCash(tx, projectId, parcelIds, 'payout_cancelled', 'payout_confirmed')
