import type { Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { invariant } from '../../lib/invariant.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { findLine } from './lines/lines.queries.ts'
import { judgeLines, post } from './lines/settle.ts'
import { holdBooks, lockPayout, notePosted, type PayoutRow } from './payouts.queries.ts'

/**
 * A person says why a line that waits is as it should be: it is posted as it is, and what it lacks is a difference. Throws `not_found`, and
 * `invalid_transition` where nothing waits, nothing arrived, or something else has to be said first.
 */
export async function acceptLine(tx: Tx, { id, connectionId }: PayoutRow, lineId: string, reason: string): Promise<void> {
  await holdBooks(tx, connectionId)
  const payout = invariant(await lockPayout(tx, id), 'A payout of a store')
  const line = await findLine(tx, id, lineId)
  if (!line) throw notFound('The line')
  if (payout.state !== 'posted' || payout.status !== 'paid')
    throw new ApiError('invalid_transition', `The payout is ${payout.status}: its lines wait for nobody.`)
  if (line.settledAt !== null) throw new ApiError('invalid_transition', 'Nothing about the line waits for a person.')
  const [judged] = await judgeLines(tx, payout, [line])
  const { outcome } = invariant(judged, 'What a line comes to')
  if (outcome === 'not_done') throw new ApiError('invalid_transition', unknownYet[line.kind === 'refund' ? 'refund' : 'payment'])
  await post(tx, payout, judged ? [judged] : [], judged ? [judged] : [], reason)
  await notePosted(tx, id)
  const { gross, net, currency } = line
  await recordAudit(
    tx,
    { storeId: payout.storeId },
    {
      what: 'payout_line.accepted',
      thing: lineId,
      after: { payout: id, outcome, gross: Number(gross), net: Number(net), currency, reason },
    },
  )
}

const unknownYet = {
  payment: 'The payment that it is of is not known to be paid. Ask the gateway for it (sync), or accept the payment, first.',
  refund: 'The refund that it is of is not known to be done. Say what became of it first.',
}
