import type { ConsistencyCheck } from '../../data/checks.ts'
import { payingOutcomes } from '../ledger/entries/posting.ts'
import { listRemittanceMismatches, listUnclearedClaims } from './checks.queries.ts'

/** Rules between remittances, their lines and the ledger. */
export const remittanceChecks: readonly ConsistencyCheck[] = [
  {
    rule: 'A line that pays a parcel clears the claim on its carrier',
    find: (sql, limit) => listUnclearedClaims(sql, limit, payingOutcomes),
  },
  { rule: 'A confirmed remittance stands in the ledger with its amount', find: listRemittanceMismatches },
]
