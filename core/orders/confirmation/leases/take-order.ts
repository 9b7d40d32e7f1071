import { type Sql, type Tx, transaction } from '../../../data/sql.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { assertRightInTransaction } from '../../../shop/stores/access.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { drainStore } from '../../changes/drain-changes.ts'
import { findOrder } from '../../orders.queries.ts'
import { confirmationErrors } from '../confirmation.errors.ts'
import type { ConfirmationCall } from '../confirmation.model.ts'
import { lockAgent, lockLease } from '../queue.queries.ts'
import { AGENT_RIGHT, assertNotHeld, assertRoomForOrder, startCall } from './lease-call.ts'

/**
 * Leases to the agent the order whose customer has called, whether or not it is due. Throws `not_found`, `invalid_transition` when it does
 * not wait for confirmation, `order_held` while a colleague has it, `limit_reached`, and `forbidden` when `caller` has lost the right.
 */
export async function takeOrder(sql: Sql, store: Store, agentId: string, orderId: string, caller: Principal): Promise<ConfirmationCall> {
  await drainStore(sql, store.id)
  return transaction(sql, async (tx) => {
    await lockAgent(tx, store.id, agentId)
    await assertRightInTransaction(tx, store.id, caller, AGENT_RIGHT)
    const entry = await lockLease(tx, store.id, orderId)
    if (!entry) throw await notWaitingError(tx, store, orderId)
    await assertNotHeld(tx, entry, agentId)
    await assertRoomForOrder(tx, store.id, agentId, orderId)
    return startCall(tx, store, agentId, { orderId, attempts: entry.attempts })
  })
}

async function notWaitingError(tx: Tx, store: Store, orderId: string) {
  const order = await findOrder(tx, { storeId: store.id, id: orderId })
  return order ? confirmationErrors.orderNotWaiting({ status: order.status }) : notFound('The order')
}
