import type { SheetColumn, SheetForm } from '../../shop/imports/sheet-form.ts'
import { type FieldHeaders, orderFieldHeaders } from '../sheet-export/columns/columns.ts'
import { numericFields, rowFieldHeaders } from '../shops/sheet-import/row-fields.ts'

const headingsOf = ({ ar, fr, en, also = [] }: FieldHeaders): string[] => [...new Set([en, fr, ar, ...also])]

/** Columns of a sheet of orders, with the headings of connected spreadsheets. */
const columnDescriptions = {
  reference: [
    rowFieldHeaders.reference,
    'Your number of the order. Rows with the same one are lines of one order, which is imported once.',
  ],
  status: [
    rowFieldHeaders.status,
    '`pending` or `confirmed`, also in French and Arabic; `pending` if left out. Rows with another status are refused.',
  ],
  customerName: [rowFieldHeaders.customerName, 'Whole name of the customer.'],
  firstName: [rowFieldHeaders.firstName, 'First name, beside or instead of the whole name.'],
  lastName: [rowFieldHeaders.lastName, 'Family name, beside or instead of the whole name.'],
  phone: [rowFieldHeaders.phone, 'Phone number; two in one cell are a first and a second one. Format the column as text.'],
  phoneAlt: [rowFieldHeaders.phoneAlt, 'Second phone number.'],
  email: [rowFieldHeaders.email, 'E-mail address.'],
  country: [rowFieldHeaders.country, "Two letters of ISO 3166; the store's country if left out."],
  state: [rowFieldHeaders.state, 'State, by name or code.'],
  city: [rowFieldHeaders.city, 'City, by name.'],
  address: [rowFieldHeaders.address, 'Street and house.'],
  deliveryType: [orderFieldHeaders.deliveryType, '`home` or `pickup`, also in French and Arabic; `home` if left out.'],
  products: [rowFieldHeaders.products, 'Product by its name; several with a line break, `;` or ` + ` between them: `2 x Basket; Hat`.'],
  sku: [rowFieldHeaders.sku, 'Article number or barcode of the product or the variant. Format the column as text.'],
  variant: [rowFieldHeaders.variant, 'Variant of the product, by its name.'],
  quantity: [rowFieldHeaders.quantity, 'Pieces, a whole number; 1 if left out.'],
  price: [rowFieldHeaders.price, "Price of one piece in the store's currency. Without prices and total, those of the catalogue count."],
  delivery: [rowFieldHeaders.delivery, 'Price of the delivery; 0 if left out beside a price or a total.'],
  discount: [orderFieldHeaders.discount, 'Amount that is taken off.'],
  total: [rowFieldHeaders.total, 'Amount that the customer pays. Less than goods and delivery is a discount, more counts as delivery.'],
  note: [rowFieldHeaders.note, 'Remark.'],
} as const satisfies Readonly<Record<string, readonly [FieldHeaders, string]>>

/** Name of a column in a sheet of orders. */
export type OrderColumn = keyof typeof columnDescriptions
/** Cells of a row that are not empty. */
export type OrderCells = Readonly<Partial<Record<OrderColumn, string>>>

const numericColumns: readonly string[] = [...numericFields, 'discount']

/** Form of a sheet of orders: its columns, and the ones that are required. */
export const orderSheetForm: SheetForm = {
  subject: 'orders',
  columns: Object.entries(columnDescriptions).map(
    ([name, [headings, description]]): SheetColumn => ({
      name,
      headings: headingsOf(headings),
      description,
      isNumeric: numericColumns.includes(name),
    }),
  ),
  needs: [['phone'], ['products', 'sku'], ['customerName', 'firstName', 'lastName'], ['state', 'city']],
}
