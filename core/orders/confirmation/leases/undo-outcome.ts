import type { Tx } from '../../../data/sql.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { invariant } from '../../../lib/invariant.ts'
import { assertRightInTransaction } from '../../../shop/stores/access.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { lockUnsentOrder } from '../../change/lock-order.ts'
import { undoMove } from '../../change/undo-move.ts'
import { drainOrders } from '../../changes/drain-changes.ts'
import { deleteRecentCall } from '../calls.queries.ts'
import { confirmationErrors } from '../confirmation.errors.ts'
import type { ConfirmationCall, UndoRequest } from '../confirmation.model.ts'
import { callOutcomeRuleOf } from '../outcomes.ts'
import { lockAgent, lockLease, restoreDueTime } from '../queue.queries.ts'
import { AGENT_RIGHT, assertNotHeld, assertRoomForOrder, startCall } from './lease-call.ts'

/** Seconds within which an outcome can be undone: ten, and five for the way of the request. */
const UNDO_SECONDS = 15

/**
 * Undoes the outcome of a call that the agent has just recorded: the order gets its status and its place in the queue back, and is leased to
 * the agent again. Throws `not_found`, `order_held`, `limit_reached`, `reserved_stock_conflict` when the goods of a cancelled order are gone, and `conflict`
 * when it is too late or the order has changed since.
 */
export async function undoOutcome(
  tx: Tx,
  store: Store,
  agentId: string,
  { orderId, callId }: UndoRequest,
  caller: Principal,
): Promise<ConfirmationCall> {
  await lockAgent(tx, store.id, agentId)
  await assertRightInTransaction(tx, store.id, caller, AGENT_RIGHT)
  await assertRoomForOrder(tx, store.id, agentId, orderId)
  const locked = await lockUnsentOrder(tx, { projectId: store.projectId, storeId: store.id, orderId })
  await drainOrders(tx, store.id, [orderId])
  const call = await deleteRecentCall(tx, { projectId: store.projectId, orderId, id: callId, agentId }, UNDO_SECONDS)
  if (!call) throw confirmationErrors.undoTooLate({ seconds: UNDO_SECONDS })
  const { outcome, fromStatus, isLast, attempts, dueAt } = call
  if (!isLast || locked.order.status !== (callOutcomeRuleOf(outcome).to ?? fromStatus)) throw confirmationErrors.changedSinceOutcome()
  if (locked.order.status !== fromStatus) await undoMove(tx, store, locked, fromStatus)
  // The queue follows the order's status before it gets its place back.
  await drainOrders(tx, store.id, [orderId])
  const entry = invariant(await lockLease(tx, store.id, orderId), 'The queue entry of an unconfirmed order')
  await assertNotHeld(tx, entry, agentId)
  await restoreDueTime(tx, store.id, orderId, { attempts, dueAt })
  return startCall(tx, store, agentId, { orderId, attempts })
}
