import type { Logger } from 'pino'
import { type Queryable, type Sql, withoutStatementTimeout } from './sql.ts'

declare module './jobs.ts' {
  interface Jobs {
    'checks.run': Record<string, unknown>
  }
}

/** Differences reported of one check. */
const REPORTED_MAX = 100

/** Rule that holds between rows, such as that a counter equals the sum of its lines. */
export interface ConsistencyCheck {
  /** Rule as a sentence: `Stock equals the sum of its movements`. */
  readonly rule: string
  /** Lists what breaks the rule, at most `limit`. */
  find(sql: Queryable, limit: number): Promise<readonly object[]>
}

/** Result of one check. `differences` is empty when the rule holds. */
export interface CheckResult {
  readonly rule: string
  readonly differences: readonly object[]
}

/** Runs checks one after another, without a statement timeout. Stops between two when the signal is aborted. */
export async function* runChecks(sql: Sql, checks: readonly ConsistencyCheck[], signal?: AbortSignal): AsyncGenerator<CheckResult> {
  for (const { rule, find } of checks) {
    if (signal?.aborted) return
    yield { rule, differences: await withoutStatementTimeout(sql, (tx) => find(tx, REPORTED_MAX)) }
  }
}

/** Logs every difference as an error, and the number of checks. Work of the nightly job `checks.run`. */
export async function logDifferences(sql: Sql, log: Logger, checks: readonly ConsistencyCheck[], signal: AbortSignal): Promise<void> {
  let [run, broken] = [0, 0]
  for await (const { rule, differences } of runChecks(sql, checks, signal)) {
    run += 1
    if (differences.length > 0) broken += 1
    for (const difference of differences) log.error({ rule, difference }, 'data is inconsistent')
  }
  log.info({ run, broken, all: checks.length }, 'consistency checks have run')
}
