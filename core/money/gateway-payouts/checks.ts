import type { ConsistencyCheck } from '../../data/checks.ts'
import { listLineMismatches, listPayoutStateMismatches, listPayoutSumMismatches, listUnclearedLines } from './checks.queries.ts'

/** Rules between payouts of gateways, their lines and the ledger. */
export const payoutChecks: readonly ConsistencyCheck[] = [
  { rule: 'A settled line of a payout agrees with its payment or refund', find: listLineMismatches },
  { rule: 'A settled line of a payout stands in the ledger', find: listUnclearedLines },
  { rule: 'The state of a payout agrees with the ledger', find: listPayoutStateMismatches },
  { rule: 'The lines of a payout add up to its amount', find: listPayoutSumMismatches },
]
