import { RetryTransaction } from '../../../data/sql.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import type { Locked } from '../balances.queries.ts'
import { type Address, describe, itemName, lesser, nameOf, stockConflict, tooManyLines } from '../operations/ledger.ts'

/** Quantity that a leg needs of an item: of one batch, or of any where `batch` is null. */
export interface Wanted {
  readonly namespace: string
  readonly key: string
  readonly batch: string | null
  readonly quantity: Decimal
  readonly at: number
}

/** Quantity that a leg gets from one batch. */
export interface Share<W extends Wanted, S extends Address> {
  readonly of: W
  readonly from: S
  readonly quantity: Decimal
}

/** Quantity that a leg cannot get. */
export interface Short {
  readonly of: Wanted
  readonly left: Decimal
}

/**
 * Allocates stock to the legs. `sources` are in the order in which they are emptied; `free` has quantities by balance key and is lowered by
 * the allocations. Legs that name a batch come first, because the others can use any batch.
 */
export function share<W extends Wanted, S extends Address>(wanted: readonly W[], sources: Iterable<S>, free: Map<string, Decimal>) {
  const ofItem = Map.groupBy(sources, itemName)
  const shares: Share<W, S>[] = []
  const short: Short[] = []
  for (const of of [...wanted.filter(({ batch }) => batch !== null), ...wanted.filter(({ batch }) => batch === null)]) {
    let left = of.quantity
    for (const from of ofItem.get(itemName(of)) ?? []) {
      if (of.batch !== null && of.batch !== from.batch) continue
      const open = free.get(nameOf(from)) ?? 0n
      const quantity = lesser(open, left)
      if (quantity <= 0n) continue
      free.set(nameOf(from), open - quantity)
      left -= quantity
      shares.push({ of, from, quantity })
    }
    if (left > 0n) short.push({ of, left })
  }
  return { shares, short }
}

/**
 * Creates the error for legs that lack stock. It is a retry where more batches exist than were locked: others took the oldest ones first.
 */
export function shortOf(short: readonly Short[], { cut, isFull }: Locked) {
  if (isFull) return tooManyLines()
  const isMore = short.some(({ of }) => of.batch === null && cut.has(itemName(of)))
  return isMore ? new RetryTransaction('The oldest batches are others by now.') : stockConflict(short.map(shortageDetail))
}

const shortageDetail = ({ of: { at, quantity, batch, ...item }, left }: Short) => ({
  path: `/body/legs/${at}/quantity`,
  message: `${describe({ ...item, batch: batch ?? '' })} has ${decimalNumber(quantity - left)} free, ${decimalNumber(quantity)} requested.`,
})
