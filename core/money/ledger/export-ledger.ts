import type { Static } from '@sinclair/typebox'
import { Type as T } from '@sinclair/typebox'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { Id, oneOf, Timestamp } from '../../http/schema.ts'
import { type CodeLabel, type CsvColumn, codeColumn, csvColumn } from '../../http/table/csv-export.ts'

/** Kinds of ledger entries. */
const ledgerEntryKinds = [
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
export const ledgerList = defineList({
  sorts: null,
  filters: {
    kind: oneOf(ledgerEntryKinds),
    connectionId: { ...Id, description: 'the connection of a carrier or a gateway' },
    from: { ...Timestamp, description: 'posted at or after this time' },
    to: { ...Timestamp, description: 'posted before this time' },
  },
})
/** Query of a page of ledger lines. */
export type LedgerQuery = ListQuery<typeof ledgerList.filters>

/** Line of the cash ledger, as accountants read it. Amounts are exact decimals. */
export interface LedgerLine {
  readonly id: string
  readonly at: string
  readonly kind: Static<(typeof ledgerList.filters)['kind']>
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

const kindLabels: Readonly<Record<LedgerLine['kind'], CodeLabel>> = {
  delivered: ['Livraison', 'توصيل'],
  remittance: ['Versement du transporteur', 'دفعة من الناقل'],
  deduction: ['Retenue', 'خصم'],
  charge: ['Facturation', 'فوترة'],
  payment: ['Paiement', 'دفع'],
  refund: ['Remboursement', 'استرجاع'],
  payout: ['Virement de la passerelle', 'تحويل من بوابة الدفع'],
  undelivered: ['Livraison annulée', 'إلغاء توصيل'],
  reversal: ['Contre-passation', 'قيد عكسي'],
}
const answerLabels = { yes: ['oui', 'نعم'], no: ['non', 'لا'] } as const

/** Columns of the CSV export of the ledger, with one column per account. */
export const ledgerColumns: readonly CsvColumn<LedgerLine>[] = [
  csvColumn('Line', 'Ligne', 'السطر', ({ id }) => Number(id)),
  csvColumn('Date', 'Date', 'التاريخ', ({ at }) => at),
  codeColumn(['Kind', 'Type', 'النوع'], kindLabels, ({ kind }) => kind),
  csvColumn('Carrier or gateway', 'Transporteur ou passerelle', 'الناقل أو البوابة', ({ connection }) => connection),
  csvColumn('Reference', 'Référence', 'المرجع', ({ reference }) => reference),
  csvColumn('Tracking number', 'Numéro de suivi', 'رقم التتبع', ({ tracking }) => tracking),
  csvColumn('Owed by carriers', 'Dû par les transporteurs', 'ذمم الناقلين', ({ carrier }) => Number(carrier)),
  csvColumn('Sales', 'Ventes', 'المبيعات', ({ sales }) => Number(sales)),
  csvColumn('Fees', 'Frais', 'الرسوم', ({ fees }) => Number(fees)),
  csvColumn('Bank', 'Banque', 'البنك', ({ bank }) => Number(bank)),
  csvColumn('Difference', 'Écart', 'الفرق', ({ difference }) => Number(difference)),
  codeColumn(['Stands', 'En vigueur', 'ساري'], answerLabels, ({ stands }) => (stands ? 'yes' : 'no')),
  csvColumn('Remittance', 'Versement', 'التحويل', ({ remittanceId }) => remittanceId),
  csvColumn('Payment', 'Paiement', 'الدفع', ({ paymentId }) => paymentId),
  csvColumn('Payout', 'Virement', 'التحويل البنكي', ({ payoutId }) => payoutId),
]

/** Path parameters of routes of a store. */
export const StoreParams = T.Object({ storeId: Id })
