/** States of an AI task. */
export const states = ['queued', 'running', 'completed', 'failed', 'cancelled', 'reconciliation_required'] as const
/** State of an AI task. */
export type State = (typeof states)[number]

/** Allowed transitions of a task. A late answer may still end a task that waits for an administrator. */
export const moves: Readonly<Record<State, readonly State[]>> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['queued', 'completed', 'failed', 'cancelled', 'reconciliation_required'],
  reconciliation_required: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

/** Returns true for a final state. */
export const isOver = (state: State): boolean => moves[state].length === 0

/** Reasons why a task failed, or waits for an administrator. */
export const reasons = [
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
export type Reason = (typeof reasons)[number]
