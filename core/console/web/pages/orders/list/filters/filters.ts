import type { operations } from 'serai:api'
import type { OrderStatus } from '../../../../ui/values.tsx'

type ListQuery = NonNullable<operations['listOrders']['parameters']['query']>
type Key = Exclude<Extract<keyof ListQuery, string>, `filter[${string}` | 'limit' | 'cursor' | 'storeId'>

/** Filters, search and sort of the list, as `GET /v1/orders` and its export name them. The address of the page has the same. */
export type OrderFilters = Readonly<Partial<Record<Key, string>>>

/** Names that the address may have, in the order in which they are written. Any other is left out. */
const names = [
  'status',
  'q',
  'assignedTo',
  'from',
  'to',
  'stateCode',
  'cityCode',
  'carrier',
  'parcelStatus',
  'printed',
  'deliveryType',
  'tag',
  'minTotal',
  'maxTotal',
  'waitingSince',
  'paymentStatus',
  'source',
  'phone',
  'productId',
  'connectorId',
  'externalId',
  'promoCode',
  'sort',
] as const satisfies readonly Key[]

/** Statuses in the order of an order's life. */
export const orderStatuses = [
  'pending',
  'unreachable',
  'postponed',
  'confirmed',
  'sent',
  'out_for_delivery',
  'delivered',
  'returning',
  'returned',
  'cancelled',
  'lost',
] as const satisfies readonly OrderStatus[]

/** Payment statuses that the list is filtered by. */
export const paymentStatuses = ['unpaid', 'pending', 'partially_paid', 'paid', 'refunded', 'needs_attention'] as const
/** Statuses of the newest parcel that the list is filtered by. `none`: no parcel. */
export const parcelStatuses = [
  'none',
  'created',
  'submitting',
  'submitted',
  'picked_up',
  'in_transit',
  'at_center',
  'out_for_delivery',
  'delivery_failed',
  'on_hold',
  'delivered',
  'returning',
  'returned',
  'lost',
] as const
/** Kinds of delivery that the list is filtered by. */
export const deliveryTypes = ['home', 'pickup', 'return_point'] as const
/** Printed labels, and labels to print. */
export const printedStates = ['yes', 'no'] as const
/** Sources that the list is filtered by. */
export const sources = ['member', 'api', 'storefront', 'connector'] as const

/** Reads the filters from the query of an address. */
export function readFilters(search: string): OrderFilters {
  const given = new URLSearchParams(search)
  return Object.fromEntries(names.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : [])))
}

/** Writes filters as the query of an address, without its question mark. Equal filters give equal text. */
export function writeFilters(filters: OrderFilters): string {
  const query = new URLSearchParams()
  for (const name of names) {
    const value = filters[name]
    if (value) query.set(name, value)
  }
  return query.toString()
}

/** Filters as parameters of a request. The server checks the values, so that a wrong one is told as such. */
export const toQuery = (filters: OrderFilters): ListQuery => filters as unknown as ListQuery

/**
 * Filters as the body of a request has them: amounts are numbers there. A text that is none stays a text, so that the server refuses it:
 * without that filter, the request would be for more orders.
 */
export function toBody({ sort: _, minTotal, maxTotal, ...filters }: OrderFilters) {
  return { ...filters, ...(minTotal && { minTotal: amountOf(minTotal) }), ...(maxTotal && { maxTotal: amountOf(maxTotal) }) }
}

const amountOf = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text)

/** Changes some filters. `undefined` and an empty text remove one. */
export const changeFilters = (filters: OrderFilters, change: Readonly<Partial<Record<Key, string | undefined>>>): OrderFilters =>
  readFilters(writeFilters({ ...filters, ...change } as OrderFilters))

/** Filters that the filter line shows one by one: without tab, search and sort. */
export const shownFilters = names.filter((name) => name !== 'status' && name !== 'q' && name !== 'sort')
/** Name of a filter that the filter line shows. */
export type ShownFilter = (typeof shownFilters)[number]

/** Address of the CSV with exactly the orders of the list. */
export const exportPath = (storeId: string, filters: OrderFilters, language: string): string =>
  `/v1/orders/export.csv?${new URLSearchParams({ storeId, language })}&${writeFilters(filters)}`.replace(/&$/, '')

/** Reads values that are separated by commas, Arabic ones too, each once. */
export const listOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .trim()
      .split(/\s*[,،]\s*/)
      .filter(Boolean),
  ),
]
