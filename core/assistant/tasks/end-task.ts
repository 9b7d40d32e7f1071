import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { concludeTask } from './run/conclude.ts'
import { isGreater } from './run/estimate.ts'
import { taskErrors } from './tasks.errors.ts'
import type { TaskReconciliation } from './tasks.model.ts'
import { findTaskKey, lockTask, type TaskRow, updateTask } from './tasks.queries.ts'

/**
 * Cancels a queued task at once, and requests the cancellation of a running one; its cost until then is charged. Throws `not_found`,
 * `invalid_transition`.
 */
export async function cancelTask(tx: Tx, projectId: string, id: string): Promise<TaskRow> {
  const task = await lockTask(tx, { projectId, id })
  if (!task) throw notFound('The task')
  if (task.state === 'cancelled') return task
  if (task.state === 'running')
    return task.cancelAskedAt === null ? updateTask(tx, task, { cancelAskedAt: new Date().toISOString() }) : task
  const ended = task.state === 'queued' ? await concludeTask(tx, task, { state: 'cancelled', cost: '0' }) : null
  if (ended) return ended
  throw taskErrors.taskNotCancellable({ state: task.state })
}

/**
 * Ends a task whose outcome was unknown, with the cost that an administrator found out. Throws `not_found`, `invalid_transition`,
 * `amount_not_payable`.
 */
export async function reconcileTask(tx: Tx, id: string, { charged, note }: TaskReconciliation): Promise<TaskRow> {
  const key = await findTaskKey(tx, id)
  const task = key && (await lockTask(tx, key))
  if (!task) throw notFound('The task')
  if (task.state !== 'reconciliation_required') throw taskErrors.taskNotWaiting({ state: task.state })
  const most = task.maxCost !== null && isGreater(task.maxCost, task.hold) ? task.maxCost : task.hold
  if (isGreater(charged, most)) throw taskErrors.chargeTooHigh({ most, currency: task.currency })
  const state = task.result !== null ? 'completed' : task.reason === 'cancelled_midway' ? 'cancelled' : 'failed'
  const ended = await concludeTask(tx, task, { state, cost: charged, reason: 'settled', note })
  if (!ended) throw new Error('A task that waits for a person can be settled.')
  return ended
}
