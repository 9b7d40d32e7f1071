import { type CsvColumn, codeColumn, csvColumn } from '../../http/table/csv-export.ts'
import { deliveryTypeLabels } from '../../logistics/parcels/figures/parcel-labels.ts'
import type { ExportedOrder } from '../list.queries.ts'
import { orderPaymentStatusLabels, orderSourceLabels, orderStatusLabels } from './order-labels.ts'

/** Columns of the orders' CSV export, one row per order, with headings in English, French and Arabic. */
export const orderColumns: readonly CsvColumn<ExportedOrder>[] = [
  csvColumn('Reference', 'Référence', 'المرجع', ({ reference }) => reference),
  csvColumn('Date', 'Date', 'التاريخ', ({ createdAt }) => createdAt),
  codeColumn(['Status', 'Statut', 'الحالة'], orderStatusLabels, ({ status }) => status),
  codeColumn(['Payment status', 'Statut du paiement', 'حالة الدفع'], orderPaymentStatusLabels, ({ paymentStatus }) => paymentStatus),
  csvColumn('Customer', 'Client', 'الزبون', ({ customerName }) => customerName),
  csvColumn('Phone', 'Téléphone', 'الهاتف', ({ customerPhone }) => customerPhone),
  csvColumn('Second phone', 'Second téléphone', 'الهاتف الثاني', ({ customerPhoneAlt }) => customerPhoneAlt),
  csvColumn('E-mail', 'E-mail', 'البريد الإلكتروني', ({ customerEmail }) => customerEmail),
  csvColumn('State code', 'Code de la région', 'رمز الولاية', ({ destination }) => destination.stateCode),
  csvColumn('State', 'Région', 'الولاية', ({ destination }) => destination.stateName),
  csvColumn('City', 'Commune', 'البلدية', ({ destination }) => destination.cityName),
  csvColumn('Address', 'Adresse', 'العنوان', ({ destination }) => destination.address),
  codeColumn(['Delivery type', 'Type de livraison', 'نوع التوصيل'], deliveryTypeLabels, ({ destination }) => destination.deliveryType),
  csvColumn('Goods', 'Articles', 'السلع', ({ items }) =>
    items.map(({ name, sku, quantity }) => `${quantity} x ${name}${sku ? ` (${sku})` : ''}`).join(' | '),
  ),
  csvColumn('Quantity', 'Quantité', 'الكمية', ({ items }) => items.reduce((sum, { quantity }) => sum + quantity, 0)),
  csvColumn('Subtotal', 'Sous-total', 'المجموع الفرعي', ({ subtotal }) => Number(subtotal)),
  csvColumn('Delivery', 'Livraison', 'التوصيل', ({ delivery }) => Number(delivery)),
  csvColumn('Discount', 'Remise', 'الخصم', ({ discount }) => Number(discount)),
  csvColumn('Total', 'Total', 'المجموع', ({ total }) => Number(total)),
  csvColumn('Paid', 'Payé', 'المدفوع', ({ paid }) => Number(paid)),
  csvColumn('Promotion', 'Code promo', 'رمز التخفيض', ({ promoCode }) => promoCode),
  codeColumn(['Source', 'Source', 'المصدر'], orderSourceLabels, ({ source }) => source),
  csvColumn('Note', 'Note', 'ملاحظة', ({ note }) => note),
  csvColumn('Order id', 'Identifiant', 'المعرف', ({ id }) => id),
  csvColumn('Parcel id', 'Colis', 'معرف الطرد', ({ parcelId }) => parcelId),
]
