import type { Tx } from '../../data/sql.ts'
import { insertEntries, undoGatewayPayout } from './entries.queries.ts'
import type { Posting } from './posting.ts'

interface OfPayout {
  readonly projectId: string
  readonly connectionId: string
  readonly payoutId: string
  readonly at: string
}

/** Money at a gateway is in the bank by now: what each line of a payout moves. Once for each line, until the payout is taken back. */
export const postPayoutLines = (tx: Tx, of: OfPayout, lines: readonly { readonly id: string; readonly posting: Posting }[]) =>
  insertEntries(
    tx,
    lines.map(({ id, posting }) => ({ ...of, kind: 'payout', parcelId: null, remittanceId: null, payoutLineId: id, posting })),
  )

/** It never arrived, or did not stay: all that it posted is undone by the opposite. */
export const takePayoutBack = (tx: Tx, { projectId, payoutId, at }: Omit<OfPayout, 'connectionId'>) =>
  undoGatewayPayout(tx, { projectId, payoutId }, at)
