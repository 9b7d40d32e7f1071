import type { Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { decimal } from '../../lib/money/decimal.ts'
import { PUBLIC_ORDER_LIMITS, type Store } from '../../shop/stores/stores.model.ts'
import type { NewItem } from '../orders.model.ts'
import { countUnconfirmed } from '../orders.queries.ts'
import type { Priced } from '../pricing/price.ts'

export interface Stranger {
  /** E.164. */
  readonly phone: string
  /** The network that the request came from. */
  readonly network: string
}

export const limitsOf = ({ settings }: Store) => ({ ...PUBLIC_ORDER_LIMITS, ...settings.publicOrderLimits })

/** Until when a stranger's order holds its stock unless somebody confirms it. */
export const heldUntil = (store: Store, now = Date.now()) => new Date(now + limitsOf(store).holdMinutes * 60_000).toISOString()

/** Throws `order_too_large` where one order asks for more than the store gives to strangers. */
export function assertSize(store: Store, items: readonly Pick<NewItem, 'quantity'>[], { total }: Pick<Priced, 'total'>) {
  const { pieces, lines, value } = limitsOf(store)
  const asked = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const tooMuch = (what: string, path = '/body/items') =>
    new ApiError('order_too_large', `Without an account this store takes at most ${what} in one order.`, {
      details: [{ path, message: `At most ${what}.` }],
    })
  if (items.length > lines) throw tooMuch(`${lines} lines`)
  if (asked > pieces) throw tooMuch(`${pieces} pieces`)
  if (total > decimal(value)) throw tooMuch(`${value} ${store.currencyCode}`)
}

/** Throws `too_many_open_orders` where a phone or an address has as many unconfirmed orders as it may. Holds both until the transaction ends. */
export async function assertFew(tx: Tx, store: Store, { phone, network }: Stranger) {
  const { openPerPhone, openPerAddress } = limitsOf(store)
  const open = await countUnconfirmed(tx, store.id, phone, network)
  if (open.byPhone >= openPerPhone || open.byNetwork >= openPerAddress)
    throw new ApiError(
      'too_many_open_orders',
      'Several orders wait to be confirmed already. Wait until the store has confirmed them, or ask the store.',
    )
}
