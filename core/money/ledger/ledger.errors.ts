import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of ledger: the code of each, and the sentence that a caller reads. */
export const ledgerErrors = defineErrors({
  cashOutstanding: [
    'conflict',
    ({ parcels, underWayDays }: Values<'parcels' | 'underWayDays'>) =>
      `Carriers have the cash of ${parcels} parcels of the tenant that were delivered in the last ${underWayDays} days. Confirm their payouts first.`,
  ],
})
