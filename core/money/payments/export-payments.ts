import type { Payment } from '../../../plugins/payment/payments.model.ts'
import { type CsvColumn, codeColumn, csvColumn } from '../../http/table/csv-export.ts'
import { concernLabels, methodLabels, paymentStatusLabels } from './payment-labels.ts'

/** Columns of the CSV export of payments. */
export const paymentColumns: readonly CsvColumn<Payment>[] = [
  csvColumn('Payment id', 'Identifiant', 'معرف الدفع', ({ id }) => id),
  csvColumn('Order id', 'Commande', 'معرف الطلب', ({ orderId }) => orderId),
  csvColumn('Gateway', 'Passerelle', 'بوابة الدفع', ({ gateway }) => gateway),
  codeColumn(['Status', 'Statut', 'الحالة'], paymentStatusLabels, ({ status }) => status),
  codeColumn<Payment, string>(['Method', 'Moyen', 'الوسيلة'], methodLabels, ({ method }) => method),
  csvColumn('Amount', 'Montant', 'المبلغ', ({ amount }) => amount),
  csvColumn('Paid', 'Payé', 'المدفوع', ({ paid }) => paid),
  csvColumn('Refunded', 'Remboursé', 'المسترجع', ({ refunded }) => refunded),
  csvColumn('Fee', 'Frais', 'الرسوم', ({ fee }) => fee),
  csvColumn('Currency', 'Devise', 'العملة', ({ currency }) => currency),
  csvColumn('Created', 'Créé', 'تاريخ الإنشاء', ({ createdAt }) => createdAt),
  csvColumn('Paid at', 'Payé le', 'تاريخ الدفع', ({ paidAt }) => paidAt),
  codeColumn(['Concern', 'Anomalie', 'ملاحظة النظام'], concernLabels, ({ concern }) => concern),
  csvColumn('Number at the gateway', 'Numéro de la passerelle', 'رقم البوابة', ({ externalId }) => externalId),
]
