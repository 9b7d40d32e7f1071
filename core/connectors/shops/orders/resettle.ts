import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { shopIfOn } from '../connector.ts'
import { listUnsettled } from './channel-orders.queries.ts'
import { shopOf, takeAgain } from './upsert.ts'

const AT_ONCE = 100
/** Largest number of unreadable orders per run; each costs a call to the shop. */
const REREAD_MAX = 20

/** Runs the job that imports waiting orders again, and applies changes that could not be applied. */
export async function settleWaiting(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await shopIfOn(context, connectionId)
  const shop = connection && (await shopOf(context, connection))
  if (!shop) return
  let [after, reread] = ['', 0]
  for (;;) {
    const rows = await listUnsettled(context.sql, connectionId, after, AT_ONCE)
    for (const { externalId, isUnreadable } of rows) {
      signal.throwIfAborted()
      if (!isUnreadable) await takeAgain(context, shop, externalId)
      else if (reread < REREAD_MAX) {
        reread += 1
        // A shop that does not answer is left to the next pull.
        if (!(await takeAgain(context, shop, externalId).then(() => true, ignoreShopFailure))) reread = REREAD_MAX
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
