import type { Tx } from '../../data/sql.ts'
import { decimal } from '../../lib/money/decimal.ts'
import { PUBLIC_ORDER_LIMITS, type Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import type { NewItem } from '../orders.model.ts'
import { countUnconfirmed } from '../orders.queries.ts'
import type { PricedOrder } from '../pricing/price.ts'

/** Client without an account. */
export interface PublicClient {
  /** E.164. */
  readonly phone: string
  /** Network of the address that the request came from. */
  readonly network: string
}

/** Limits of a store for orders without an account, with defaults. */
export const publicLimitsOf = ({ settings }: Store) => ({ ...PUBLIC_ORDER_LIMITS, ...settings.publicOrderLimits })

/** Time until which an unconfirmed order without an account reserves its stock. */
export const reservationExpiryOf = (store: Store, now = Date.now()) =>
  new Date(now + publicLimitsOf(store).holdMinutes * 60_000).toISOString()

/** Throws `order_too_large` when an order exceeds the limits of the store for orders without an account. */
export function assertOrderSize(store: Store, items: readonly Pick<NewItem, 'quantity'>[], { total }: Pick<PricedOrder, 'total'>) {
  const { pieces, lines, value } = publicLimitsOf(store)
  const asked = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const tooMuch = (what: string) =>
    orderErrors.orderTooLarge(
      { what },
      {
        issues: [{ field: ['items'], message: `At most ${what}.` }],
      },
    )
  if (items.length > lines) throw tooMuch(`${lines} lines`)
  if (asked > pieces) throw tooMuch(`${pieces} pieces`)
  if (total > decimal(value)) throw tooMuch(`${value} ${store.currencyCode}`)
}

/**
 * Throws `too_many_open_orders` when the phone number or the network has reached its limit of unconfirmed orders. Locks both until the
 * transaction ends.
 */
export async function assertOpenOrdersLimit(tx: Tx, store: Store, { phone, network }: PublicClient) {
  const { openPerPhone, openPerAddress } = publicLimitsOf(store)
  const open = await countUnconfirmed(tx, store.id, phone, network)
  if (open.byPhone >= openPerPhone || open.byNetwork >= openPerAddress) throw orderErrors.tooManyOpenOrders()
}
