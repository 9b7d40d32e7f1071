import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { findEnabledShop } from '../connector.ts'
import { listPendingShopOrders } from './shop-orders.queries.ts'
import { findShop, retryImport } from './upsert-order.ts'

const AT_ONCE = 100
/** Largest number of unreadable orders per run; each costs a call to the shop. */
const REREAD_MAX = 20

/** Runs the job that imports waiting orders again, and applies changes that could not be applied. */
export async function importPendingOrders(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await findEnabledShop(context, connectionId)
  const shop = connection && (await findShop(context, connection))
  if (!shop) return
  let [after, reread] = ['', 0]
  for (;;) {
    const rows = await listPendingShopOrders(context.sql, connection.row, after, AT_ONCE)
    for (const { externalId, isUnreadable } of rows) {
      signal.throwIfAborted()
      if (!isUnreadable) await retryImport(context, shop, externalId)
      else if (reread < REREAD_MAX) {
        reread += 1
        // A shop that does not answer is left to the next pull.
        if (!(await retryImport(context, shop, externalId).then(() => true, ignoreShopFailure))) reread = REREAD_MAX
      }
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}

function ignoreShopFailure(error: unknown): false {
  if (!(error instanceof AdapterFailure)) throw error
  return false
}
