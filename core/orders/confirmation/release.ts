import type { Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { changeOrder } from '../change/change.ts'
import { lockOrderWithParcels } from '../change/lock-order.ts'
import { drainOrders } from '../changes/drain-changes.ts'
import type { CallOutcome } from '../details/calls.model.ts'
import { presentOrder } from '../present.ts'
import { confirmationSettingsOf, nextCallingTime } from './calling-hours.ts'
import { insertCall } from './calls.queries.ts'
import { confirmationErrors } from './confirmation.errors.ts'
import type { ReleasedCall, ReleaseRequest } from './confirmation.model.ts'
import { callOutcomeRuleOf, retryMinutes } from './outcomes.ts'
import { type Lease, lockLease, releaseLease } from './queue.queries.ts'
import { findReason } from './reasons/replace-reasons.ts'

const POSTPONED_DAYS_MAX = 90

/**
 * Records the outcome of a call: moves the order to the status of the outcome and schedules the next call. Throws `not_found`,
 * `invalid_request`, `invalid_transition`, and `conflict` when the order is not leased to the agent.
 */
export async function releaseCall(tx: Tx, store: Store, agentId: string, input: ReleaseRequest): Promise<ReleasedCall> {
  const { orderId, outcome = 'given_back', reasonCode = null } = input
  const { to, needs } = callOutcomeRuleOf(outcome)
  assertRequiredFields(input, needs)
  const reason = await reasonTextOf(tx, store, outcome, input)
  const { order } = await lockOrderWithParcels(tx, { projectId: store.projectId, storeId: store.id, orderId })
  // The queue follows what was done with the order before, and below its new status, so that the next call is scheduled last. The caller has
  // published the changes of the order ahead, so that the slot of the store is hardly ever locked before the stock of its goods.
  await drainOrders(tx, store.id, [orderId])
  const { attempts, dueAt } = await lockOwnLease(tx, store, orderId, agentId)
  await publish(tx, 'confirmation.changed', { projectId: store.projectId, orderId })
  if (outcome === 'given_back') {
    await releaseLease(tx, store.id, orderId, 'now', attempts)
    return { order: presentOrder(order), callId: null, nextTryAt: new Date().toISOString() }
  }
  const { nextTryAt, ...after } = scheduleNextCall(store, outcome, attempts, input.until)
  const before = { fromStatus: order.status, attemptsBefore: attempts, dueBefore: dueAt }
  const callId = newId('cal')
  await insertCall(tx, { storeId: store.id, orderId, id: callId, agentId, outcome, reasonCode, reason, nextTryAt, ...before })
  const moved = to !== null && to !== order.status ? await changeOrder(tx, store, orderId, { status: to, reason }) : presentOrder(order)
  await drainOrders(tx, store.id, [orderId])
  await releaseLease(tx, store.id, orderId, nextTryAt, after.attempts)
  return { order: moved, callId, nextTryAt }
}

/** Returns the reason in words: the label of the chosen one, and what the agent wrote. */
async function reasonTextOf(tx: Tx, store: Store, outcome: CallOutcome, { reasonCode, reason = '' }: ReleaseRequest): Promise<string> {
  if (reasonCode === undefined) return reason
  const { label } = await findReason(tx, store, reasonCode, outcome)
  return reason.trim() ? `${label}: ${reason}` : label
}

function assertRequiredFields({ until, reason, reasonCode }: ReleaseRequest, needs: 'until' | 'reason' | undefined) {
  if (needs === 'reason' && reasonCode === undefined && !reason?.trim()) throw confirmationErrors.reasonMissing({ field: ['reason'] })
  if (needs !== 'until') {
    if (until !== undefined) throw confirmationErrors.timeNotExpected({ field: ['until'] })
    return
  }
  const days = (Date.parse(until ?? '') - Date.now()) / DAY_MS
  if (!(days > 0 && days <= POSTPONED_DAYS_MAX))
    throw confirmationErrors.timeMissing({ postponedDaysMax: POSTPONED_DAYS_MAX }, { field: ['until'] })
}

/** Locks the lease of the agent, even one that has ended. Throws `conflict` when the order is not leased to this agent. */
async function lockOwnLease(tx: Tx, store: Store, orderId: string, agentId: string): Promise<Lease> {
  const lease = await lockLease(tx, store.id, orderId)
  if (lease?.leasedBy === agentId) return lease
  throw confirmationErrors.leaseEnded()
}

function scheduleNextCall(store: Store, outcome: CallOutcome, before: number, until: string | undefined) {
  const rule = callOutcomeRuleOf(outcome)
  if (until !== undefined) return { attempts: 0, nextTryAt: nextCallingTime(store, new Date(until)).toISOString() }
  if (!rule.retries) return { attempts: 0, nextTryAt: null }
  const attempts = before + 1
  const minutes = retryMinutes(rule, attempts, confirmationSettingsOf(store).mostAttempts)
  return { attempts, nextTryAt: minutes === null ? null : nextCallingTime(store, new Date(Date.now() + minutes * 60_000)).toISOString() }
}
