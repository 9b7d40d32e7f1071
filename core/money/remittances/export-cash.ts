import type { Static } from '@sinclair/typebox'
import { Type as T } from '@sinclair/typebox'
import { type Asked, listing } from '../../http/resource/list.ts'
import { Id, oneOf, Timestamp } from '../../http/schema.ts'
import { type CsvColumn, column } from '../../http/table/csv-export.ts'

/** Kinds of ledger entries. */
export const cashKinds = [
  'delivered',
  'remittance',
  'deduction',
  'charge',
  'payment',
  'refund',
  'payout',
  'undelivered',
  'reversal',
] as const

/** Filters of the list of ledger lines, which has no sort order other than by id. */
export const cashList = listing({
  sorts: null,
  filters: {
    kind: oneOf(cashKinds),
    connectionId: { ...Id, description: 'the connection of a carrier or a gateway' },
    from: { ...Timestamp, description: 'posted at or after this time' },
    to: { ...Timestamp, description: 'posted before this time' },
  },
})
/** Query of a page of ledger lines. */
export type AskedCash = Asked<typeof cashList.filters>

/** Line of the cash ledger, as accountants read it. Amounts are exact decimals. */
export interface CashLine {
  readonly id: string
  readonly at: string
  readonly kind: Static<(typeof cashList.filters)['kind']>
  readonly connection: string | null
  readonly reference: string | null
  readonly tracking: string | null
  readonly carrier: string
  readonly sales: string
  readonly fees: string
  readonly bank: string
  readonly difference: string
  readonly stands: boolean
  readonly remittanceId: string | null
  readonly paymentId: string | null
  readonly payoutId: string | null
}

/** Columns of the CSV export of the ledger, with one column per account. */
export const cashColumns: readonly CsvColumn<CashLine>[] = [
  column('Line', 'Ligne', 'السطر', ({ id }) => Number(id)),
  column('Date', 'Date', 'التاريخ', ({ at }) => at),
  column('Kind', 'Type', 'النوع', ({ kind }) => kind),
  column('Carrier or gateway', 'Transporteur ou passerelle', 'الناقل أو البوابة', ({ connection }) => connection),
  column('Reference', 'Référence', 'المرجع', ({ reference }) => reference),
  column('Tracking number', 'Numéro de suivi', 'رقم التتبع', ({ tracking }) => tracking),
  column('Owed by carriers', 'Dû par les transporteurs', 'ذمم الناقلين', ({ carrier }) => Number(carrier)),
  column('Sales', 'Ventes', 'المبيعات', ({ sales }) => Number(sales)),
  column('Fees', 'Frais', 'الرسوم', ({ fees }) => Number(fees)),
  column('Bank', 'Banque', 'البنك', ({ bank }) => Number(bank)),
  column('Difference', 'Écart', 'الفرق', ({ difference }) => Number(difference)),
  column('Stands', 'En vigueur', 'ساري', ({ stands }) => (stands ? 'yes' : 'no')),
  column('Remittance', 'Versement', 'التحويل', ({ remittanceId }) => remittanceId),
  column('Payment', 'Paiement', 'الدفع', ({ paymentId }) => paymentId),
  column('Payout', 'Virement', 'التحويل البنكي', ({ payoutId }) => payoutId),
]

/** Path parameters of routes of a store. */
export const OfStore = T.Object({ storeId: Id })
