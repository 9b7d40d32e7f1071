import type { Payment } from '../../../plugins/payment/model.ts'
import { type CsvColumn, column } from '../../http/table/csv-export.ts'

/** Columns of the CSV export of payments. */
export const paymentColumns: readonly CsvColumn<Payment>[] = [
  column('Payment id', 'Identifiant', 'معرف الدفع', ({ id }) => id),
  column('Order id', 'Commande', 'معرف الطلب', ({ orderId }) => orderId),
  column('Gateway', 'Passerelle', 'بوابة الدفع', ({ gateway }) => gateway),
  column('Status', 'Statut', 'الحالة', ({ status }) => status),
  column('Method', 'Moyen', 'الوسيلة', ({ method }) => method),
  column('Amount', 'Montant', 'المبلغ', ({ amount }) => amount),
  column('Paid', 'Payé', 'المدفوع', ({ paid }) => paid),
  column('Refunded', 'Remboursé', 'المسترجع', ({ refunded }) => refunded),
  column('Fee', 'Frais', 'الرسوم', ({ fee }) => fee),
  column('Currency', 'Devise', 'العملة', ({ currency }) => currency),
  column('Created', 'Créé', 'تاريخ الإنشاء', ({ createdAt }) => createdAt),
  column('Paid at', 'Payé le', 'تاريخ الدفع', ({ paidAt }) => paidAt),
  column('Concern', 'Anomalie', 'ملاحظة النظام', ({ concern }) => concern),
  column('Number at the gateway', 'Numéro de la passerelle', 'رقم البوابة', ({ externalId }) => externalId),
]
