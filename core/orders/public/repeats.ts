import type { Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { LineRow } from '../orders.queries.ts'
import { limitsOf } from './public-limits.ts'
import { hasRepeat } from './repeats.queries.ts'

const lineKey = ({ productId, variantId, offerId, quantity }: LineRow) => [productId, variantId ?? '-', offerId ?? '-', quantity].join(' ')

/**
 * Throws `duplicate_order` when the phone number has just placed a storefront order with the same lines, as after a double click. The
 * caller must have locked the phone number, so that concurrent orders see each other.
 */
export async function assertNoRepeat(tx: Tx, store: Store, phone: string, lines: readonly LineRow[]): Promise<void> {
  const { duplicateMinutes } = limitsOf(store)
  if (duplicateMinutes === 0) return
  if (!(await hasRepeat(tx, store.id, phone, lines.map(lineKey).toSorted(), duplicateMinutes))) return
  throw new ApiError(
    'duplicate_order',
    `This phone number ordered the same a moment ago, and that order was accepted. Wait ${duplicateMinutes} minutes to order it again.`,
  )
}
