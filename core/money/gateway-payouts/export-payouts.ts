import { type CsvColumn, column } from '../../http/table/csv-export.ts'
import type { GatewayPayout } from './payouts.model.ts'

/** Columns of the CSV export of gateway payouts. */
export const payoutColumns: readonly CsvColumn<GatewayPayout>[] = [
  column('Payout id', 'Identifiant', 'معرف التحويل', ({ id }) => id),
  column('Gateway', 'Passerelle', 'بوابة الدفع', ({ gateway }) => gateway),
  column('Number at the gateway', 'Numéro de la passerelle', 'رقم البوابة', ({ externalId }) => externalId),
  column('Status', 'Statut', 'الحالة', ({ status }) => status),
  column('Ledger', 'Comptabilité', 'السجل', ({ state }) => state),
  column('Amount', 'Montant', 'المبلغ', ({ amount }) => amount),
  column('Currency', 'Devise', 'العملة', ({ currency }) => currency),
  column('Lines that wait', 'Lignes en attente', 'أسطر قيد الانتظار', ({ waiting }) => waiting),
  column('Made', 'Émis', 'تاريخ الإصدار', ({ madeAt }) => madeAt),
  column('Arrives', 'Arrivée', 'تاريخ الوصول', ({ arrivesAt }) => arrivesAt),
  column('Posted', 'Comptabilisé', 'تاريخ القيد', ({ postedAt }) => postedAt),
  column('Reversed', 'Annulé', 'تاريخ الإلغاء', ({ reversedAt }) => reversedAt),
]
