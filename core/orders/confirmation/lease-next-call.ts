import { RetryTransaction, type Sql, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { assertRightInTransaction } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { drainStore } from '../changes/drain-changes.ts'
import { findOrder } from '../orders.queries.ts'
import { presentOrder } from '../present.ts'
import { readRecipientRecord } from '../public/recipients.ts'
import { confirmationSettingsOf } from './calling-hours.ts'
import type { ConfirmationCall } from './confirmation.model.ts'
import { type ConfirmationAgent, leaseCall, listCalls, lockAgent, lockDueCall, lockOwnCall, recordQueueUse } from './queue.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published after an order in the confirmation queue was leased to an agent, or came back to the queue. */
    'confirmation.changed': { readonly projectId: string; readonly orderId: string }
  }
}

const AGENT = ['agent', 'orders:write'] as const
const CALLS_SHOWN = 20

/**
 * Leases to the agent the order to call now: the one leased already, or else the next of the queue. Returns null when none is due. Throws
 * `forbidden` when `caller` has lost the right to confirm orders.
 */
export async function leaseNextCall(sql: Sql, store: Store, agent: ConfirmationAgent, caller: Principal): Promise<ConfirmationCall | null> {
  await drainStore(sql, store.id)
  return transaction(sql, async (tx) => {
    await lockAgent(tx, store.id, agent.id)
    await assertRightInTransaction(tx, store.id, caller, AGENT)
    const own = await lockOwnCall(tx, store.id, agent.id)
    const found = own ?? (await lockDueCall(tx, store.id, agent))
    if (!found) return null
    const { orderId, attempts } = found
    if (!own) await publish(tx, 'confirmation.changed', { projectId: store.projectId, orderId })
    const leasedUntil = new Date(Date.now() + confirmationSettingsOf(store).leaseMinutes * 60_000).toISOString()
    await Promise.all([leaseCall(tx, store.id, orderId, agent.id, leasedUntil), recordQueueUse(tx, store.id)])
    const key = { storeId: store.id, id: orderId }
    const [order, recipient, calls] = await Promise.all([
      findOrder(tx, key),
      readRecipientRecord(tx, key),
      listCalls(tx, store.id, orderId, CALLS_SHOWN),
    ])
    if (!order) throw new RetryTransaction('The order was deleted at this moment.')
    return { order: presentOrder(order), recipient, leasedUntil, attempts, calls: [...calls] }
  })
}
