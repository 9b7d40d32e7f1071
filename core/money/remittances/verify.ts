import type { Context } from '../../context.ts'
import { type Queryable, withoutStatementTimeout } from '../../data/sql.ts'
import { payingOutcomes } from '../ledger/entries/posting.ts'
import { listRemittanceMismatches, listUnclearedClaims, type RemittanceDifference } from './verify.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'remittances.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** Lists inconsistencies between remittances, their lines and the ledger, at most 100 of each check. */
export async function findRemittanceDifferences(sql: Queryable): Promise<RemittanceDifference[]> {
  const checks = [listUnclearedClaims(sql, REPORTED_MAX, payingOutcomes), listRemittanceMismatches(sql, REPORTED_MAX)]
  return (await Promise.all(checks)).flat()
}

/** Logs every inconsistency of remittances as an error. Runs nightly without a statement timeout. */
export async function logRemittanceDifferences({ sql, log }: Context) {
  for (const difference of await withoutStatementTimeout(sql, findRemittanceDifferences))
    log.error({ difference }, 'a remittance does not add up')
}
