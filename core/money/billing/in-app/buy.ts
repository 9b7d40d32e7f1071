import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import { changeTo, choosePlan } from '../choose.ts'
import { settle } from '../periods/settle.ts'
import type { InAppPurchase } from '../subscriptions.model.ts'
import {
  findPlanInForce,
  findPlanOfProduct,
  findReceiptUser,
  insertCredit,
  insertReceipt,
  lockSubscription,
  type PlanRow,
  type SubscriptionRow,
} from '../subscriptions.queries.ts'
import { accountOf } from './account.ts'
import type { PlayPurchase } from './play-store.ts'
import { type Receipt, refused } from './receipt.ts'
import { aboutOf } from './revoke.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.acknowledge': PlayPurchase
  }
}

type Shop = InAppPurchase['shop']

/**
 * A month that was bought in an app. It is worth what the plan costs: that is put to the store's credit, and pays for the plan where the
 * store does not have it, or its next month where it does. A receipt counts once, for the store that it was bought for; sent again by that
 * store, nothing more happens. Throws `receipt_refused`, `receipt_used`, `adapter_not_enabled`.
 */
export async function buyMonth(context: Context, storeId: string, purchase: InAppPurchase): Promise<SubscriptionRow> {
  const { sql, inAppShops } = context
  // The outside is asked before anything is held.
  const receipt = await (purchase.shop === 'app_store'
    ? inAppShops.app_store.prove(purchase.transaction)
    : inAppShops.play_store.prove(purchase))
  if (receipt.account?.toLowerCase() !== accountOf(storeId))
    throw refused('This was not bought for this store: buy with `inAppAccount` of its subscription as the account.')
  return transaction(sql, async (tx) => {
    const plan = await findPlanOfProduct(tx, purchase.shop, receipt.product)
    if (!plan) throw refused('No plan here is sold under this name.')
    const sub = await takeReceipt(tx, storeId, purchase.shop, receipt, plan)
    if (purchase.shop === 'play_store') {
      const { kind, product, purchaseToken } = purchase
      await enqueue(tx, 'subscriptions.acknowledge', { kind, product, purchaseToken }, { key: `receipt:${receipt.transactionId}` })
    }
    return sub
  })
}

async function takeReceipt(tx: Tx, storeId: string, shop: Shop, { transactionId, product, months }: Receipt, plan: PlanRow) {
  const now = Date.now()
  const sub = await lockSubscription(tx, storeId)
  if (!(await insertReceipt(tx, { shop, transactionId, forStore: storeId, product }))) {
    const user = await findReceiptUser(tx, shop, transactionId)
    if (user === storeId) return sub
    if (user === '') throw refused('The money of this purchase was given back.')
    throw new ApiError('receipt_used', 'Another store has used this purchase.')
  }
  const amount = decimalText(decimal(plan.price) * BigInt(months))
  const about = aboutOf({ shop, transactionId })
  await insertCredit(tx, { storeId, id: newId('scr'), kind: 'in_app', amount, currency: plan.currency, about })
  const settled = await settle(tx, sub, now)
  // Who has a dearer plan, or owes for a period that is over, keeps it to his credit.
  const current = await findPlanInForce(tx, storeId)
  const wants = plan.available && settled.status !== 'past_due' && changeTo(settled, current, plan) === 'now'
  return wants ? choosePlan(tx, storeId, plan.code, { now, withoutTrial: true }) : settled
}
