import type { Context } from '../../context.ts'
import { type Queryable, withoutStatementTimeout } from '../../data/sql.ts'
import {
  type LedgerDifference,
  listClaimMismatches,
  listDeductionMismatches,
  listParcelsPaidTwice,
  listUnbalancedEntries,
} from './verify.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'ledger.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** Lists inconsistencies within the ledger, and between it and the delivered parcels, at most 100 of each check. */
export async function findLedgerDifferences(sql: Queryable): Promise<LedgerDifference[]> {
  const checks = [listUnbalancedEntries, listClaimMismatches, listDeductionMismatches, listParcelsPaidTwice]
  return (await Promise.all(checks.map((check) => check(sql, REPORTED_MAX)))).flat()
}

/** Logs every inconsistency of the ledger as an error. Runs nightly without a statement timeout. */
export async function logLedgerDifferences({ sql, log }: Context) {
  for (const difference of await withoutStatementTimeout(sql, findLedgerDifferences))
    log.error({ difference }, 'the cash ledger does not add up')
}
