import type { Tx } from '../../data/sql.ts'
import { billingErrors } from './billing.errors.ts'
import { createExtraOrdersInvoice } from './create-invoices.ts'
import { saveSubscription } from './periods/save-subscription.ts'
import { statusRules } from './statuses.ts'
import { lockSubscription, type SubscriptionRow, voidOpenInvoices } from './subscriptions.queries.ts'

/**
 * Cancels a subscription at the end of its period, or at once if `atOnce` or past due. Nothing is refunded; later payments become credit of
 * the store. Throws `invalid_transition` without a subscription or an open offer.
 */
export async function cancelSubscription(
  tx: Tx,
  storeId: string,
  { atOnce = false, now }: { atOnce?: boolean; now: number },
): Promise<SubscriptionRow> {
  const sub = await lockSubscription(tx, storeId)
  const voided = await voidOpenInvoices(tx, storeId, ['start', 'upgrade'])
  if (sub.periodEnd === null || !statusRules[sub.status].hasPlan) {
    if (voided.count > 0) return sub
    throw billingErrors.nothingToCancel()
  }
  if (atOnce || sub.status === 'past_due') return endSubscription(tx, sub, 'cancelled', now)
  await voidOpenInvoices(tx, storeId, ['renewal'])
  return saveSubscription(tx, sub, { cancels: true, nextPlan: null }, now)
}

/** Ends a subscription: the store gets the free plan. Invoices extra orders, which stay due, and voids all other open invoices. */
export async function endSubscription(
  tx: Tx,
  sub: SubscriptionRow,
  status: 'cancelled' | 'expired',
  now: number,
): Promise<SubscriptionRow> {
  await voidOpenInvoices(tx, sub.storeId, ['start', 'upgrade', 'renewal'])
  if (sub.status !== 'past_due') await createExtraOrdersInvoice(tx, sub, now)
  const none = { periodStart: null, periodEnd: null, anchor: null, rate: '0', nextPlan: null, cancels: false }
  return saveSubscription(tx, sub, { ...none, status }, now)
}
