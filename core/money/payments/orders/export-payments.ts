import type { concerns, Payment, paymentStatuses } from '../../../../plugins/payment/payments.model.ts'
import { type CodeLabel, type CsvColumn, codeColumn, csvColumn } from '../../../http/table/csv-export.ts'

const paymentStatusLabels: Readonly<Record<(typeof paymentStatuses)[number], CodeLabel>> = {
  created: ['Créé', 'تم الإنشاء'],
  open: ['Ouvert', 'مفتوح'],
  processing: ['En traitement', 'قيد المعالجة'],
  authorized: ['Autorisé', 'مصرح به'],
  paid: ['Payé', 'مدفوع'],
  partially_refunded: ['Remboursé en partie', 'مسترجع جزئيا'],
  refunded: ['Remboursé', 'مسترجع'],
  failed: ['Échoué', 'فاشل'],
  cancelled: ['Annulé', 'ملغى'],
  expired: ['Expiré', 'منتهي الصلاحية'],
}

const concernLabels: Readonly<Record<(typeof concerns)[number], CodeLabel>> = {
  paid_twice: ['Payé deux fois', 'دفع مرتين'],
  paid_less: ['Payé moins que demandé', 'دفع أقل من المطلوب'],
  paid_more: ['Payé plus que demandé', 'دفع أكثر من المطلوب'],
  paid_late: ['Payé trop tard', 'دفع متأخرا'],
  other_currency: ['Autre devise', 'عملة أخرى'],
  order_ended: ['Commande terminée', 'الطلب منته'],
  outcome_unknown: ['Issue inconnue', 'النتيجة غير معروفة'],
  refund_unknown: ['Remboursement incertain', 'الاسترجاع غير مؤكد'],
  refund_failed: ['Remboursement échoué', 'فشل الاسترجاع'],
  taken_back: ['Contesté', 'استرده الدافع'],
}

/** Methods that many gateways have. Names of cards and wallets are the same in every language. */
const methodLabels: Readonly<Record<string, CodeLabel>> = {
  card: ['Carte', 'بطاقة'],
  cash: ['Espèces', 'نقدا'],
  wallet: ['Portefeuille', 'محفظة'],
  bank_transfer: ['Virement bancaire', 'تحويل بنكي'],
}

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
