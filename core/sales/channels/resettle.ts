import type { Context } from '../../context.ts'
import { listUnsettled } from './channel-orders.queries.ts'
import { shopIfOn } from './connector.ts'
import { shopOf, takeAgain } from './take.ts'

const AT_ONCE = 100

/** Tries again to make ours of orders that wait, and to follow what could not be followed just then. */
export async function settleWaiting(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await shopIfOn(context, connectionId)
  const shop = connection && (await shopOf(context, connection))
  if (!shop) return
  let after = ''
  for (;;) {
    const rows = await listUnsettled(context.sql, connectionId, after, AT_ONCE)
    for (const { externalId } of rows) {
      signal.throwIfAborted()
      await takeAgain(context, shop, externalId)
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}
