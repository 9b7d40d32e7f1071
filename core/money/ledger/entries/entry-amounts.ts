import { decimal } from '../../../lib/money/decimal.ts'
import type { EntryAmounts } from './entries.model.ts'
import type { CarrierClaim, ParcelPayment } from './posting.ts'

/** Returns what the carrier owes for a delivery, from the amounts of its entry. */
export const claimOfEntry = ({ carrier, sales, fees }: Pick<EntryAmounts, 'carrier' | 'sales' | 'fees'>): CarrierClaim => ({
  carrier: decimal(carrier),
  cod: -decimal(sales),
  fees: decimal(fees),
})

/** Returns what a remittance paid for a parcel, from the amounts of its entry. A missing stated fee counts as zero. */
export const paymentOfEntry = ({
  carrier,
  fees,
  statedFee,
}: Pick<EntryAmounts, 'carrier' | 'fees'> & { readonly statedFee: string | null }): ParcelPayment => ({
  carrier: decimal(carrier),
  fees: decimal(fees),
  statedFee: decimal(statedFee ?? 0),
})
