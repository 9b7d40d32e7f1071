import type { Context } from '../../context.ts'
import { type Queryable, withoutStatementTimeout } from '../../data/sql.ts'
import { ordersAgainstPayments, type PaymentDifference, paymentsAgainstLedger, paymentsAgainstRefunds } from './verify.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'payments.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** What does not add up between payments, their refunds, their orders and the ledger; empty where all does. */
export async function findPaymentDifferences(sql: Queryable): Promise<PaymentDifference[]> {
  const checks = [paymentsAgainstLedger, paymentsAgainstRefunds, ordersAgainstPayments]
  return (await Promise.all(checks.map((check) => check(sql, REPORTED_MAX)))).flat()
}

export async function logDifferences({ sql, log }: Context) {
  for (const difference of await withoutStatementTimeout(sql, findPaymentDifferences))
    log.error({ difference }, 'a payment does not add up')
}
