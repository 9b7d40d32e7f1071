/** States of an AI task. */
export const taskStates = ['queued', 'running', 'completed', 'failed', 'cancelled', 'reconciliation_required'] as const
/** State of an AI task. */
export type TaskState = (typeof taskStates)[number]

/** Allowed transitions of a task. A late answer may still end a task that waits for an administrator. */
export const taskTransitions: Readonly<Record<TaskState, readonly TaskState[]>> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['queued', 'completed', 'failed', 'cancelled', 'reconciliation_required'],
  reconciliation_required: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

/** Reasons why a task failed, or waits for an administrator. */
export const taskReasons = [
  'refused',
  'unavailable',
  'not_connected',
  'answer_lost',
  'output_invalid',
  'outcome_unknown',
  'cost_unknown',
  'cancelled_midway',
  'settled',
] as const
/** Reason of the state of a task. */
export type TaskReason = (typeof taskReasons)[number]
