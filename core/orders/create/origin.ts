import { DomainError } from '../../lib/errors/domain-error.ts'
import type { Audience } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { OrderRow } from '../orders.queries.ts'

const SOURCES = { key: 'api', member: 'member', public: 'storefront' } as const

/**
 * Returns the source of an order, from the audience of its caller. Throws `unauthenticated` for the public when the store takes no public
 * orders.
 */
export function orderSourceOf({ store, audience }: { store: Store; audience: Audience }): OrderRow['source'] {
  if (audience === 'public' && store.settings.publicOrders === false)
    throw new DomainError('unauthenticated', 'This store accepts orders only from its members and API keys.')
  return SOURCES[audience]
}
