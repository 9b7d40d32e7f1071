import { CELL_MAX, type Cell, type SheetColumn, type SheetField } from '../../../../plugins/spreadsheet/model.ts'
import { beginning } from '../../../../plugins/toolkit/values.ts'
import type { ParcelRow } from '../../../logistics/parcels/parcels.queries.ts'
import type { Order } from '../../../orders/orders.model.ts'

/** An order with the parcel that carries it, where it has one. */
export interface Subject {
  readonly order: Order
  /** Grows where somebody changes the order. */
  readonly version: number
  readonly parcel: Pick<ParcelRow, 'courierId' | 'trackingId'> | undefined
}

/** Times are ISO 8601, amounts are numbers, all else is a text. */
const values: Readonly<Record<SheetField, (subject: Subject) => string | number | null | undefined>> = {
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

/** What becomes of an order by itself. All else changes only where somebody changes the order: until then what people correct in the sheet stays. */
const moving: readonly SheetField[] = ['status', 'paid', 'carrier', 'tracking', 'updatedAt']

/** What a row was told last of what moves. Null: whether it was told is not known; what is not there it was never told. */
export type Said = Readonly<Partial<Record<SheetField, string | number | null>>>

/** All that a row says of an order. */
export const allCells = (columns: readonly SheetColumn[], subject: Subject): Cell[] => columns.map(({ field }) => cellOf(field, subject))

/** The same for a row that stands: what an order never had, a carrier or a tracking number, may be there by somebody's hand. */
export const renewedCells = (columns: readonly SheetColumn[], subject: Subject, said: Said): Cell[] =>
  columns.map(({ field }) => {
    const cell = cellOf(field, subject)
    return moving.includes(field) && cell === '' && was(said, field) === '' ? null : cell
  })

/** What has moved since it was told; what people wrote over the rest stays. */
export const movedCells = (columns: readonly SheetColumn[], subject: Subject, said: Said): Cell[] =>
  columns.map(({ field }) => {
    const cell = cellOf(field, subject)
    return moving.includes(field) && cell !== was(said, field) ? cell : null
  })

/** What of all that moves is told by these cells. */
export const saidBy = (columns: readonly SheetColumn[], cells: readonly Cell[]): Said =>
  Object.fromEntries(
    columns.flatMap(({ field }, at) => {
      const cell = cells[at] ?? null
      return moving.includes(field) && cell !== null ? [[field, cell]] : []
    }),
  )

const was = (said: Said, field: SheetField) => (said[field] === undefined ? '' : said[field])

/** Of an order that was deleted only that is told. */
export const deletedCells = (columns: readonly SheetColumn[]): Cell[] => columns.map(({ field }) => (field === 'status' ? 'deleted' : null))

function cellOf(field: SheetField, subject: Subject): string | number {
  const value = values[field](subject) ?? ''
  return typeof value === 'string' ? beginning(value.replaceAll('\u0000', ''), CELL_MAX) : value
}
