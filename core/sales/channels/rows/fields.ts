import type { HeaderLanguage } from '../../../../plugins/spreadsheet/model.ts'
import { recogniser, type Words, words } from '../../sheets/columns.ts'

/** What of an order a column of a person's own sheet can hold. */
export const rowFields = [
  'reference',
  'status',
  'customerName',
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
export type RowField = (typeof rowFields)[number]

export interface RowColumn {
  readonly header: string
  readonly field: RowField
}

const fieldWords: Readonly<Record<RowField, Words>> = {
  ...pick(words, rowFields),
  sku: { ar: 'رمز المنتج', fr: 'SKU', en: 'SKU', also: ['code produit', 'product code', 'réf produit', 'ref produit'] },
  variant: { ar: 'النوع', fr: 'Variante', en: 'Variant', also: ['taille', 'size', 'couleur', 'color', 'option', 'اللون', 'المقاس'] },
  price: { ar: 'السعر', fr: 'Prix', en: 'Price', also: ['prix unitaire', 'unit price', 'الثمن', 'سعر الوحدة'] },
}

function pick(from: Readonly<Record<string, Words>>, fields: readonly string[]): Record<RowField, Words> {
  return Object.fromEntries(fields.flatMap((field) => (from[field] ? [[field, from[field]]] : []))) as Record<RowField, Words>
}

export const recognisedInRows = recogniser(fieldWords)

/** Which columns a new sheet for orders has, in this order. */
const usual: readonly RowField[] = ['customerName', 'phone', 'state', 'city', 'address', 'products', 'quantity', 'total', 'status', 'note']
export const usualHeaders = (language: HeaderLanguage): string[] => usual.map((field) => fieldWords[field][language])
