import { ApiError } from '../../http/errors/errors.ts'
import type { Audience } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { OrderRow } from '../orders.queries.ts'

const SOURCES = { key: 'api', member: 'member', public: 'storefront' } as const

/** Where an order comes from. Throws `unauthenticated` for the public of a store that takes none from it. */
export function sourceOf({ store, standing }: { store: Store; standing: Audience }): OrderRow['source'] {
  if (standing === 'public' && store.settings.publicOrders === false)
    throw new ApiError('unauthenticated', 'This store takes orders from its members and API keys only.')
  return SOURCES[standing]
}
