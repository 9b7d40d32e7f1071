import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { shopIfOn } from '../connector.ts'
import { listUnsettled } from './channel-orders.queries.ts'
import { shopOf, takeAgain } from './upsert.ts'

const AT_ONCE = 100
/** Each that could not be read is a call of the shop. */
const REREAD_MAX = 20

/** Tries again to make ours of orders that wait, and to follow what could not be followed just then. */
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
        // A shop that does not answer is asked when it is read again.
        if (!(await takeAgain(context, shop, externalId).then(() => true, unlessShopFailed))) reread = REREAD_MAX
      }
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}

function unlessShopFailed(error: unknown): false {
  if (!(error instanceof AdapterFailure)) throw error
  return false
}
