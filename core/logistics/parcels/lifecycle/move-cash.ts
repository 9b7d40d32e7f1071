import type { Tx } from '../../../data/sql.ts'
import { updateCashStatus } from '../parcels.queries.ts'

// These moves are decided here, for parcels that the caller has locked. Every cash status can change to either of them: `payout_confirmed`
// ends the sequence, and a cancelled payout restarts it.

/** Marks the cash of parcels as paid out. The caller must have locked the parcels. */
export const confirmCashPayout = (tx: Tx, projectId: string, parcelIds: readonly string[]) =>
  updateCashStatus(tx, projectId, parcelIds, 'payout_confirmed')

/** Marks the confirmed payout of parcels as cancelled. The caller must have locked the parcels. */
export const cancelCashPayout = (tx: Tx, projectId: string, parcelIds: readonly string[]) =>
  updateCashStatus(tx, projectId, parcelIds, 'payout_cancelled', 'payout_confirmed')
