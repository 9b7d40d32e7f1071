import type { payoutStatuses } from '../../../plugins/payment/payouts.model.ts'
import { type CodeLabel, type CsvColumn, codeColumn, csvColumn } from '../../http/table/csv-export.ts'
import type { GatewayPayout } from './payouts.model.ts'

const statusLabels: Readonly<Record<(typeof payoutStatuses)[number], CodeLabel>> = {
  pending: ['En attente', 'قيد الانتظار'],
  in_transit: ['En route', 'في الطريق'],
  paid: ['Versé', 'تم الدفع'],
  failed: ['Échoué', 'فاشل'],
  cancelled: ['Annulé', 'ملغى'],
}

const stateLabels: Readonly<Record<GatewayPayout['state'], CodeLabel>> = {
  open: ['En attente', 'قيد الانتظار'],
  posted: ['Comptabilisé', 'مقيد'],
  reversed: ['Annulé', 'ملغى'],
}

/** Columns of the CSV export of gateway payouts. */
export const payoutColumns: readonly CsvColumn<GatewayPayout>[] = [
  csvColumn('Payout id', 'Identifiant', 'معرف التحويل', ({ id }) => id),
  csvColumn('Gateway', 'Passerelle', 'بوابة الدفع', ({ gateway }) => gateway),
  csvColumn('Number at the gateway', 'Numéro de la passerelle', 'رقم البوابة', ({ externalId }) => externalId),
  codeColumn(['Status', 'Statut', 'الحالة'], statusLabels, ({ status }) => status),
  codeColumn(['Ledger', 'Comptabilité', 'السجل'], stateLabels, ({ state }) => state),
  csvColumn('Amount', 'Montant', 'المبلغ', ({ amount }) => amount),
  csvColumn('Currency', 'Devise', 'العملة', ({ currency }) => currency),
  csvColumn('Lines that wait', 'Lignes en attente', 'أسطر قيد الانتظار', ({ waiting }) => waiting),
  csvColumn('Made', 'Émis', 'تاريخ الإصدار', ({ madeAt }) => madeAt),
  csvColumn('Arrives', 'Arrivée', 'تاريخ الوصول', ({ arrivesAt }) => arrivesAt),
  csvColumn('Posted', 'Comptabilisé', 'تاريخ القيد', ({ postedAt }) => postedAt),
  csvColumn('Reversed', 'Annulé', 'تاريخ الإلغاء', ({ reversedAt }) => reversedAt),
]
