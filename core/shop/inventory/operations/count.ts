import type { Tx } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import { lockItem } from '../balances.queries.ts'
import type { Item } from '../stock.ts'
import { post } from './post.ts'

interface Count {
  readonly counted: Decimal
  /** Why it was counted, and what for. */
  readonly note: string
  readonly reference: string
  /** Where the count stands in what was said. */
  readonly path: string
}

/**
 * Has as much of an item on hand as was counted, over all its batches: an adjustment by what differs, and none where nothing does.
 * Throws `reserved_stock_conflict` for less than is reserved.
 */
export async function countStock(tx: Tx, projectId: string, item: Item, { counted, note, reference, path }: Count): Promise<void> {
  const { onHand, reserved } = await lockItem(tx, projectId, item)
  if (counted < reserved) {
    const message = `${decimalNumber(reserved)} of it are reserved for orders: it cannot be fewer than that.`
    throw new ApiError('reserved_stock_conflict', message, { details: [{ path, message }] })
  }
  if (counted === onHand) return
  await post(tx, projectId, { type: 'adjust', note, reference, legs: [{ ...item, quantity: decimalNumber(counted - onHand) }] })
}
