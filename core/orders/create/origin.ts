import type { Audience } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import type { OrderRow } from '../orders.queries.ts'

const SOURCES = { key: 'api', member: 'member', public: 'storefront' } as const

/**
 * Returns the source of an order, from the audience of its caller. Throws `unauthenticated` for the public when the store takes no public
 * orders.
 */
export function orderSourceOf({ store, audience }: { store: Store; audience: Audience }): OrderRow['source'] {
  if (audience === 'public' && store.settings.publicOrders === false) throw orderErrors.membersOnly()
  return SOURCES[audience]
}
