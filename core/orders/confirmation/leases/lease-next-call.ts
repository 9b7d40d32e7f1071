import { type Sql, transaction } from '../../../data/sql.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { assertRightInTransaction } from '../../../shop/stores/access.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { drainStore } from '../../changes/drain-changes.ts'
import type { ConfirmationCall } from '../confirmation.model.ts'
import { type ConfirmationAgent, lockAgent, lockDueCall, lockOwnCall } from '../queue.queries.ts'
import { AGENT_RIGHT, renewCall, startCall } from './lease-call.ts'

/**
 * Leases to the agent the order to call now: the one leased already, or else the next of the queue. Returns null when none is due. Throws
 * `forbidden` when `caller` has lost the right to confirm orders.
 */
export async function leaseNextCall(sql: Sql, store: Store, agent: ConfirmationAgent, caller: Principal): Promise<ConfirmationCall | null> {
  await drainStore(sql, store.id)
  return transaction(sql, async (tx) => {
    await lockAgent(tx, store.id, agent.id)
    await assertRightInTransaction(tx, store.id, caller, AGENT_RIGHT)
    const own = await lockOwnCall(tx, store.id, agent.id)
    if (own) return renewCall(tx, store, agent.id, own)
    const due = await lockDueCall(tx, store.id, agent)
    return due ? startCall(tx, store, agent.id, due) : null
  })
}
