import { foldHeader } from '../../../../plugins/spreadsheet/headers.ts'
import type { HeaderLanguage, SheetColumn, SheetField } from '../../../../plugins/spreadsheet/model.ts'
import { columnHeaders } from '../../../platform/geo/countries/index.ts'
import { HEADER_MAX, HEADER_SEPARATOR, normalizeHeader } from './normalize-header.ts'

/** Header of a field in each language, and synonyms that are recognized too. */
export type FieldHeaders = Readonly<Record<HeaderLanguage, string>> & { readonly also?: readonly string[] }

/** Headers of the column that identifies rows. */
export const keyHeaders: Readonly<Record<HeaderLanguage, string>> = { ar: 'معرف الطلب', fr: 'ID commande', en: 'Order ID' }

/** Returns true if a header names the key column, in any language. */
export const isKeyHeader = (header: string): boolean => Object.values(keyHeaders).some((one) => foldHeader(one) === foldHeader(header))

/** Headers of the fields and their synonyms. */
export const orderFieldHeaders: Readonly<Record<SheetField, FieldHeaders>> = {
  reference: {
    ar: 'رقم الطلب',
    fr: 'Référence',
    en: 'Reference',
    also: [
      ...['n° commande', 'numéro de commande', 'num commande', 'réf', 'réf commande', 'référence commande', 'code commande'],
      ...['order number', 'order no', 'order num', 'order ref', 'order reference', 'order code', 'ref'],
      ...['رقم الطلبية', 'المرجع', 'مرجع الطلب', 'رمز الطلب', 'كود الطلب'],
    ],
  },
  createdAt: {
    ar: 'تاريخ الطلب',
    fr: 'Date',
    en: 'Date',
    also: ['created at', 'order date', 'date de commande', 'date de création', 'التاريخ', 'تاريخ الطلبية'],
  },
  status: {
    ar: 'الحالة',
    fr: 'Statut',
    en: 'Status',
    also: [
      ...['état', 'statut commande', 'statut de la commande', 'état de la commande', 'état commande', 'situation'],
      ...['state of order', 'order status', 'حالة الطلب', 'حالة الطلبية', 'الوضعية', 'وضعية الطلب'],
    ],
  },
  customerName: {
    ar: 'الاسم',
    fr: 'Nom',
    en: 'Name',
    also: [
      ...['client', 'cliente', 'nom client', 'nom complet', 'nom complet du client', 'nom et prénom', 'prénom et nom', 'nom prénom'],
      ...['prénom nom', 'nom et prénom du client', 'destinataire', 'nom destinataire', 'acheteur', 'nom acheteur'],
      ...['customer', 'customer name', 'customer full name', 'client name', 'full name', 'buyer', 'buyer name', 'recipient'],
      ...['recipient name', 'consignee', 'contact name', 'الزبون', 'الزبونة', 'اسم الزبون', 'اسم الزبونة', 'العميل', 'اسم العميل'],
      ...['الاسم الكامل', 'اسم الزبون الكامل', 'الاسم واللقب', 'اللقب والاسم', 'اسم ولقب الزبون', 'الاسم و اللقب', 'المستلم'],
      ...['اسم المستلم', 'المشتري', 'اسم المشتري', 'المرسل إليه', 'اسم المرسل إليه', 'الحريف', 'اسم الحريف'],
    ],
  },
  phone: {
    ar: 'الهاتف',
    fr: 'Téléphone',
    en: 'Phone',
    also: [
      ...['tel', 'tél', 'téléphone 1', 'tel 1', 'numéro', 'n° téléphone', 'no téléphone', 'num téléphone', 'numéro téléphone', 'n° tel'],
      ...['no tel', 'num tel', 'numéro tel', 'téléphone client', 'tel client', 'numéro client', 'num client', 'numéro téléphone client'],
      ...['n° téléphone client', 'n° tel client', 'téléphone mobile', 'téléphone portable', 'portable', 'n° portable', 'numéro portable'],
      ...['gsm', 'contact', 'mobile', 'mobile phone', 'mobile number', 'phone 1', 'phone no', 'phone number', 'customer phone'],
      ...['customer phone number', 'customer mobile', 'client phone', 'recipient phone', 'telephone number', 'cell', 'cell phone'],
      ...['contact number', 'contact phone', 'رقم الهاتف', 'هاتف الزبون', 'رقم هاتف الزبون', 'رقم الزبون', 'هاتف العميل'],
      ...['رقم هاتف العميل', 'هاتف المستلم', 'رقم هاتف المستلم', 'الهاتف 1', 'رقم الهاتف 1', 'الهاتف المحمول', 'الهاتف النقال'],
      ...['رقم الهاتف المحمول', 'رقم الهاتف النقال', 'الجوال', 'رقم الجوال', 'المحمول', 'رقم المحمول', 'النقال', 'رقم النقال'],
      ...['الموبايل', 'رقم الموبايل', 'التليفون', 'رقم التليفون', 'تلفون', 'رقم التلفون', 'رقم الاتصال'],
    ],
  },
  phoneAlt: {
    ar: 'هاتف ثان',
    fr: 'Téléphone 2',
    en: 'Phone 2',
    also: [
      ...['tel 2', 'n° tel 2', 'num tel 2', 'n° téléphone 2', 'numéro téléphone 2', 'numéro 2', 'mobile 2', 'deuxième téléphone'],
      ...['2ème téléphone', '2e téléphone', 'second téléphone', 'autre téléphone', 'autre numéro', 'téléphone secondaire', 'whatsapp'],
      ...['second phone', 'secondary phone', 'other phone', 'alternative phone', 'alternate phone', 'phone number 2', 'n° whatsapp'],
      ...['numéro whatsapp', 'whatsapp number', 'الهاتف 2', 'رقم الهاتف 2', 'هاتف ثاني', 'الهاتف الثاني', 'رقم الهاتف الثاني'],
      ...['رقم ثاني', 'رقم ثان', 'هاتف آخر', 'رقم آخر', 'الواتساب', 'رقم الواتساب', 'واتس اب'],
    ],
  },
  email: {
    ar: 'البريد الإلكتروني',
    fr: 'E-mail',
    en: 'Email',
    also: [
      'mail',
      'courriel',
      'adresse mail',
      'adresse e-mail',
      'adresse email',
      'e-mail address',
      'email address',
      'الإيميل',
      'البريد',
      'بريد إلكتروني',
    ],
  },
  country: { ar: 'البلد', fr: 'Pays', en: 'Country', also: ['الدولة'] },
  state: {
    ar: 'الولاية',
    fr: 'Région',
    en: 'State',
    also: [
      ...['gouvernorat', 'governorate', 'governerate', 'province', 'département', 'department', 'county', 'region'],
      ...['المحافظة', 'الجهة', 'الإقليم', 'المنطقة'],
      ...columnHeaders.flatMap(({ state }) => state),
    ],
  },
  city: {
    ar: 'البلدية',
    fr: 'Commune',
    en: 'City',
    also: [
      ...['ville', 'ville commune', 'ville de livraison', 'commune de livraison', 'commune client', 'nom commune', 'municipalité'],
      ...['délégation', 'localité', 'town', 'municipality', 'locality', 'المدينة', 'مدينة الزبون', 'المعتمدية'],
      ...columnHeaders.flatMap(({ city }) => city),
    ],
  },
  address: {
    ar: 'العنوان',
    fr: 'Adresse',
    en: 'Address',
    also: [
      ...['adresse complète', 'adresse de livraison', 'adresse client', 'adresse exacte', 'adresse détaillée', 'rue', 'lieu de livraison'],
      ...['full address', 'delivery address', 'shipping address', 'customer address', 'street', 'street address', 'address 1'],
      ...['address line 1', 'العنوان الكامل', 'عنوان التوصيل', 'عنوان الزبون', 'عنوان العميل', 'العنوان بالتفصيل', 'مكان التوصيل'],
    ],
  },
  deliveryType: {
    ar: 'نوع التوصيل',
    fr: 'Type de livraison',
    en: 'Delivery type',
    also: ['mode de livraison', 'delivery method', 'delivery mode', 'shipping method', 'طريقة التوصيل'],
  },
  products: {
    ar: 'المنتجات',
    fr: 'Produits',
    en: 'Products',
    also: [
      ...['produit', 'nom produit', 'nom des produits', 'produit commandé', 'article', 'articles', 'nom article', 'désignation'],
      ...['désignation produit', 'désignation article', 'libellé', 'libellé produit', 'marchandise', 'contenu', 'contenu du colis'],
      ...['product', 'product name', 'products name', 'product title', 'item', 'items', 'item name', 'goods'],
      ...['المنتج', 'المنتوج', 'المنتوجات', 'اسم المنتج', 'اسم المنتوج', 'أسماء المنتجات', 'السلعة', 'السلع', 'اسم السلعة'],
      ...['البضاعة', 'الصنف', 'اسم الصنف', 'محتوى الطرد'],
    ],
  },
  quantity: {
    ar: 'الكمية',
    fr: 'Quantité',
    en: 'Quantity',
    also: [
      ...['qty', 'qté', 'qt', 'qte produit', 'quantité produit', 'quantité commandée', 'nombre', 'nbr', 'nb', 'nombre de pièces'],
      ...['nbr pièces', 'nb pièces', 'nombre articles', 'quantities', 'product quantity', 'items count', 'number of items', 'pieces'],
      ...['pièces', 'العدد', 'الكميات', 'كمية المنتج', 'عدد القطع', 'عدد المنتجات'],
    ],
  },
  subtotal: { ar: 'ثمن المنتجات', fr: 'Sous-total', en: 'Subtotal', also: ['total produits', 'total articles', 'سعر المنتجات'] },
  delivery: {
    ar: 'ثمن التوصيل',
    fr: 'Livraison',
    en: 'Delivery',
    also: [
      ...['frais de livraison', 'prix de livraison', 'tarif de livraison', 'coût de livraison', 'montant livraison', 'frais de port'],
      ...['shipping', 'shipping cost', 'shipping price', 'shipping fee', 'delivery fee', 'delivery price', 'delivery cost'],
      ...['delivery charge', 'التوصيل', 'سعر التوصيل', 'تكلفة التوصيل', 'رسوم التوصيل', 'مصاريف التوصيل', 'حق التوصيل', 'الشحن'],
      ...['سعر الشحن', 'ثمن الشحن', 'تكلفة الشحن'],
    ],
  },
  discount: { ar: 'التخفيض', fr: 'Remise', en: 'Discount', also: ['réduction', 'rabais', 'الخصم'] },
  total: {
    ar: 'المجموع',
    fr: 'Total',
    en: 'Total',
    also: [
      ...['montant', 'montant total', 'montant commande', 'prix total', 'total commande', 'total à payer', 'net à payer', 'total ttc'],
      ...['montant à encaisser', 'montant cod', 'somme', 'amount', 'total price', 'total amount', 'order total', 'grand total'],
      ...['order amount', 'cod', 'cod amount', 'amount to collect', 'المبلغ', 'المبلغ الإجمالي', 'المبلغ الكلي', 'مبلغ الطلب'],
      ...['السعر الإجمالي', 'السعر الكلي', 'الثمن الإجمالي', 'الثمن الكلي', 'سعر الطلب', 'الإجمالي', 'المجموع الكلي', 'المبلغ المطلوب'],
    ],
  },
  paid: { ar: 'المدفوع', fr: 'Payé', en: 'Paid', also: ['montant payé', 'amount paid', 'المبلغ المدفوع'] },
  note: {
    ar: 'ملاحظة',
    fr: 'Remarque',
    en: 'Note',
    also: [
      ...['remarques', 'notes', 'note client', 'note commande', 'commentaire', 'commentaires', 'observation', 'observations'],
      ...[
        'instructions',
        'consigne',
        'consignes',
        'remark',
        'remarks',
        'comment',
        'comments',
        'customer note',
        'order note',
        'order notes',
      ],
      ...['delivery note', 'ملاحظات', 'ملاحظات الزبون', 'ملاحظة الزبون', 'تعليق', 'تعليقات', 'تعليمات'],
    ],
  },
  promoCode: { ar: 'رمز التخفيض', fr: 'Code promo', en: 'Promo code', also: ['coupon', 'code coupon', 'coupon code', 'discount code'] },
  source: { ar: 'المصدر', fr: 'Source', en: 'Source' },
  carrier: {
    ar: 'شركة التوصيل',
    fr: 'Transporteur',
    en: 'Carrier',
    also: ['courier', 'société de livraison', 'livreur', 'delivery company', 'شركة الشحن', 'الناقل'],
  },
  tracking: {
    ar: 'رقم التتبع',
    fr: 'Suivi',
    en: 'Tracking',
    also: ['tracking number', 'numéro de suivi', 'n° suivi', 'code de suivi', 'tracking code', 'رمز التتبع', 'كود التتبع'],
  },
  updatedAt: { ar: 'آخر تغيير', fr: 'Dernière modification', en: 'Updated', also: ['updated at', 'last update', 'آخر تحديث'] },
}

