import type { Context } from '../../context.ts'
import { type Queryable, withoutStatementTimeout } from '../../data/sql.ts'
import { listLedgerMismatches, listOrderMismatches, listRefundMismatches, type PaymentDifference } from './verify.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'payments.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** Lists inconsistencies between payments, refunds, orders and the ledger, at most 100 of each check. */
export async function findPaymentDifferences(sql: Queryable): Promise<PaymentDifference[]> {
  const checks = [listLedgerMismatches, listRefundMismatches, listOrderMismatches]
  return (await Promise.all(checks.map((check) => check(sql, REPORTED_MAX)))).flat()
}

/** Logs every inconsistency of payments as an error. Runs nightly without a statement timeout. */
export async function logPaymentDifferences({ sql, log }: Context) {
  for (const difference of await withoutStatementTimeout(sql, findPaymentDifferences))
    log.error({ difference }, 'a payment does not add up')
}
