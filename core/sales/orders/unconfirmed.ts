import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { moveOrder } from './change.ts'
import { holdUnsent } from './hold.ts'
import { listOverdue, updateOrder } from './orders.queries.ts'
import { moveGoods } from './stock.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'orders.cancelUnconfirmed': Record<string, unknown>
  }
}

const SWEPT_AT_ONCE = 100

/** A stranger's order that nobody confirmed in time gives its stock back, and is cancelled; it can be taken up again. */
async function cancelUnconfirmed(tx: Tx, id: string) {
  const { order, parcel } = await holdUnsent(tx, id)
  if (order.heldUntil === null) return
  const store = await findStore(tx, order.storeId)
  if (!store || order.status !== 'pending' || parcel) return void (await updateOrder(tx, id, { heldUntil: null }))
  await moveOrder(tx, store, order, 'cancelled', { ...(await moveGoods(tx, store, order, 'back')), heldUntil: null })
}

/** All whose time is over. */
export async function cancelOverdue({ sql, log }: Context, signal: AbortSignal) {
  for (let stayed = 0; ; ) {
    const overdue = await listOverdue(sql, SWEPT_AT_ONCE)
    for (const { id } of overdue) {
      if (signal.aborted) return
      await transaction(sql, (tx) => cancelUnconfirmed(tx, id)).catch((err) => {
        stayed += 1
        log.warn({ err, id }, 'an unconfirmed order stays for now')
      })
    }
    // What stays is looked at again in a minute.
    if (stayed > 0 || overdue.length < SWEPT_AT_ONCE) return
  }
}
