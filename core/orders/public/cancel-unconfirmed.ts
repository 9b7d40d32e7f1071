import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { lockUnsentOrder } from '../change/lock-order.ts'
import { moveOrder } from '../change/move-order.ts'
import { listOverdueOrders, type OrderKey, updateOrder } from '../orders.queries.ts'
import { moveGoods } from '../stock/stock.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'orders.cancelUnconfirmed': Record<string, unknown>
  }
}

const SWEPT_AT_ONCE = 100

/** Cancels an unconfirmed storefront order and releases its stock. A user can reopen it. */
async function cancelUnconfirmed(tx: Tx, key: OrderKey) {
  const store = await findStore(tx, key.storeId)
  if (!store) return void (await updateOrder(tx, key, { heldUntil: null }))
  const { order, parcels } = await lockUnsentOrder(tx, { projectId: store.projectId, storeId: store.id, orderId: key.id })
  if (order.heldUntil === null) return
  if (order.status !== 'pending' || parcels.length > 0) return void (await updateOrder(tx, order, { heldUntil: null }))
  await moveOrder(tx, store, order, 'cancelled', { ...(await moveGoods(tx, store, order, 'back')), heldUntil: null })
}

/** Cancels all orders that were not confirmed in time. Work of the job `orders.cancelUnconfirmed`. */
export async function cancelOverdueOrders({ sql, log }: Context, signal: AbortSignal) {
  for (let stayed = 0; ; ) {
    const overdue = await listOverdueOrders(sql, SWEPT_AT_ONCE)
    for (const order of overdue) {
      if (signal.aborted) return
      await transaction(sql, (tx) => cancelUnconfirmed(tx, order)).catch((err) => {
        stayed += 1
        log.warn({ err, id: order.id }, 'an unconfirmed order stays for now')
      })
    }
    // The next run in a minute retries the orders that failed.
    if (stayed > 0 || overdue.length < SWEPT_AT_ONCE) return
  }
}
