import type { OperationId } from '../api/client.ts'
import type { CurrentStore } from '../session/store.tsx'
import type { IconName } from '../ui/icons.tsx'
import type { WordKey } from '../words/words.ts'

interface Place {
  readonly path: string
  readonly name: WordKey
  readonly icon: IconName
  readonly operation: OperationId
  /** Letter that leads to the page after `g`. */
  readonly key: string
}

/** Places of the navigation, in its order. */
const places: readonly Place[] = [
  { path: '/desk', name: 'nav.desk', icon: 'phone', operation: 'nextConfirmation', key: 'd' },
  { path: '/orders', name: 'nav.orders', icon: 'orders', operation: 'listOrders', key: 'o' },
  { path: '/customers', name: 'nav.customers', icon: 'people', operation: 'listCustomers', key: 'c' },
  { path: '/cash', name: 'nav.cash', icon: 'cash', operation: 'listCashHolders', key: 'm' },
]

/** Returns the places that the user may go to. */
export const placesOf = (store: CurrentStore): readonly Place[] => places.filter(({ operation }) => store.can(operation))
