import type { SheetColumn, SheetForm } from '../../shop/imports/sheet-form.ts'
import { type Words, words } from '../sheet-export/columns/columns.ts'
import { rowWords } from '../shops/sheet-import/fields.ts'

const headingsOf = ({ ar, fr, en, also = [] }: Words): string[] => [...new Set([en, fr, ar, ...also])]

/** Columns of a sheet of orders, with the headings of connected spreadsheets. */
const columnDescriptions = {
  reference: [rowWords.reference, 'Your number of the order. Rows with the same one are lines of one order, which is imported once.'],
  status: [
    rowWords.status,
    '`pending` or `confirmed`, also in French and Arabic; `pending` if left out. Rows with another status are refused.',
  ],
  customerName: [rowWords.customerName, 'Whole name of the customer.'],
  firstName: [rowWords.firstName, 'First name, beside or instead of the whole name.'],
  lastName: [rowWords.lastName, 'Family name, beside or instead of the whole name.'],
  phone: [rowWords.phone, 'Phone number; two in one cell are a first and a second one. Format the column as text.'],
  phoneAlt: [rowWords.phoneAlt, 'Second phone number.'],
  email: [rowWords.email, 'E-mail address.'],
  country: [rowWords.country, "Two letters of ISO 3166; the store's country if left out."],
  state: [rowWords.state, 'State, by name or code.'],
  city: [rowWords.city, 'City, by name.'],
  address: [rowWords.address, 'Street and house.'],
  deliveryType: [words.deliveryType, '`home` or `pickup`, also in French and Arabic; `home` if left out.'],
  products: [rowWords.products, 'Product by its name; several with a line break, `;` or ` + ` between them: `2 x Basket; Hat`.'],
  sku: [rowWords.sku, 'Article number or barcode of the product or the variant. Format the column as text.'],
  variant: [rowWords.variant, 'Variant of the product, by its name.'],
  quantity: [rowWords.quantity, 'Pieces, a whole number; 1 if left out.'],
  price: [rowWords.price, "Price of one piece in the store's currency. Without prices and total, those of the catalogue count."],
  delivery: [rowWords.delivery, 'Price of the delivery; 0 if left out beside a price or a total.'],
  discount: [words.discount, 'Amount that is taken off.'],
  total: [rowWords.total, 'Amount that the customer pays. Less than goods and delivery is a discount, more counts as delivery.'],
  note: [rowWords.note, 'Remark.'],
} as const satisfies Readonly<Record<string, readonly [Words, string]>>

/** Name of a column in a sheet of orders. */
export type Column = keyof typeof columnDescriptions
/** Cells of a row that are not empty. */
export type Cells = Readonly<Partial<Record<Column, string>>>

/** Form of a sheet of orders: its columns, and the ones that are required. */
export const orderForm: SheetForm = {
  subject: 'orders',
  columns: Object.entries(columnDescriptions).map(
    ([name, [headings, description]]): SheetColumn => ({ name, headings: headingsOf(headings), description }),
  ),
  needs: [['phone'], ['products', 'sku'], ['customerName', 'firstName', 'lastName'], ['state', 'city']],
}
