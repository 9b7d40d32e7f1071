import { RetryTransaction, type Sql, transaction } from '../../data/sql.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { assertRightInTransaction } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findOrder } from '../orders.queries.ts'
import { present } from '../present.ts'
import { recipientOf } from '../public/recipients.ts'
import type { Call } from './confirmation.model.ts'
import { confirmationOf } from './hours.ts'
import { type Agent, holdAgent, lease, listCalls, lockDue, lockOwn, noteUse } from './queue.queries.ts'

const AGENT = ['agent', 'orders:write'] as const
const CALLS_SHOWN = 20

/**
 * Leases to the agent the order to call now: the one leased already, or else the next of the queue. Returns null when none is due. Throws
 * `forbidden` when `caller` has lost the right to confirm orders.
 */
export function nextCall(sql: Sql, store: Store, agent: Agent, caller: Principal): Promise<Call | null> {
  return transaction(sql, async (tx) => {
    await holdAgent(tx, store.id, agent.id)
    await assertRightInTransaction(tx, store.id, caller, AGENT)
    const found = (await lockOwn(tx, store.id, agent.id)) ?? (await lockDue(tx, store.id, agent))
    if (!found) return null
    const { orderId, attempts } = found
    const leasedUntil = new Date(Date.now() + confirmationOf(store).leaseMinutes * 60_000).toISOString()
    await Promise.all([lease(tx, store.id, orderId, agent.id, leasedUntil), noteUse(tx, store.id)])
    const key = { storeId: store.id, id: orderId }
    const [order, recipient, calls] = await Promise.all([
      findOrder(tx, key),
      recipientOf(tx, key),
      listCalls(tx, store.id, orderId, CALLS_SHOWN),
    ])
    if (!order) throw new RetryTransaction('The order was deleted at this moment.')
    return { order: present(order), recipient, leasedUntil, attempts, calls: [...calls] }
  })
}
