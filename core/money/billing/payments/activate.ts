import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { pollPaymentsUnderWay } from '../../payments/events/poll-payment.ts'
import { billingErrors } from '../billing.errors.ts'
import { choosePlan } from '../choose-plan.ts'
import { statusRules } from '../statuses.ts'
import { listOpenInvoices, lockSubscription } from '../subscriptions.queries.ts'
import { subscriptionRef } from './subscription-payable.ts'

/** Polls payments under way, then resumes a cancelled subscription. Throws `payment_required` while an invoice is overdue. */
export async function activateSubscription(context: Context, storeId: string): Promise<void> {
  await pollPaymentsUnderWay(context, subscriptionRef(storeId))
  await transaction(context.sql, async (tx) => {
    const now = Date.now()
    const sub = await lockSubscription(tx, storeId)
    if ((await listOpenInvoices(tx, storeId, now)).some(({ dueAt }) => Date.parse(dueAt) <= now)) throw billingErrors.invoicesUnpaid()
    if (statusRules[sub.status].hasPlan) await choosePlan(tx, storeId, sub.plan, { now })
  })
}
