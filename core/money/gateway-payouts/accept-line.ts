import { storeIdOf } from '../../data/project-ids.ts'
import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { gatewayPayoutErrors } from './gateway-payouts.errors.ts'
import { findPayoutLine } from './lines/lines.queries.ts'
import { reconcileLines, recordLines } from './lines/post-payouts.ts'
import { lockConnectionPayouts, lockPayout, markPayoutPosted, type PayoutRow } from './payouts.queries.ts'

/**
 * Accepts a payout line that waits for review. Posts it as it is, with any shortfall as a difference, and records the reason in the audit
 * log. Throws `not_found`, and `invalid_transition` if the line does not wait, the payout is not posted, or its payment or refund is
 * unresolved.
 */
export async function acceptPayoutLine(tx: Tx, named: PayoutRow, lineId: string, reason: string): Promise<void> {
  await lockConnectionPayouts(tx, named.connectionId)
  const payout = invariant(await lockPayout(tx, named), 'A payout of a store')
  const line = await findPayoutLine(tx, payout, lineId)
  if (!line) throw notFound('The line')
  if (payout.state !== 'posted' || payout.status !== 'paid') throw gatewayPayoutErrors.payoutClosed({ status: payout.status })
  if (line.settledAt !== null) throw gatewayPayoutErrors.lineClosed()
  const [judged] = await reconcileLines(tx, payout, [line])
  const { outcome } = invariant(judged, 'The result of a line')
  if (outcome === 'not_done') throw gatewayPayoutErrors[line.kind === 'refund' ? 'refundUnresolved' : 'paymentUnresolved']()
  await recordLines(tx, payout, judged ? [judged] : [], judged ? [judged] : [], reason)
  await markPayoutPosted(tx, payout)
  const { gross, net, currency } = line
  await recordAudit(
    tx,
    { storeId: storeIdOf(payout.projectId) },
    {
      what: 'payout_line.accepted',
      thing: lineId,
      after: { payout: payout.id, outcome, gross: Number(gross), net: Number(net), currency, reason },
    },
  )
}
