import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { projectIdOf } from '../../../data/project-ids.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import { billingErrors } from '../billing.errors.ts'
import { choosePlan, planChangeTime } from '../choose-plan.ts'
import { payDueInvoices } from '../periods/pay-invoices.ts'
import type { InAppPurchase } from '../subscriptions.model.ts'
import {
  findPlanInForce,
  findPlanOfProduct,
  findReceiptUser,
  insertCredit,
  insertReceiptIfUnused,
  lockSubscription,
  type PlanRow,
  type SubscriptionRow,
} from '../subscriptions.queries.ts'
import { purchaseKeyOf } from './apply-refund.ts'
import { inAppErrors } from './in-app.errors.ts'
import type { PlayPurchase } from './play-store.ts'
import { inAppAccountOf, type VerifiedPurchase } from './verified-purchase.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.acknowledge': PlayPurchase
  }
}

type Shop = InAppPurchase['shop']

/**
 * Redeems a month that was bought in an app. Its price becomes credit of the store, which pays for the plan or its next month. A receipt
 * counts once, for the store that it was bought for; repeating the call changes nothing. Throws `receipt_refused`, `receipt_used`,
 * `adapter_not_enabled`.
 */
export async function redeemPurchase(context: Context, storeId: string, purchase: InAppPurchase): Promise<SubscriptionRow> {
  const { sql, appStores } = context
  // Calls the app store before anything is locked.
  const receipt = await (purchase.shop === 'app_store'
    ? appStores.app_store.verifyPurchase(purchase.transaction)
    : appStores.play_store.verifyPurchase(purchase))
  if (receipt.account?.toLowerCase() !== inAppAccountOf(storeId)) throw inAppErrors.purchaseOfOtherStore()
  return transaction(sql, async (tx) => {
    const plan = await findPlanOfProduct(tx, purchase.shop, receipt.product)
    if (!plan) throw inAppErrors.productUnknown()
    const sub = await applyReceipt(tx, storeId, purchase.shop, receipt, plan)
    if (purchase.shop === 'play_store') {
      const { kind, product, purchaseToken } = purchase
      await enqueue(tx, 'subscriptions.acknowledge', { kind, product, purchaseToken }, { key: `receipt:${receipt.transactionId}` })
    }
    return sub
  })
}

async function applyReceipt(tx: Tx, storeId: string, shop: Shop, { transactionId, product, months }: VerifiedPurchase, plan: PlanRow) {
  const now = Date.now()
  const sub = await lockSubscription(tx, storeId)
  if (!(await insertReceiptIfUnused(tx, { shop, transactionId, forProject: projectIdOf(storeId), product }))) {
    const user = await findReceiptUser(tx, shop, transactionId)
    if (user === projectIdOf(storeId)) return sub
    if (user === '') throw inAppErrors.purchaseRefunded()
    throw billingErrors.receiptUsed()
  }
  const amount = decimalText(decimal(plan.price) * BigInt(months))
  const about = purchaseKeyOf({ shop, transactionId })
  await insertCredit(tx, { storeId, id: newId('scr'), kind: 'in_app', amount, currency: plan.currency, about })
  const settled = await payDueInvoices(tx, sub, now)
  // The credit remains unspent if the store has a more expensive plan or is past due.
  const current = await findPlanInForce(tx, storeId)
  const changesPlan = plan.available && settled.status !== 'past_due' && planChangeTime(settled, current, plan) === 'now'
  return changesPlan ? choosePlan(tx, storeId, plan.code, { now, withoutTrial: true }) : settled
}
