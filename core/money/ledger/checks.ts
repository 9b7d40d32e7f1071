import type { ConsistencyCheck } from '../../data/checks.ts'
import { listClaimMismatches, listDeductionMismatches, listParcelsPaidTwice, listUnbalancedEntries } from './checks.queries.ts'

/** Rules between the ledger and delivered parcels. */
export const ledgerChecks: readonly ConsistencyCheck[] = [
  { rule: 'Each entry of the ledger adds up to zero', find: listUnbalancedEntries },
  { rule: 'A delivered parcel has the claim on its carrier that it collected', find: listClaimMismatches },
  { rule: 'Deductions of a remittance agree with the parcels they took back', find: listDeductionMismatches },
  { rule: 'A parcel is paid once', find: listParcelsPaidTwice },
]
