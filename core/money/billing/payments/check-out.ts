import type { Context } from '../../../context.ts'
import { type Queryable, type Tx, transaction } from '../../../data/sql.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { PaymentRow } from '../../payments/payments.model.ts'
import { listPaymentsUnderWay } from '../../payments/payments.queries.ts'
import { openCheckout } from '../../payments/start/open-checkout.ts'
import { choosePlan } from '../choose-plan.ts'
import { lockStoreSubscription } from '../periods/save-subscription.ts'
import type { NewSubscriptionCheckout } from '../subscriptions.model.ts'
import { listOpenInvoices, voidPlanOffer } from '../subscriptions.queries.ts'
import { claimDuePayment } from './begin-payment.ts'
import { findAmountDue } from './due.ts'
import { subscriptionRef } from './subscription-payable.ts'

/**
 * Chooses a plan and starts its payment. Null if nothing is due. Withdraws a new offer of the plan if no checkout page could be created.
 */
export async function checkOutPlan(
  context: Context,
  store: Store,
  { plan, ...asked }: NewSubscriptionCheckout,
): Promise<PaymentRow | null> {
  const { sql } = context
  // One transaction: a concurrent request that is refused sees the claim, and leaves the plan chosen.
  const { wasOffered, claimed } = await transaction(sql, async (tx) => {
    await lockStoreSubscription(tx, store.id)
    const wasOffered = await isOffered(tx, store.id, plan)
    await choosePlan(tx, store.id, plan, { now: Date.now() })
    return { wasOffered, claimed: await claimDuePayment(context, tx, store, asked) }
  })
  if (!claimed) return null
  return openCheckout(context, claimed).catch(async (error) => {
    if (!wasOffered) await transaction(sql, (tx) => withdrawOffer(tx, store.id, plan))
    throw error
  })
}

const isOffered = async (sql: Queryable, storeId: string, plan: string) =>
  (await listOpenInvoices(sql, storeId, Date.now())).some((invoice) => invoice.plan === plan && invoice.voidAt !== null)

/** Voids the offer of a plan, unless a concurrent request has or gets a checkout page that covers it. */
async function withdrawOffer(tx: Tx, storeId: string, plan: string): Promise<void> {
  await lockStoreSubscription(tx, storeId)
  const now = Date.now()
  const due = await findAmountDue(tx, storeId, now)
  const coversDue = ({ checkoutUrl, askingUntil, amount, currency }: PaymentRow) =>
    (checkoutUrl !== null || (askingUntil !== null && Date.parse(askingUntil) > now)) &&
    currency === due?.currency &&
    decimal(amount) >= due.amount
  if (!(await listPaymentsUnderWay(tx, subscriptionRef(storeId))).some(coversDue)) await voidPlanOffer(tx, storeId, plan)
}
