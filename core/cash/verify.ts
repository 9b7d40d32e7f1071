import type { Context } from '../context.ts'
import type { CronEntry, JobHandlers } from '../data/jobs.ts'
import type { Queryable } from '../data/sql.ts'
import {
  type CashDifference,
  deductionsAgainstPayments,
  entriesOutOfBalance,
  paidParcelsUnsettled,
  parcelsAgainstDebts,
  parcelsPaidTwice,
  payoutsAgainstEntries,
} from './verify.queries.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'cash.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** What does not add up between the cash ledger, the parcels and the payouts; empty where all does. */
export async function findCashDifferences(sql: Queryable): Promise<CashDifference[]> {
  const checks = [
    entriesOutOfBalance,
    parcelsAgainstDebts,
    paidParcelsUnsettled,
    deductionsAgainstPayments,
    parcelsPaidTwice,
    payoutsAgainstEntries,
  ]
  return (await Promise.all(checks.map((check) => check(sql, REPORTED_MAX)))).flat()
}

export const cashJobs = ({ sql, log }: Context): Pick<JobHandlers, 'cash.verify'> => ({
  async 'cash.verify'() {
    for (const difference of await findCashDifferences(sql)) log.error({ difference }, 'the cash ledger does not add up')
  },
})

export const cashCron: readonly CronEntry[] = [{ job: 'cash.verify', at: '27 4 * * *' }]
