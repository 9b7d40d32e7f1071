import type { Tx } from '../../data/sql.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import { dequeueUnconfirmed } from '../parcels/send-rule.ts'
import type { OrderStatus } from '../statuses.ts'
import { reserveAgain } from './change.ts'
import type { LockedOrder } from './lock-order.ts'
import { moveOrder } from './move-order.ts'

/**
 * Moves an order back to an unconfirmed status that a call has just ended. A cancelled order reserves its lines again; its parcels stay
 * cancelled. The caller has locked the order. Throws `invalid_transition` for a cancelled exchange, and the errors of stock.
 */
export async function undoMove(tx: Tx, store: Store, { order, parcels }: LockedOrder, to: OrderStatus): Promise<void> {
  if (order.status === 'cancelled' && order.exchangeOf !== null) throw orderErrors.returnCancelled()
  await recordAudit(tx, { storeId: store.id }, { what: 'order.status_changed', thing: order.id, before: order, after: { status: to } })
  await dequeueUnconfirmed(tx, store.id, to, parcels)
  await moveOrder(tx, store, order, to, await reserveAgain(tx, store, order))
}
