import type { Context } from '../../context.ts'
import { type Queryable, withoutStatementTimeout } from '../../data/sql.ts'
import {
  listLineMismatches,
  listPayoutStateMismatches,
  listPayoutSumMismatches,
  listUnclearedLines,
  type PayoutDifference,
} from './verify.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'payouts.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** Lists inconsistencies between gateway payouts, their lines and the ledger, at most 100 of each check. */
export async function findPayoutDifferences(sql: Queryable): Promise<PayoutDifference[]> {
  const checks = [listLineMismatches, listUnclearedLines, listPayoutStateMismatches, listPayoutSumMismatches]
  return (await Promise.all(checks.map((check) => check(sql, REPORTED_MAX)))).flat()
}

/** Logs every inconsistency of gateway payouts as an error. Runs nightly without a statement timeout. */
export async function logPayoutDifferences({ sql, log }: Context) {
  for (const difference of await withoutStatementTimeout(sql, findPayoutDifferences))
    log.error({ difference }, 'a payout of a gateway does not add up')
}
