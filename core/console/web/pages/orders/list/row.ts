import type { Schemas } from '../../../api/client.ts'

/** Order of the list with what its row shows, so that ten thousand rows stay small. */
export interface OrderRow {
  readonly id: string
  readonly reference: string
  readonly status: Schemas['Order']['status']
  readonly name: string
  readonly phone: string
  readonly city: string
  readonly state: string
  readonly goods: string
  readonly quantity: number
  readonly moreGoods: number
  readonly total: number
  readonly paymentStatus: Schemas['Order']['paymentStatus']
  readonly carrier: string | null
  readonly trackingId: string | null
  readonly parcelStatus: string | null
  readonly isPrinted: boolean
  readonly assignedTo: string | null
  readonly assignee: string | null
  /** Tags, separated by commas, so that rows compare by value. */
  readonly tags: string
  readonly comments: number
  readonly createdAt: string
  /** True when it no longer matches the filters since it was read. It stays in its place until the list is read anew. */
  readonly isGone: boolean
}

/** Fields that every answer about an order has. */
type Changed = Pick<
  Schemas['Order'],
  'id' | 'reference' | 'status' | 'customer' | 'destination' | 'items' | 'totals' | 'paymentStatus' | 'assignedTo' | 'createdAt'
>

const baseOf = ({ id, reference, status, customer, destination, items, totals, paymentStatus, assignedTo, createdAt }: Changed) => ({
  id,
  reference,
  status,
  name: customer.name,
  phone: customer.phone,
  city: destination.cityName,
  state: destination.stateName ?? destination.stateCode,
  goods: items[0]?.name ?? '',
  quantity: items[0]?.quantity ?? 0,
  moreGoods: Math.max(0, items.length - 1),
  total: totals.total,
  paymentStatus,
  assignedTo,
  createdAt,
})

/** Row of a listed order. */
export const rowOf = (order: Schemas['ListedOrder']): OrderRow => ({
  ...baseOf(order),
  carrier: order.parcel ? (order.parcel.carrierName ?? order.parcel.carrier) : null,
  trackingId: order.parcel?.trackingId ?? null,
  parcelStatus: order.parcel?.status ?? null,
  isPrinted: order.parcel?.printedAt != null,
  assignee: order.assignee?.name ?? null,
  tags: order.tags.join(),
  comments: order.comments,
  isGone: false,
})

/** Row after a change whose answer has no parcel and no name of the agent. */
export const changeRow = (row: OrderRow, order: Changed, assignee = row.assignee): OrderRow => ({
  ...row,
  ...baseOf(order),
  assignee: order.assignedTo === row.assignedTo ? row.assignee : assignee,
})

/** Returns true if both rows show the same. */
export const isSameRow = (a: OrderRow, b: OrderRow): boolean =>
  (Object.keys(a) as (keyof OrderRow)[]).every((field) => a[field] === b[field])
