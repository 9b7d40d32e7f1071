import { type CsvColumn, csvColumn } from '../../http/table/csv-export.ts'
import type { GatewayPayout } from './payouts.model.ts'

/** Columns of the CSV export of gateway payouts. */
export const payoutColumns: readonly CsvColumn<GatewayPayout>[] = [
  csvColumn('Payout id', 'Identifiant', 'معرف التحويل', ({ id }) => id),
  csvColumn('Gateway', 'Passerelle', 'بوابة الدفع', ({ gateway }) => gateway),
  csvColumn('Number at the gateway', 'Numéro de la passerelle', 'رقم البوابة', ({ externalId }) => externalId),
  csvColumn('Status', 'Statut', 'الحالة', ({ status }) => status),
  csvColumn('Ledger', 'Comptabilité', 'السجل', ({ state }) => state),
  csvColumn('Amount', 'Montant', 'المبلغ', ({ amount }) => amount),
  csvColumn('Currency', 'Devise', 'العملة', ({ currency }) => currency),
  csvColumn('Lines that wait', 'Lignes en attente', 'أسطر قيد الانتظار', ({ waiting }) => waiting),
  csvColumn('Made', 'Émis', 'تاريخ الإصدار', ({ madeAt }) => madeAt),
  csvColumn('Arrives', 'Arrivée', 'تاريخ الوصول', ({ arrivesAt }) => arrivesAt),
  csvColumn('Posted', 'Comptabilisé', 'تاريخ القيد', ({ postedAt }) => postedAt),
  csvColumn('Reversed', 'Annulé', 'تاريخ الإلغاء', ({ reversedAt }) => reversedAt),
]
