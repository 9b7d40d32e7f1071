import type { Context } from '../../../context.ts'
import { applyPurchaseRefund } from './apply-refund.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.hearVoided': Record<string, unknown>
  }
}

/** Applies purchases that the Play Store voided. It sends no notifications of refunds, so they are polled. */
export async function applyVoidedPurchases({ sql, appStores }: Pick<Context, 'sql' | 'appStores'>): Promise<void> {
  for (const transactionId of await appStores.play_store.listVoidedOrders())
    await applyPurchaseRefund(sql, { shop: 'play_store', transactionId, takenBack: true })
}
