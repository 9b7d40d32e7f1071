import type { OrderStatus } from '../statuses.ts'

interface Rule {
  /** The order's status after the call; null where it stays as it is. */
  readonly to: OrderStatus | null
  /** Minutes until it is called again, after the first, the second and each further call that came to nothing; empty where it is not. */
  readonly retries?: readonly number[]
  /** What has to be said with it. */
  readonly needs?: 'until' | 'reason'
}

const HOUR = 60
const DAY = 24 * HOUR

/** What can come of a call. */
export const outcomes = {
  confirmed: { to: 'confirmed' },
  no_answer: { to: 'unreachable', retries: [30, 2 * HOUR, DAY, 2 * DAY] },
  busy: { to: 'unreachable', retries: [10, 30, 2 * HOUR, DAY] },
  wrong_number: { to: 'unreachable', retries: [] },
  postponed: { to: 'postponed', needs: 'until' },
  cancelled: { to: 'cancelled', needs: 'reason' },
  given_back: { to: null },
} as const satisfies Readonly<Record<string, Rule>>

export type Outcome = keyof typeof outcomes
export const outcomeNames = Object.keys(outcomes) as Outcome[]
export const ruleOf = (outcome: Outcome): Rule => outcomes[outcome]

/** How long to wait after so many calls in a row that came to nothing; null where there is no further one. */
export function retryMinutes({ retries = [] }: Rule, attempts: number, most: number): number | null {
  if (attempts >= most) return null
  return retries[Math.min(attempts, retries.length) - 1] ?? null
}
