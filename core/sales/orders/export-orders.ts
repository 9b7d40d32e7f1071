import { type CsvColumn, column } from '../../http/table/csv-export.ts'
import type { Order } from './orders.model.ts'

/** Columns of the export of orders: one row for each order. */
export const orderColumns: readonly CsvColumn<Order>[] = [
  column('Reference', 'Référence', 'المرجع', ({ reference }) => reference),
  column('Date', 'Date', 'التاريخ', ({ createdAt }) => createdAt),
  column('Status', 'Statut', 'الحالة', ({ status }) => status),
  column('Payment status', 'Statut du paiement', 'حالة الدفع', ({ paymentStatus }) => paymentStatus),
  column('Customer', 'Client', 'الزبون', ({ customer }) => customer.name),
  column('Phone', 'Téléphone', 'الهاتف', ({ customer }) => customer.phone),
  column('Second phone', 'Second téléphone', 'الهاتف الثاني', ({ customer }) => customer.phoneAlt),
  column('E-mail', 'E-mail', 'البريد الإلكتروني', ({ customer }) => customer.email),
  column('State code', 'Code de la région', 'رمز الولاية', ({ destination }) => destination.stateCode),
  column('State', 'Région', 'الولاية', ({ destination }) => destination.stateName),
  column('City', 'Commune', 'البلدية', ({ destination }) => destination.cityName),
  column('Address', 'Adresse', 'العنوان', ({ destination }) => destination.address),
  column('Delivery type', 'Type de livraison', 'نوع التوصيل', ({ destination }) => destination.deliveryType),
  column('Goods', 'Articles', 'السلع', ({ items }) =>
    items.map(({ name, sku, quantity }) => `${quantity} x ${name}${sku ? ` (${sku})` : ''}`).join(' | '),
  ),
  column('Quantity', 'Quantité', 'الكمية', ({ items }) => items.reduce((sum, { quantity }) => sum + quantity, 0)),
  column('Subtotal', 'Sous-total', 'المجموع الفرعي', ({ totals }) => totals.subtotal),
  column('Delivery', 'Livraison', 'التوصيل', ({ totals }) => totals.delivery),
  column('Discount', 'Remise', 'الخصم', ({ totals }) => totals.discount),
  column('Total', 'Total', 'المجموع', ({ totals }) => totals.total),
  column('Paid', 'Payé', 'المدفوع', ({ paid }) => paid),
  column('Promotion', 'Code promo', 'رمز التخفيض', ({ promoCode }) => promoCode),
  column('Source', 'Source', 'المصدر', ({ source }) => source),
  column('Note', 'Note', 'ملاحظة', ({ note }) => note),
  column('Order id', 'Identifiant', 'المعرف', ({ id }) => id),
  column('Parcel id', 'Colis', 'معرف الطرد', ({ parcelId }) => parcelId),
]
