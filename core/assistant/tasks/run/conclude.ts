import type { Usage } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { retry } from '../../../lib/async/retry.ts'
import type { NewFile } from '../../../platform/files/files.ts'
import { addProjectFile } from '../../../platform/files/project-files.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { captureHold } from '../ledger.queries.ts'
import { presentTaskSummary } from '../present.ts'
import { type TaskReason, type TaskState, taskTransitions } from '../states.ts'
import { insertTaskFiles, lockTask, type TaskKey, type TaskRow, type TextResult, updateTask } from '../tasks.queries.ts'

/** Final state of a task, with its cost and its result. */
export interface TaskOutcome {
  readonly state: Extract<TaskState, 'completed' | 'failed' | 'cancelled' | 'reconciliation_required'>
  /** Exact decimal that the project owes; null while it is unknown. */
  readonly cost: string | null
  readonly usage?: Usage
  readonly generation?: string
  readonly result?: TextResult
  readonly files?: readonly NewFile[]
  readonly reason?: TaskReason
  readonly message?: string
  readonly note?: string
}

const eventTypes = {
  completed: 'ai.task.completed',
  failed: 'ai.task.failed',
  reconciliation_required: 'ai.task.reconciliation_required',
} as const

/**
 * Ends a task, or leaves it to an administrator: ledger, result and webhook event in one transaction. Returns null when the state of the
 * task does not allow it.
 */
export async function concludeTask(tx: Tx, key: TaskKey, outcome: TaskOutcome): Promise<TaskRow | null> {
  const task = await lockTask(tx, key)
  if (!task || !taskTransitions[task.state].includes(outcome.state)) return null
  const { state, cost, usage, generation, result, files = [], reason = null, message = null, note } = outcome
  const isOver = state !== 'reconciliation_required'
  const charged = isOver ? await captureHold(tx, task, cost ?? '0', note) : null
  const ended = await updateTask(tx, key, {
    state,
    reason,
    message,
    ...(cost !== null && note === undefined && { cost }),
    ...(usage && { usage }),
    ...(generation !== undefined && { generation }),
    ...(result && { result }),
    ...(isOver && { charged, endedAt: new Date().toISOString() }),
  })
  for (const file of files) await addProjectFile(tx, task.projectId, file)
  if (files.length > 0)
    await insertTaskFiles(
      tx,
      key,
      files.map(({ id }) => id),
    )
  if (state !== 'cancelled')
    await emitWebhook(tx, [{ projectId: task.projectId, type: eventTypes[state], data: { task: presentTaskSummary(ended) } }])
  return ended
}

/** Ends a task as `concludeTask` does, and retries while the database is unreachable, so that a paid answer is not lost. */
export const concludeTaskWithRetry = ({ sql }: Context, key: TaskKey, outcome: TaskOutcome) =>
  retry(() => transaction(sql, (tx) => concludeTask(tx, key, outcome)))
