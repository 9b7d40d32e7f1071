import type { Context } from '../../context.ts'
import { type Queryable, withoutStatementTimeout } from '../../data/sql.ts'
import {
  type CashDifference,
  listClaimMismatches,
  listDeductionMismatches,
  listParcelsPaidTwice,
  listRemittanceMismatches,
  listUnbalancedEntries,
  listUnclearedClaims,
} from './verify.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'cash.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** Lists inconsistencies between the cash ledger, parcels and remittances, at most 100 of each check. */
export async function findCashDifferences(sql: Queryable): Promise<CashDifference[]> {
  const checks = [
    listUnbalancedEntries,
    listClaimMismatches,
    listUnclearedClaims,
    listDeductionMismatches,
    listParcelsPaidTwice,
    listRemittanceMismatches,
  ]
  return (await Promise.all(checks.map((check) => check(sql, REPORTED_MAX)))).flat()
}

/** Logs every inconsistency of the cash ledger as an error. Runs nightly without a statement timeout. */
export async function logCashDifferences({ sql, log }: Context) {
  for (const difference of await withoutStatementTimeout(sql, findCashDifferences))
    log.error({ difference }, 'the cash ledger does not add up')
}
