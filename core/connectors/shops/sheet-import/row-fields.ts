import type { HeaderLanguage } from '../../../../plugins/spreadsheet/model.ts'
import { createHeaderRecognizer, type FieldHeaders, orderFieldHeaders } from '../../sheet-export/columns/columns.ts'

/** Fields of an order that a column of a user's own sheet can hold. */
export const rowFields = [
  'reference',
  'status',
  'customerName',
  'firstName',
  'lastName',
  'phone',
  'phoneAlt',
  'email',
  'country',
  'state',
  'city',
  'address',
  'products',
  'sku',
  'variant',
  'quantity',
  'price',
  'delivery',
  'total',
  'note',
] as const
/** Name of such a field. */
export type RowField = (typeof rowFields)[number]

/** Fields that hold a number, a code or a phone number. */
export const numericFields: readonly RowField[] = [
  ...(['reference', 'phone', 'phoneAlt', 'state', 'sku', 'quantity', 'price', 'delivery', 'total'] as const),
]

/** Column of a sheet: its header and its field. */
export interface RowColumn {
  readonly header: string
  readonly field: RowField
}

/** Headers of the fields and their synonyms. */
export const rowFieldHeaders: Readonly<Record<RowField, FieldHeaders>> = {
  ...pick(orderFieldHeaders, rowFields),
  firstName: {
    ar: 'الاسم الأول',
    fr: 'Prénom',
    en: 'First name',
    also: ['prénoms', 'prénom client', 'given name', 'customer first name', 'الاسم الشخصي', 'اسم الزبون الأول'],
  },
  lastName: {
    ar: 'اللقب',
    fr: 'Nom de famille',
    en: 'Last name',
    also: ['surname', 'family name', 'customer last name', 'الاسم العائلي', 'اسم العائلة', 'الكنية', 'النسب', 'لقب الزبون'],
  },
  sku: {
    ar: 'رمز المنتج',
    fr: 'SKU',
    en: 'SKU',
    also: [
      ...['code produit', 'code article', 'réf produit', 'référence produit', 'réf article', 'référence article', 'sku produit'],
      ...['product code', 'product sku', 'item code', 'item sku', 'رمز المنتوج', 'كود المنتج', 'كود المنتوج', 'رمز السلعة', 'مرجع المنتج'],
    ],
  },
  variant: {
    ar: 'النوع',
    fr: 'Variante',
    en: 'Variant',
    also: [
      ...['taille', 'pointure', 'couleur', 'modèle', 'taille et couleur', 'couleur et taille', 'déclinaison', 'variation', 'choix'],
      ...['size', 'color', 'colour', 'model', 'option', 'options', 'product variant', 'size and color', 'color and size'],
      ...['اللون', 'المقاس', 'القياس', 'الحجم', 'الموديل', 'اللون والمقاس', 'المقاس واللون', 'الخيار', 'نوع المنتج'],
    ],
  },
  price: {
    ar: 'السعر',
    fr: 'Prix',
    en: 'Price',
    also: [
      ...['prix unitaire', 'prix unit', 'pu', 'prix produit', 'prix article', 'prix de vente', 'tarif'],
      ...['unit price', 'product price', 'item price', 'selling price', 'sale price'],
      ...['الثمن', 'سعر الوحدة', 'ثمن الوحدة', 'سعر المنتج', 'ثمن المنتج', 'سعر المنتوج', 'ثمن المنتوج', 'سعر البيع', 'ثمن البيع'],
    ],
  },
}

function pick(from: Readonly<Record<string, FieldHeaders>>, fields: readonly string[]): Record<RowField, FieldHeaders> {
  return Object.fromEntries(fields.flatMap((field) => (from[field] ? [[field, from[field]]] : []))) as Record<RowField, FieldHeaders>
}

const descriptions: Readonly<Record<RowField, string>> = {
  reference: 'Your number of the order.',
  status: 'A row whose status says cancelled calls its order off.',
  customerName: 'Whole name of the customer.',
  firstName: 'First name, beside or instead of the whole name.',
  lastName: 'Family name, beside or instead of the whole name.',
  phone: 'Phone number; two in one cell are a first and a second one. Format the column as text.',
  phoneAlt: 'Second phone number.',
  email: 'E-mail address.',
  country: "Two letters of ISO 3166; the store's country if left out.",
  state: 'State, by name or code.',
  city: 'City, by name.',
  address: 'Street and house.',
  products: 'Product by its name; several with a line break, `;` or ` + ` between them: `2 x Basket; Hat`.',
  sku: 'Article number or barcode. Format the column as text.',
  variant: 'Variant of the product, by its name.',
  quantity: 'Pieces, a whole number; 1 if left out.',
  price: "Price of one piece in the store's currency. Without prices and total, those of the catalogue count.",
  delivery: 'Price of the delivery; 0 if left out beside a price or a total.',
  total: 'Amount that the customer pays.',
  note: 'Remark.',
}

/** Columns that every order needs; one of `products` and `sku` suffices. */
const needed: readonly RowField[] = ['phone', 'products', 'sku']

/** Columns of a sheet whose rows become orders, as the API shows them. */
export const rowColumnDescriptions = rowFields.map((field) => {
  const { ar, fr, en, also = [] } = rowFieldHeaders[field]
  return {
    column: field,
    headings: [...new Set([en, fr, ar, ...also])],
    description: descriptions[field],
    required: needed.includes(field),
  }
})

/** Recognizes the headers of a sheet whose rows become orders. */
export const recognizeRowHeaders = createHeaderRecognizer(rowFieldHeaders)

/** Fields of a new sheet for orders, in this order. */
const defaultFields: readonly RowField[] = [
  'customerName',
  'phone',
  'state',
  'city',
  'address',
  'products',
  'quantity',
  'total',
  'status',
  'note',
]
/** Returns the headers of a new sheet for orders in a language. */
export const defaultRowHeaders = (language: HeaderLanguage): string[] => defaultFields.map((field) => rowFieldHeaders[field][language])
