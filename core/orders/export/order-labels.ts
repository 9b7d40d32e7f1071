import type { CodeLabel } from '../../http/table/csv-export.ts'
import type { orderSources } from '../orders.model.ts'
import type { OrderPaymentStatus, OrderStatus } from '../statuses.ts'

/** Labels of the statuses of an order, for exports. */
export const orderStatusLabels: Readonly<Record<OrderStatus, CodeLabel>> = {
  pending: ['En attente', 'قيد الانتظار'],
  confirmed: ['Confirmée', 'مؤكدة'],
  unreachable: ['Injoignable', 'لا يرد'],
  postponed: ['Reportée', 'مؤجلة'],
  sent: ['Expédiée', 'عند شركة التوصيل'],
  out_for_delivery: ['En cours de livraison', 'قيد التوصيل'],
  delivered: ['Livrée', 'تم التسليم'],
  returning: ['En retour', 'قيد الإرجاع'],
  returned: ['Retournée', 'مرتجعة'],
  cancelled: ['Annulée', 'ملغاة'],
  lost: ['Perdue', 'مفقودة'],
}

/** Labels of the payment statuses of an order. */
export const orderPaymentStatusLabels: Readonly<Record<OrderPaymentStatus, CodeLabel>> = {
  unpaid: ['Non payée', 'غير مدفوعة'],
  pending: ['En attente', 'قيد الانتظار'],
  partially_paid: ['Payée en partie', 'مدفوعة جزئيا'],
  paid: ['Payée', 'مدفوعة'],
  refunded: ['Remboursée', 'مسترجعة'],
  needs_attention: ['À vérifier', 'تحتاج إلى مراجعة'],
}

/** Labels of the sources of an order. */
export const orderSourceLabels: Readonly<Record<(typeof orderSources)[number], CodeLabel>> = {
  member: ['Équipe', 'الفريق'],
  api: ['API', 'واجهة برمجية'],
  storefront: ['Boutique', 'المتجر'],
  connector: ['Boutique connectée', 'متجر متصل'],
}
