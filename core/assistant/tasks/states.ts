export const states = ['queued', 'running', 'completed', 'failed', 'cancelled', 'reconciliation_required'] as const
export type State = (typeof states)[number]

/** Where a task may go from each state. What waits for a person may still be answered late by whoever did it. */
export const moves: Readonly<Record<State, readonly State[]>> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['queued', 'completed', 'failed', 'cancelled', 'reconciliation_required'],
  reconciliation_required: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

export const isOver = (state: State): boolean => moves[state].length === 0

/** Why a task failed, or waits for a person. */
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
export type Reason = (typeof reasons)[number]
