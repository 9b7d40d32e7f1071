import { CELL_MAX, type Cell, type SheetColumn, type SheetField } from '../../../../plugins/spreadsheet/model.ts'
import { beginning } from '../../../../plugins/toolkit/values.ts'
import type { ParcelRow } from '../../../logistics/parcels/parcels.queries.ts'
import type { Order } from '../../../orders/orders.model.ts'

/** Order with its parcel, if it has one. */
export interface ExportedOrder {
  readonly order: Order
  /** Version of the order; it grows with each edit. */
  readonly version: number
  readonly parcel: Pick<ParcelRow, 'courierId' | 'trackingId'> | undefined
}

/** Values of the fields. Times are ISO 8601, amounts are numbers, everything else is text. */
const values: Readonly<Record<SheetField, (subject: ExportedOrder) => string | number | null | undefined>> = {
  reference: ({ order }) => order.reference,
  createdAt: ({ order }) => order.createdAt,
  status: ({ order }) => order.status,
  customerName: ({ order }) => order.customer.name,
  phone: ({ order }) => order.customer.phone,
  phoneAlt: ({ order }) => order.customer.phoneAlt,
  email: ({ order }) => order.customer.email,
  country: ({ order }) => order.destination.country,
  state: ({ order }) => order.destination.stateName ?? order.destination.stateCode,
  city: ({ order }) => order.destination.cityName,
  address: ({ order }) => order.destination.address,
  deliveryType: ({ order }) => order.destination.deliveryType,
  products: ({ order }) => order.items.map(({ quantity, name }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', '),
  quantity: ({ order }) => order.items.reduce((sum, { quantity }) => sum + quantity, 0),
  subtotal: ({ order }) => order.totals.subtotal,
  delivery: ({ order }) => order.totals.delivery,
  discount: ({ order }) => order.totals.discount,
  total: ({ order }) => order.totals.total,
  paid: ({ order }) => order.paid,
  note: ({ order }) => order.note,
  promoCode: ({ order }) => order.promoCode,
  source: ({ order }) => order.source,
  carrier: ({ parcel }) => parcel?.courierId,
  tracking: ({ parcel }) => parcel?.trackingId,
  updatedAt: ({ order }) => order.updatedAt,
}

/**
 * Fields that change without an edit of the order. The other fields are rewritten only after an edit, so corrections in the sheet stay
 * until then.
 */
const moving: readonly SheetField[] = ['status', 'paid', 'carrier', 'tracking', 'updatedAt']

/** Moving fields as last written to a row. Null: unknown, since a write got no answer. Missing: never written. */
export type WrittenFields = Readonly<Partial<Record<SheetField, string | number | null>>>

/** Returns all cells of a new row. */
export const allCells = (columns: readonly SheetColumn[], subject: ExportedOrder): Cell[] =>
  columns.map(({ field }) => cellOf(field, subject))

/**
 * Returns all cells of an existing row after an edit. Skips an empty moving field that was never written, since a user may have filled it
 * in.
 */
export const rewrittenCells = (columns: readonly SheetColumn[], subject: ExportedOrder, fields: WrittenFields): Cell[] =>
  columns.map(({ field }) => {
    const cell = cellOf(field, subject)
    return moving.includes(field) && cell === '' && writtenBefore(fields, field) === '' ? null : cell
  })

/** Returns the moving fields that changed since they were written; null for all other cells, which users may have edited. */
export const automaticCells = (columns: readonly SheetColumn[], subject: ExportedOrder, fields: WrittenFields): Cell[] =>
  columns.map(({ field }) => {
    const cell = cellOf(field, subject)
    return moving.includes(field) && cell !== writtenBefore(fields, field) ? cell : null
  })

/** Returns the moving fields that these cells write. */
export const writtenFieldsOf = (columns: readonly SheetColumn[], cells: readonly Cell[]): WrittenFields =>
  Object.fromEntries(
    columns.flatMap(({ field }, at) => {
      const cell = cells[at] ?? null
      return moving.includes(field) && cell !== null ? [[field, cell]] : []
    }),
  )

const writtenBefore = (fields: WrittenFields, field: SheetField) => (fields[field] === undefined ? '' : fields[field])

/** Returns the cells for a deleted order: its status alone. */
export const deletedCells = (columns: readonly SheetColumn[]): Cell[] => columns.map(({ field }) => (field === 'status' ? 'deleted' : null))

function cellOf(field: SheetField, subject: ExportedOrder): string | number {
  const value = values[field](subject) ?? ''
  return typeof value === 'string' ? beginning(value.replaceAll('\u0000', ''), CELL_MAX) : value
}
