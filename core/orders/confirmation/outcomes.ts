import type { CallOutcome } from '../details/calls.model.ts'
import type { OrderStatus } from '../statuses.ts'

interface OutcomeRule {
  /** Status of the order after the call; null leaves it unchanged. */
  readonly to: OrderStatus | null
  /** Minutes until the next call, after the first, the second and each further call without a decision; empty for no further call. */
  readonly retries?: readonly number[]
  /** Field that the request must contain with this outcome. */
  readonly needs?: 'until' | 'reason'
}

const HOUR = 60
const DAY = 24 * HOUR

/** Rules of the outcomes of a confirmation call. */
const callOutcomes = {
  confirmed: { to: 'confirmed' },
  no_answer: { to: 'unreachable', retries: [30, 2 * HOUR, DAY, 2 * DAY] },
  busy: { to: 'unreachable', retries: [10, 30, 2 * HOUR, DAY] },
  wrong_number: { to: 'unreachable', retries: [] },
  postponed: { to: 'postponed', needs: 'until' },
  cancelled: { to: 'cancelled', needs: 'reason' },
  given_back: { to: null },
} as const satisfies Readonly<Record<CallOutcome, OutcomeRule>>

/** Rule of an outcome. */
export const callOutcomeRuleOf = (outcome: CallOutcome): OutcomeRule => callOutcomes[outcome]

/** Returns the minutes until the next call after `attempts` consecutive calls without a decision; null when no further call follows. */
export function retryMinutes({ retries = [] }: OutcomeRule, attempts: number, most: number): number | null {
  if (attempts >= most) return null
  return retries[Math.min(attempts, retries.length) - 1] ?? null
}
