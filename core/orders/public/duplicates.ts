import type { Tx } from '../../data/sql.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import type { LineRow } from '../orders.queries.ts'
import { hasRecentDuplicate } from './duplicates.queries.ts'
import { publicLimitsOf } from './public-limits.ts'

const lineKey = ({ productId, variantId, offerId, quantity }: LineRow) => [productId, variantId ?? '-', offerId ?? '-', quantity].join(' ')

/**
 * Throws `duplicate_order` when the phone number has just placed a storefront order with the same lines, as after a double click. The
 * caller must have locked the phone number, so that concurrent orders see each other.
 */
export async function assertNoDuplicate(tx: Tx, store: Store, phone: string, lines: readonly LineRow[]): Promise<void> {
  const { duplicateMinutes } = publicLimitsOf(store)
  if (duplicateMinutes === 0) return
  if (!(await hasRecentDuplicate(tx, store.id, phone, lines.map(lineKey).toSorted(), duplicateMinutes))) return
  throw orderErrors.duplicateOrder({ duplicateMinutes })
}
