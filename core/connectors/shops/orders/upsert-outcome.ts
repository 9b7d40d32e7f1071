import type { ExternalOrder } from '../connectors.model.ts'
import type { ImportOutcome } from './import-order.ts'

/** Outcome of storing what a shop sent about an order. `stale`: it is older than what is stored. */
export type UpsertOutcome = ImportOutcome | 'stale'

/** Longest order number, in characters. */
export const ORDER_NUMBER_MAX = 100
/** Contents of an order whose contents are unknown: deleted before it was first read, or unreadable. */
export const EMPTY_ORDER: Omit<ExternalOrder, 'externalId' | 'number' | 'currency' | 'updatedAt'> = {
  status: 'cancelled',
  customer: { name: '' },
  address: { state: '', city: '', address: '' },
  items: [],
  total: '0',
  delivery: '0',
}
