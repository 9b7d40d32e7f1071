import { RetryTransaction, type Tx } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { listPastCalls } from '../../details/calls.queries.ts'
import { findOrder } from '../../orders.queries.ts'
import { presentOrder } from '../../present.ts'
import { readRecipientRecord } from '../../public/recipients.ts'
import { confirmationSettingsOf } from '../calling-hours.ts'
import { confirmationErrors } from '../confirmation.errors.ts'
import type { ConfirmationCall } from '../confirmation.model.ts'
import { countLeases, findAgentName, type Lease, leaseCall, type QueuedCall, recordQueueUse } from '../queue.queries.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published after an order in the confirmation queue was leased to an agent, or came back to the queue. */
    'confirmation.changed': { readonly projectId: string; readonly orderId: string }
  }
}

/** Right that an agent needs. */
export const AGENT_RIGHT = ['agent', 'orders:write'] as const

/** Orders that an agent can have at once: the one from the queue, and some whose customers called meanwhile or whose outcome was undone. */
const HELD_MAX = 5

/** Throws `limit_reached` for an agent who has as many orders as one can have, apart from this one. The caller has locked the agent. */
export async function assertRoomForOrder(tx: Tx, storeId: string, agentId: string, orderId: string): Promise<void> {
  if ((await countLeases(tx, storeId, agentId, orderId)) >= HELD_MAX) throw confirmationErrors.tooManyHeld({ heldMax: HELD_MAX })
}

/** Leases an order to an agent from now on, and returns it as the agent sees it. The caller has locked its queue entry. */
export async function startCall(tx: Tx, store: Store, agentId: string, { orderId, attempts }: QueuedCall): Promise<ConfirmationCall> {
  await publish(tx, 'confirmation.changed', { projectId: store.projectId, orderId })
  return renewCall(tx, store, agentId, { orderId, attempts })
}

/** Extends the lease of an agent who has the order already, like {@link startCall}. */
export async function renewCall(tx: Tx, store: Store, agentId: string, { orderId, attempts }: QueuedCall): Promise<ConfirmationCall> {
  const leasedUntil = new Date(Date.now() + confirmationSettingsOf(store).leaseMinutes * 60_000).toISOString()
  await Promise.all([leaseCall(tx, store.id, orderId, agentId, leasedUntil), recordQueueUse(tx, store.id)])
  const key = { storeId: store.id, id: orderId }
  const [order, recipient, calls] = await Promise.all([findOrder(tx, key), readRecipientRecord(tx, key), listPastCalls(tx, key)])
  if (!order) throw new RetryTransaction('The order was deleted at this moment.')
  return { order: presentOrder(order), recipient, leasedUntil, attempts, calls: [...calls] }
}

/** Throws `order_held` while another agent has the order; the details say who, and until when. */
export async function assertNotHeld(tx: Tx, { leasedBy, leasedUntil, isLeased }: Lease, agentId: string): Promise<void> {
  if (!isLeased || leasedBy === null || leasedUntil === null || leasedBy === agentId) return
  const name = await findAgentName(tx, leasedBy)
  const values = { holder: name ?? 'Another agent', until: leasedUntil }
  const message = `${values.holder}, until ${leasedUntil}.`
  throw confirmationErrors.orderHeld(values, {
    issues: [{ field: ['orderId'], message, values: { agentId: leasedBy, ...(name !== null && { name }), until: leasedUntil } }],
  })
}
