import type { Tx } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import { lockItem } from '../balances.queries.ts'
import type { Item } from '../stock.ts'
import { post } from './post.ts'

interface StockCount {
  readonly counted: Decimal
  /** Reason of the count. */
  readonly note: string
  readonly reference: string
  /** Pointer to the count in the request, for errors. */
  readonly path: string
}

/**
 * Adjusts the stock of an item to a counted quantity, over all its batches. Posts an adjustment by the difference, or nothing where there
 * is none. Throws `reserved_stock_conflict` for less than is reserved.
 */
export async function countStock(tx: Tx, projectId: string, item: Item, { counted, note, reference, path }: StockCount): Promise<void> {
  const { onHand, reserved } = await lockItem(tx, projectId, item)
  if (counted < reserved) {
    const message = `${decimalNumber(reserved)} of it are reserved for orders. Enter at least that quantity.`
    throw new ApiError('reserved_stock_conflict', message, { details: [{ path, message }] })
  }
  if (counted === onHand) return
  await post(tx, projectId, { type: 'adjust', note, reference, legs: [{ ...item, quantity: decimalNumber(counted - onHand) }] })
}
