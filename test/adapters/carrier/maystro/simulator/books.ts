import { communes, wilayas } from './places.ts'

export type Json = Record<string, unknown>

export interface Step {
  readonly status: number | string
  readonly comment: string
  readonly at: number
}

export interface Order {
  readonly id: string
  readonly display_id: string
  fields: Json
  history: Step[]
}

const AMOUNT_MAX = 500_000
const required = [
  'source',
  'wilaya',
  'commune',
  'destination_text',
  'customer_phone',
  'customer_name',
  'product_price',
  'delivery_type',
  'express',
  'products',
] as const
const editable = new Set([
  'destination_text',
  'customer_phone',
  'customer_name',
  'wilaya',
  'commune',
  'note_to_driver',
  'product_price',
  'products',
])

/** What is wrong with each field, as Django says it; null where nothing is. */
function faultsIn(row: Json, types: readonly number[]): Json | null {
  const missing = required.find((field) => row[field] === undefined || row[field] === '')
  if (missing) return { [missing]: ['This field is required.'] }
  if (row.source !== 4) return { source: [`"${row.source}" is not a valid choice.`] }
  if (!Number.isInteger(row.product_price) || Number(row.product_price) > AMOUNT_MAX)
    return { product_price: ['A valid integer is required.'] }
  if (!types.includes(Number(row.delivery_type))) return { delivery_type: [`"${row.delivery_type}" is not a valid choice.`] }
  if (typeof row.express !== 'boolean') return { express: ['Must be a valid boolean.'] }
  if (!wilayas.some(({ id }) => id === row.wilaya)) return { wilaya: ['Invalid pk - object does not exist.'] }
  const known = communes.some(({ id, wilaya }) => id === row.commune && wilaya === row.wilaya)
  return known ? null : { commune: ['Invalid pk - object does not exist.'] }
}

interface Options {
  readonly now?: () => number
  /** The numbers of home and stop-desk delivery that it goes by. */
  readonly types?: readonly [number, number]
}

export function createBooks({ now = Date.now, types = [1, 2] }: Options) {
  const orders = new Map<string, Order>()
  let count = 0

  const get = (id: unknown) => orders.get(String(id))
  const happened = (order: Order, status: number | string, comment = '', at = now()) => {
    order.history.push({ status, comment, at })
    order.history.sort((a, b) => a.at - b.at)
  }

  return {
    types,
    get,
    all: (reference?: string) =>
      [...orders.values()].filter(({ fields }) => reference === undefined || fields.external_order_id === reference),

    /** Whether a reference that is already there is refused is not known; here it makes a second order. */
    create(row: Json): { order: Order } | { faults: Json } {
      const faults = faultsIn(row, types)
      if (faults) return { faults }
      const order: Order = { id: crypto.randomUUID(), display_id: `MD${String(++count).padStart(7, '0')}`, fields: row, history: [] }
      happened(order, 4)
      orders.set(order.id, order)
      return { order }
    },

    /** It takes a change of anything at any time: whether the real one does is not known, so the adapter must not rely on it. */
    edit(order: Order, change: Json): Json | null {
      const known = Object.fromEntries(Object.entries(change).filter(([field]) => editable.has(field)))
      const fields = { ...order.fields, ...known }
      const faults = faultsIn(fields, types)
      if (faults === null) order.fields = fields
      return faults
    },

    /** Likewise: what has left and is aborted comes back. */
    abort: (order: Order) => happened(order, 50),

    advance(id: string, status: string, more: { comment?: string; at?: string } = {}): Order {
      const order = get(id)
      if (!order) throw new Error(`The simulator has no order ${id}.`)
      const code = /^\d+$/.test(status) ? Number(status) : status
      happened(order, code, more.comment ?? '', more.at === undefined ? now() : Date.parse(more.at))
      return order
    },
  }
}

export type Books = ReturnType<typeof createBooks>

export const statusOf = ({ history }: Order) => history.at(-1)!.status

export const shown = (order: Order): Json => ({
  ...order.fields,
  id: order.id,
  display_id: order.display_id,
  status: statusOf(order),
})
