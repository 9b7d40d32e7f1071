import { type CsvColumn, column } from '../http/table/csv-export.ts'
import type { ExportedOrder } from './list.queries.ts'

/** Columns of the export of orders: one row for each order. */
export const orderColumns: readonly CsvColumn<ExportedOrder>[] = [
  column('Reference', 'Référence', 'المرجع', ({ reference }) => reference),
  column('Date', 'Date', 'التاريخ', ({ createdAt }) => createdAt),
  column('Status', 'Statut', 'الحالة', ({ status }) => status),
  column('Payment status', 'Statut du paiement', 'حالة الدفع', ({ paymentStatus }) => paymentStatus),
  column('Customer', 'Client', 'الزبون', ({ customerName }) => customerName),
  column('Phone', 'Téléphone', 'الهاتف', ({ customerPhone }) => customerPhone),
  column('Second phone', 'Second téléphone', 'الهاتف الثاني', ({ customerPhoneAlt }) => customerPhoneAlt),
  column('E-mail', 'E-mail', 'البريد الإلكتروني', ({ customerEmail }) => customerEmail),
  column('State code', 'Code de la région', 'رمز الولاية', ({ destination }) => destination.stateCode),
  column('State', 'Région', 'الولاية', ({ destination }) => destination.stateName),
  column('City', 'Commune', 'البلدية', ({ destination }) => destination.cityName),
  column('Address', 'Adresse', 'العنوان', ({ destination }) => destination.address),
  column('Delivery type', 'Type de livraison', 'نوع التوصيل', ({ destination }) => destination.deliveryType),
  column('Goods', 'Articles', 'السلع', ({ items }) =>
    items.map(({ name, sku, quantity }) => `${quantity} x ${name}${sku ? ` (${sku})` : ''}`).join(' | '),
  ),
  column('Quantity', 'Quantité', 'الكمية', ({ items }) => items.reduce((sum, { quantity }) => sum + quantity, 0)),
  column('Subtotal', 'Sous-total', 'المجموع الفرعي', ({ subtotal }) => Number(subtotal)),
  column('Delivery', 'Livraison', 'التوصيل', ({ delivery }) => Number(delivery)),
  column('Discount', 'Remise', 'الخصم', ({ discount }) => Number(discount)),
  column('Total', 'Total', 'المجموع', ({ total }) => Number(total)),
  column('Paid', 'Payé', 'المدفوع', ({ paid }) => Number(paid)),
  column('Promotion', 'Code promo', 'رمز التخفيض', ({ promoCode }) => promoCode),
  column('Source', 'Source', 'المصدر', ({ source }) => source),
  column('Note', 'Note', 'ملاحظة', ({ note }) => note),
  column('Order id', 'Identifiant', 'المعرف', ({ id }) => id),
  column('Parcel id', 'Colis', 'معرف الطرد', ({ parcelId }) => parcelId),
]
