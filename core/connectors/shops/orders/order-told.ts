import type { ExternalOrder } from '../channels.model.ts'
import type { Settled } from './import-order.ts'

/** Outcome of what a shop told of an order. */
export type Taken = Settled | 'stale'

export const NUMBER_MAX = 100
/** All that is known of an order whose content is not: thrown away before it was told, or unreadable. */
export const NOTHING: Omit<ExternalOrder, 'externalId' | 'number' | 'currency' | 'updatedAt'> = {
  status: 'cancelled',
  customer: { name: '' },
  address: { state: '', city: '', address: '' },
  items: [],
  total: '0',
  delivery: '0',
}
