import type { Tx } from '../../../data/sql.ts'
import type { FieldPath } from '../../../lib/errors/domain-error.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import { lockItemBalances } from '../balances.queries.ts'
import type { StockItem } from '../find-stock-levels.ts'
import { inventoryErrors } from '../inventory.errors.ts'
import { postOperation } from './post-operation.ts'

interface StockCount {
  readonly counted: Decimal
  /** Reason of the count. */
  readonly note: string
  readonly reference: string
  /** Pointer to the count in the request, for errors. */
  readonly field: FieldPath
}

/**
 * Adjusts the stock of an item to a counted quantity, over all its batches. Posts an adjustment by the difference, or nothing where there
 * is none. Throws `reserved_stock_conflict` for less than is reserved.
 */
export async function adjustToCount(
  tx: Tx,
  projectId: string,
  item: StockItem,
  { counted, note, reference, field }: StockCount,
): Promise<void> {
  const { onHand, reserved } = await lockItemBalances(tx, projectId, item)
  if (counted < reserved) throw inventoryErrors.countBelowReserved({ reserved: decimalNumber(reserved) }, { field })
  if (counted === onHand) return
  await postOperation(tx, projectId, { type: 'adjust', note, reference, legs: [{ ...item, quantity: decimalNumber(counted - onHand) }] })
}
