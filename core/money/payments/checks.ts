import type { ConsistencyCheck } from '../../data/checks.ts'
import { listRefundMismatches } from './checks.queries.ts'
import { listLedgerMismatches, listOrderMismatches } from './orders/checks.queries.ts'

/** Rules between payments, refunds, orders and the ledger. */
export const paymentChecks: readonly ConsistencyCheck[] = [
  { rule: 'What was paid and refunded for orders equals the entries of the ledger', find: listLedgerMismatches },
  { rule: 'Refunds of a payment add up to what it says was refunded', find: listRefundMismatches },
  { rule: 'Payments of an order add up to what the order says was paid', find: listOrderMismatches },
]
