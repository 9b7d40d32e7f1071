import type { ExternalOrder } from '../channels.model.ts'
import type { Settled } from './import-order.ts'

/** Outcome of storing what a shop sent about an order. `stale`: it is older than what is stored. */
export type Taken = Settled | 'stale'

/** Longest order number, in characters. */
export const NUMBER_MAX = 100
/** Contents of an order whose contents are unknown: deleted before it was first read, or unreadable. */
export const NOTHING: Omit<ExternalOrder, 'externalId' | 'number' | 'currency' | 'updatedAt'> = {
  status: 'cancelled',
  customer: { name: '' },
  address: { state: '', city: '', address: '' },
  items: [],
  total: '0',
  delivery: '0',
}
