import type { Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { LineRow } from '../orders.queries.ts'
import { limitsOf } from './public-limits.ts'
import { hasRepeat } from './repeats.queries.ts'

const lineName = ({ productId, variantId, offerId, quantity }: LineRow) => [productId, variantId ?? '-', offerId ?? '-', quantity].join(' ')

/**
 * Throws `duplicate_order` where the public has just ordered the same with this phone number: a button that was pressed twice is one order.
 * The caller holds the phone number, so that of two at once one sees the other.
 */
export async function assertNoRepeat(tx: Tx, store: Store, phone: string, lines: readonly LineRow[]): Promise<void> {
  const { duplicateMinutes } = limitsOf(store)
  if (duplicateMinutes === 0) return
  if (!(await hasRepeat(tx, store.id, phone, lines.map(lineName).toSorted(), duplicateMinutes))) return
  throw new ApiError(
    'duplicate_order',
    `The same was ordered with this phone number a moment ago, and is taken. Wait ${duplicateMinutes} minutes to order it once more.`,
  )
}
