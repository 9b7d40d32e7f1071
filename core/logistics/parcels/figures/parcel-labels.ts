import type { cashStatuses, deliveryTypes, ParcelStatus } from '../../../../plugins/carrier/model.ts'
import type { CodeLabel } from '../../../http/table/csv-export.ts'

/** Labels of the statuses of a parcel, for exports. */
export const parcelStatusLabels: Readonly<Record<ParcelStatus, CodeLabel>> = {
  created: ['Créé', 'تم الإنشاء'],
  submitting: ['En cours de remise', 'قيد التسليم للناقل'],
  submitted: ['Remis', 'مسجل عند الناقل'],
  picked_up: ['Ramassé', 'تم الاستلام'],
  in_transit: ['En transit', 'في الطريق'],
  at_center: ['Au centre', 'في المركز'],
  out_for_delivery: ['En cours de livraison', 'قيد التوصيل'],
  delivery_failed: ['Tentative échouée', 'محاولة فاشلة'],
  on_hold: ['En suspens', 'معلق'],
  delivered: ['Livré', 'تم التسليم'],
  returning: ['En retour', 'قيد الإرجاع'],
  returned: ['Retourné', 'مرتجع'],
  cancelled: ['Annulé', 'ملغى'],
  lost: ['Perdu', 'مفقود'],
}

/** Labels of the cash statuses of a parcel. */
export const cashStatusLabels: Readonly<Record<(typeof cashStatuses)[number], CodeLabel>> = {
  none: ['Aucun', 'لا شيء'],
  collected: ['Encaissé', 'تم التحصيل'],
  payout_ready: ['Prêt à être versé', 'جاهز للدفع'],
  paid_out: ['Versé', 'تم الدفع'],
  payout_confirmed: ['Versement confirmé', 'تم تأكيد الدفع'],
  payout_cancelled: ['Versement annulé', 'ألغي الدفع'],
}

/** Labels of the delivery types. */
export const deliveryTypeLabels: Readonly<Record<(typeof deliveryTypes)[number], CodeLabel>> = {
  home: ['À domicile', 'إلى المنزل'],
  pickup: ['Point relais', 'نقطة استلام'],
  return_point: ['Point de retour', 'نقطة إرجاع'],
}