/** Fields of a new sheet, in this order. */
const defaultFields: readonly SheetField[] = [
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

/** Returns the columns of a new sheet in a language. */
export const defaultColumns = (language: HeaderLanguage): SheetColumn[] =>
  defaultFields.map((field) => ({ header: orderFieldHeaders[field][language], field }))

/** Creates a function that recognizes headers by the given words. Each field is recognized once. */
export function createHeaderRecognizer<F extends string>(known: Readonly<Record<F, FieldHeaders>>) {
  const fields = new Map(
    (Object.entries(known) as [F, FieldHeaders][]).flatMap(([field, { also = [], ...ours }]) =>
      [...Object.values(ours), ...also].map((header) => [normalizeHeader(header), field] as const),
    ),
  )
  /** A header that repeats itself in two languages, such as `Ville / المدينة`, counts once. */
  const fieldOf = (header: string): F | undefined => {
    if (header.length > HEADER_MAX) return undefined
    const whole = fields.get(normalizeHeader(header))
    const matches = new Set(header.split(HEADER_SEPARATOR).map((part) => fields.get(normalizeHeader(part))))
    return whole ?? (matches.size === 1 ? [...matches][0] : undefined)
  }
  return (headers: readonly string[]): { header: string; field: F }[] => {
    const used = new Set<F>()
    return headers.flatMap((header) => {
      const field = fieldOf(header)
      if (!field || used.has(field)) return []
      used.add(field)
      return [{ header, field }]
    })
  }
}

/** Recognizes the headers of a sheet of orders. */
export const recognizeOrderHeaders = createHeaderRecognizer(orderFieldHeaders)
