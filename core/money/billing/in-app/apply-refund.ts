import type { Context } from '../../../context.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import { type Sql, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import { payDueInvoices } from '../periods/pay-invoices.ts'
import {
  findInAppCredit,
  insertCredit,
  lockStore,
  lockSubscription,
  markReceiptRefunded,
  type ReceiptKey,
  unmarkReceiptRefunded,
} from '../subscriptions.queries.ts'

/** Refund of an in-app purchase; `takenBack` is false when the refund was reversed. */
export interface PurchaseRefund extends ReceiptKey {
  readonly takenBack: boolean
}

/** Returns the key of a purchase in the store's credit entries. */
export const purchaseKeyOf = ({ shop, transactionId }: ReceiptKey) => `${shop} ${transactionId}`

/**
 * Applies a refund of an in-app purchase, or its reversal, to the credit of the store that used it. The paid plan stays until its period
 * ends. Repeating the call changes nothing. An unused receipt can no longer be used after a refund.
 */
export const applyPurchaseRefund = (sql: Sql, { takenBack, ...receipt }: PurchaseRefund): Promise<void> =>
  transaction(sql, async (tx) => {
    const projectId = await (takenBack ? markReceiptRefunded(tx, receipt) : unmarkReceiptRefunded(tx, receipt))
    if (!projectId) return
    const storeId = storeIdOf(projectId)
    if (!(await lockStore(tx, storeId))) return
    const sub = await lockSubscription(tx, storeId)
    const about = purchaseKeyOf(receipt)
    const credited = await findInAppCredit(tx, storeId, about)
    if (!credited) return
    const amount = decimalText(takenBack ? -decimal(credited.amount) : decimal(credited.amount))
    await insertCredit(tx, { storeId, id: newId('scr'), kind: 'refund', amount, currency: credited.currency, about })
    await payDueInvoices(tx, sub, Date.now())
  })

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.applyVoided': Record<string, unknown>
  }
}

/** Applies purchases that the Play Store voided. It sends no notifications of refunds, so they are polled. */
export async function applyVoidedPurchases({ sql, appStores }: Pick<Context, 'sql' | 'appStores'>): Promise<void> {
  for (const transactionId of await appStores.play_store.listVoidedOrders())
    await applyPurchaseRefund(sql, { shop: 'play_store', transactionId, takenBack: true })
}
