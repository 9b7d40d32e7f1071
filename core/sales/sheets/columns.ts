import { foldHeader } from '../../../plugins/spreadsheet/headers.ts'
import type { HeaderLanguage, SheetColumn, SheetField } from '../../../plugins/spreadsheet/model.ts'

export type Words = Readonly<Record<HeaderLanguage, string>> & { readonly also?: readonly string[] }

/** The column by which rows are known. */
export const keyHeaders: Readonly<Record<HeaderLanguage, string>> = { ar: 'معرف الطلب', fr: 'ID commande', en: 'Order ID' }

/** A tab that orders went to before has it already, in whatever language. */
export const isKeyHeader = (header: string): boolean => Object.values(keyHeaders).some((one) => foldHeader(one) === foldHeader(header))

/** How people call what a column holds: ours, and other words that say the same. */
export const words: Readonly<Record<SheetField, Words>> = {
  reference: { ar: 'رقم الطلب', fr: 'Référence', en: 'Reference', also: ['order number', 'n° commande', 'numéro de commande'] },
  createdAt: { ar: 'تاريخ الطلب', fr: 'Date', en: 'Date', also: ['created at', 'order date', 'date de commande', 'التاريخ'] },
  status: { ar: 'الحالة', fr: 'Statut', en: 'Status', also: ['état', 'etat', 'state of order', 'حالة الطلب'] },
  customerName: {
    ar: 'الاسم',
    fr: 'Nom',
    en: 'Name',
    also: ['client', 'customer', 'nom complet', 'full name', 'nom et prénom', 'الزبون', 'الاسم الكامل'],
  },
  phone: { ar: 'الهاتف', fr: 'Téléphone', en: 'Phone', also: ['tel', 'tél', 'mobile', 'phone number', 'numéro', 'رقم الهاتف'] },
  phoneAlt: { ar: 'هاتف ثان', fr: 'Téléphone 2', en: 'Phone 2', also: ['tel 2', 'second phone', 'الهاتف 2'] },
  email: { ar: 'البريد الإلكتروني', fr: 'E-mail', en: 'Email', also: ['mail', 'courriel', 'e-mail address'] },
  country: { ar: 'البلد', fr: 'Pays', en: 'Country' },
  state: { ar: 'الولاية', fr: 'Région', en: 'State', also: ['province', 'region', 'المنطقة', 'gouvernorat'] },
  city: { ar: 'البلدية', fr: 'Commune', en: 'City', also: ['ville', 'town', 'المدينة'] },
  address: { ar: 'العنوان', fr: 'Adresse', en: 'Address' },
  deliveryType: { ar: 'نوع التوصيل', fr: 'Type de livraison', en: 'Delivery type' },
  products: { ar: 'المنتجات', fr: 'Produits', en: 'Products', also: ['produit', 'product', 'article', 'articles', 'المنتج'] },
  quantity: { ar: 'الكمية', fr: 'Quantité', en: 'Quantity', also: ['qty', 'qté', 'العدد'] },
  subtotal: { ar: 'ثمن المنتجات', fr: 'Sous-total', en: 'Subtotal' },
  delivery: { ar: 'ثمن التوصيل', fr: 'Livraison', en: 'Delivery', also: ['shipping', 'frais de livraison'] },
  discount: { ar: 'التخفيض', fr: 'Remise', en: 'Discount' },
  total: { ar: 'المجموع', fr: 'Total', en: 'Total', also: ['montant', 'amount', 'prix total', 'المبلغ'] },
  paid: { ar: 'المدفوع', fr: 'Payé', en: 'Paid' },
  note: { ar: 'ملاحظة', fr: 'Remarque', en: 'Note', also: ['notes', 'comment', 'commentaire', 'ملاحظات'] },
  promoCode: { ar: 'رمز التخفيض', fr: 'Code promo', en: 'Promo code' },
  source: { ar: 'المصدر', fr: 'Source', en: 'Source' },
  carrier: { ar: 'شركة التوصيل', fr: 'Transporteur', en: 'Carrier', also: ['courier', 'société de livraison'] },
  tracking: { ar: 'رقم التتبع', fr: 'Suivi', en: 'Tracking', also: ['tracking number', 'numéro de suivi'] },
  updatedAt: { ar: 'آخر تغيير', fr: 'Dernière modification', en: 'Updated' },
}

/** Which columns a new sheet has, in this order. */
const usual: readonly SheetField[] = [
  'reference',
  'createdAt',
  'status',
  'customerName',
  'phone',
  'phoneAlt',
  'state',
  'city',
  'address',
  'deliveryType',
  'products',
  'quantity',
  'delivery',
  'total',
  'note',
  'carrier',
  'tracking',
]

export const usualColumns = (language: HeaderLanguage): SheetColumn[] => usual.map((field) => ({ header: words[field][language], field }))

/** What headers say of the columns that they stand above, by such words; each field once. */
export function recogniser<F extends string>(known: Readonly<Record<F, Words>>) {
  const fields = new Map(
    (Object.entries(known) as [F, Words][]).flatMap(([field, { also = [], ...ours }]) =>
      [...Object.values(ours), ...also].map((header) => [foldHeader(header), field] as const),
    ),
  )
  return (headers: readonly string[]): { header: string; field: F }[] => {
    const taken = new Set<F>()
    return headers.flatMap((header) => {
      const field = fields.get(foldHeader(header))
      if (!field || taken.has(field)) return []
      taken.add(field)
      return [{ header, field }]
    })
  }
}

export const recognised = recogniser(words)
