import { RetryTransaction } from '../../../data/sql.ts'
import type { FieldIssue } from '../../../lib/errors/domain-error.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import type { LockedBalances } from '../balances.queries.ts'
import {
  type BalanceAddress,
  balanceKeyOf,
  describeBalance,
  itemKeyOf,
  minimumOf,
  stockConflictError,
  tooManyLinesError,
} from '../operations/ledger.ts'

/** Quantity that a leg needs of an item: of one batch, or of any where `batch` is null. */
export interface StockRequest {
  readonly namespace: string
  readonly key: string
  readonly batch: string | null
  readonly quantity: Decimal
  readonly at: number
}

/** Quantity that a leg gets from one batch. */
export interface Allocation<W extends StockRequest, S extends BalanceAddress> {
  readonly request: W
  readonly source: S
  readonly quantity: Decimal
}

/** Quantity that a leg cannot get. */
export interface Shortage {
  readonly request: StockRequest
  readonly missing: Decimal
}

/**
 * Allocates stock to the legs. `sources` are in the order in which they are emptied; `free` has quantities by balance key and is lowered by
 * the allocations. Legs that name a batch come first, because the others can use any batch.
 */
export function allocateStock<W extends StockRequest, S extends BalanceAddress>(
  wanted: readonly W[],
  sources: Iterable<S>,
  free: Map<string, Decimal>,
) {
  const ofItem = Map.groupBy(sources, itemKeyOf)
  const shares: Allocation<W, S>[] = []
  const short: Shortage[] = []
  for (const of of [...wanted.filter(({ batch }) => batch !== null), ...wanted.filter(({ batch }) => batch === null)]) {
    let left = of.quantity
    for (const from of ofItem.get(itemKeyOf(of)) ?? []) {
      if (of.batch !== null && of.batch !== from.batch) continue
      const open = free.get(balanceKeyOf(from)) ?? 0n
      const quantity = minimumOf(open, left)
      if (quantity <= 0n) continue
      free.set(balanceKeyOf(from), open - quantity)
      left -= quantity
      shares.push({ request: of, source: from, quantity })
    }
    if (left > 0n) short.push({ request: of, missing: left })
  }
  return { shares, short }
}

/**
 * Creates the error for legs that lack stock. It is a retry where more batches exist than were locked: others took the oldest ones first.
 */
export function shortageError(short: readonly Shortage[], { itemsWithMore: cut, isOverLimit: isFull }: LockedBalances) {
  if (isFull) return tooManyLinesError()
  const isMore = short.some(({ request: of }) => of.batch === null && cut.has(itemKeyOf(of)))
  return isMore ? new RetryTransaction('The oldest batches are others by now.') : stockConflictError(short.map(shortageDetail))
}

const shortageDetail = ({ request: { at, quantity, batch, ...item }, missing: left }: Shortage): FieldIssue => ({
  field: ['legs', at, 'quantity'],
  message: `${describeBalance({ ...item, batch: batch ?? '' })} has ${decimalNumber(quantity - left)} free, ${decimalNumber(quantity)} requested.`,
})
