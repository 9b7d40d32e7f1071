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
  /** Operations of which the user may do at least one, where nothing would ever be on the page for others. */
  readonly anyOf?: readonly OperationId[]
}

/** Operations that solve something that waits for a person. */
const solving: readonly OperationId[] = [
  'nextConfirmation',
  'decideParcelOutcome',
  'carrier.cashConfirm',
  'connectIntegration',
  'listStoreWebhooks',
]

const today: Place = { path: '/today', name: 'nav.today', icon: 'home', operation: 'readAttention', key: 'h', anyOf: solving }

/** Places of the work, in the order of the navigation. */
const work: readonly Place[] = [
  { path: '/desk', name: 'nav.desk', icon: 'phone', operation: 'nextConfirmation', key: 'd' },
  { path: '/orders', name: 'nav.orders', icon: 'orders', operation: 'listOrders', key: 'o' },
  { path: '/send', name: 'nav.send', icon: 'send', operation: 'dispatchOrders', key: 's' },
  { path: '/pack', name: 'nav.pack', icon: 'scan', operation: 'packParcels', key: 'p' },
  { path: '/customers', name: 'nav.customers', icon: 'people', operation: 'listCustomers', key: 'c' },
  { path: '/cash', name: 'nav.cash', icon: 'cash', operation: 'listCashHolders', key: 'm' },
]

/**
 * Returns the places that the user may go to, in the order of the navigation. Users who run the store begin with all that waits; others
 * begin with their own work, and have it last.
 */
export function placesOf(store: CurrentStore): readonly Place[] {
  const places = store.can('changeStore') ? [today, ...work] : [...work, today]
  return places.filter(({ operation, anyOf }) => store.can(operation) && (anyOf?.some(store.can) ?? true))
}
