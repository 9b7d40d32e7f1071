import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { stockScopeOf } from '../../../shop/catalog/present-product.ts'
import { findEnabledShop } from '../connector.ts'
import { findShop } from '../orders/upsert-order.ts'
import { listConnectionsPushingStock, listUnpushedStock, recordPushedStock } from './stock.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connectors.pushStock': { connectionId: string }
    'connectors.pushStockDue': Record<string, unknown>
  }
}

const CONNECTIONS_MAX = 200
/** SKUs in one call; a run makes at most `CALLS_MAX` calls and leaves the rest to the next run. */
const AT_ONCE = 50
const CALLS_MAX = 10
const CALL_MS = 20_000

/** Enqueues stock pushes to the shops whose setting `pushStock` is on. */
export async function requestDueStockPushes({ sql }: Context): Promise<void> {
  for (const { id: connectionId, projectId: owner } of await listConnectionsPushingStock(sql, CONNECTIONS_MAX)) {
    const name = `channel-stock:${connectionId}`
    await enqueue(sql, 'connectors.pushStock', { connectionId }, { key: name, queue: name, owner, maxAttempts: 1 })
  }
}

/**
 * Pushes the available stock that differs from what the shop last received. Records it after each call. Goods that the shop refuses are
 * told again by the next run, and keep no others from being told.
 */
export async function pushStock(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await findEnabledShop(context, connectionId)
  const shop = connection && (await findShop(context, connection))
  const { pushStock: push } = connection?.mounted.adapter ?? {}
  if (!shop || !push || shop.connection.row.settings.pushStock !== 'on') return
  const options = { operation: 'pushStock', deadlineMs: CALL_MS, quota: 'list', signal } as const
  let after = ''
  let refusal: AdapterFailure | undefined
  for (let count = 0; count < CALLS_MAX; count += 1) {
    signal.throwIfAborted()
    const levels = await listUnpushedStock(context.sql, connectionId, stockScopeOf(shop.store), after, AT_ONCE)
    const last = levels.at(-1)
    if (!last) break
    try {
      await callAdapter(context, shop.connection, (_, own) => push(own, levels), options)
      await recordPushedStock(context.sql, shop.connection.row, levels)
    } catch (error) {
      if (!(error instanceof AdapterFailure) || error.reason !== 'refused') throw error
      refusal ??= error
    }
    after = last.sku
  }
  if (refusal) throw refusal
}
