import type { ComponentType } from 'preact'
import type { OperationId } from '../api/client.ts'
import type { WordedPage } from '../words/words.ts'

interface StorePage {
  /** Path below the store, as the router writes it. */
  readonly path: string
  /** Operation that the page cannot do without: who may not call it does not see the page. */
  readonly operation: OperationId
  /** Texts that are loaded with the page; those of the first pages are there from the start. */
  readonly words?: readonly WordedPage[]
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

/** Pages of a store. Each is loaded when it is first opened. */
export const storePages: readonly StorePage[] = [
  { path: '/welcome', operation: 'createProduct', load: () => import('./start/welcome.tsx') },
  { path: '/today', operation: 'readAttention', words: ['today'], load: () => import('./today/page.tsx') },
  { path: '/desk', operation: 'nextConfirmation', load: () => import('./desk/page.tsx') },
  // Anybody may create an order in a storefront: who may change one may write one by hand.
  { path: '/orders/new', operation: 'changeOrder', load: () => import('./orders/forms/new-order.tsx') },
  { path: '/orders/:orderId?', operation: 'listOrders', words: ['bulk'], load: () => import('./orders/page.tsx') },
  { path: '/send', operation: 'dispatchOrders', words: ['send', 'bulk'], load: () => import('./send/page.tsx') },
  { path: '/pack', operation: 'packParcels', words: ['pack'], load: () => import('./pack/page.tsx') },
  { path: '/customers/:customerId?', operation: 'listCustomers', words: ['customers'], load: () => import('./customers/page.tsx') },
  { path: '/cash/:view?', operation: 'listCashHolders', words: ['cash'], load: () => import('./cash/page.tsx') },
]
