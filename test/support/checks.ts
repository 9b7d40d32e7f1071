import type { ConsistencyCheck } from '../../core/data/checks.ts'
import type { Queryable } from '../../core/data/sql.ts'
import { payoutChecks } from '../../core/money/gateway-payouts/checks.ts'
import { ledgerChecks } from '../../core/money/ledger/checks.ts'
import { paymentChecks } from '../../core/money/payments/checks.ts'
import { remittanceChecks } from '../../core/money/remittances/checks.ts'
import { orderChecks } from '../../core/orders/checks.ts'
import { listDrift } from '../../core/shop/inventory/drift.queries.ts'

interface Difference {
  readonly what: string
  readonly id: string
  readonly says: string
}

/** Lists what breaks the rules of some checks; empty when all hold. */
const differencesBy = (checks: readonly ConsistencyCheck[]) => async (sql: Queryable) =>
  (await Promise.all(checks.map(({ find }) => find(sql, 100)))).flat() as Difference[]

export const findDifferences = differencesBy(orderChecks)
export const findPaymentDifferences = differencesBy(paymentChecks)
export const findPayoutDifferences = differencesBy(payoutChecks)
export const findLedgerDifferences = differencesBy(ledgerChecks)
export const findRemittanceDifferences = differencesBy(remittanceChecks)

/** Lists counters of the inventory that differ from their lines, in one project or in all. */
export const findDrift = async (sql: Queryable, projectId?: string) => [...(await listDrift(sql, projectId, 100))]
