import type { concerns, paymentStatuses } from '../../../plugins/payment/payments.model.ts'
import type { CodeLabel } from '../../http/table/csv-export.ts'

/** Labels of the statuses of a payment, for exports. */
export const paymentStatusLabels: Readonly<Record<(typeof paymentStatuses)[number], CodeLabel>> = {
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

/** Labels of the concerns about a payment. */
export const concernLabels: Readonly<Record<(typeof concerns)[number], CodeLabel>> = {
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

/** Labels of methods of payment that many gateways have. Names of cards and wallets are the same in every language. */
export const methodLabels: Readonly<Record<string, CodeLabel>> = {
  card: ['Carte', 'بطاقة'],
  cash: ['Espèces', 'نقدا'],
  wallet: ['Portefeuille', 'محفظة'],
  bank_transfer: ['Virement bancaire', 'تحويل بنكي'],
}
