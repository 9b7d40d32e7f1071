import type { Tx } from '../../../data/sql.ts'
import { insertEntries, undoGatewayPayout } from './entries.queries.ts'
import type { Posting } from './posting.ts'

interface PayoutRef {
  readonly projectId: string
  readonly connectionId: string
  readonly payoutId: string
  readonly at: string
}

/**
 * Posts the lines of a gateway payout that arrived at the bank. The database rejects a second entry of the same line until the payout is
 * reversed.
 */
export const postPayoutLines = (tx: Tx, of: PayoutRef, lines: readonly { readonly id: string; readonly posting: Posting }[]) =>
  insertEntries(
    tx,
    lines.map(({ id, posting }) => ({ ...of, kind: 'payout', parcelId: null, remittanceId: null, payoutLineId: id, posting })),
  )

/** Undoes all entries of a gateway payout that never arrived or was returned. */
export const reverseGatewayPayout = (tx: Tx, { projectId, payoutId, at }: Omit<PayoutRef, 'connectionId'>) =>
  undoGatewayPayout(tx, { projectId, payoutId }, at)
