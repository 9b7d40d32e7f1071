import type { Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { askExtraOrders } from './ask.ts'
import { keep } from './periods/keep.ts'
import { statuses } from './statuses.ts'
import { lockSubscription, type SubscriptionRow, voidOpen } from './subscriptions.queries.ts'

/**
 * The subscription ends with its period, or at once; a period that is over is not waited for again. Nothing is given back, and what is paid
 * afterwards stays to the store's credit. Throws `invalid_transition` where nothing goes on that could end.
 */
export async function cancel(
  tx: Tx,
  storeId: string,
  { atOnce = false, now }: { atOnce?: boolean; now: number },
): Promise<SubscriptionRow> {
  const sub = await lockSubscription(tx, storeId)
  const wasOffered = await voidOpen(tx, storeId, ['start', 'upgrade'])
  if (sub.periodEnd === null || !statuses[sub.status].hasPlan) {
    if (wasOffered.count > 0) return sub
    throw new ApiError('invalid_transition', 'The store has no subscription that could end.')
  }
  if (atOnce || sub.status === 'past_due') return finish(tx, sub, 'cancelled', now)
  await voidOpen(tx, storeId, ['renewal'])
  return keep(tx, sub, { cancels: true, nextPlan: null }, now)
}

/** It is over: the store has the free plan. What its orders beyond the limit came to stays due. */
export async function finish(tx: Tx, sub: SubscriptionRow, status: 'cancelled' | 'expired', now: number): Promise<SubscriptionRow> {
  await voidOpen(tx, sub.storeId, ['start', 'upgrade', 'renewal'])
  if (sub.status !== 'past_due') await askExtraOrders(tx, sub, now)
  const none = { periodStart: null, periodEnd: null, anchor: null, rate: '0', nextPlan: null, cancels: false }
  return keep(tx, sub, { ...none, status }, now)
}
