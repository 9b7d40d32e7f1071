import { enqueue } from '../../../data/jobs.ts'
import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'
import { emitWebhook, type NewEvent } from '../../../platform/webhooks/emit.ts'
import { lockBalances } from '../balances.queries.ts'
import type { Reservation } from '../inventory.model.ts'
import { assertLineCount, type StockBalance } from '../operations/ledger.ts'
import { parseQuantity } from '../operations/parse-legs.ts'
import { stockChangedEvent } from '../operations/record-operation.ts'
import { allocateStock, shortageError } from './allocate-stock.ts'
import { insertReservation, presentReservation, type ReservationLine } from './reservations.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'inventory.expireReservation': { readonly projectId: string; readonly reservationId: string }
  }
}

/** Leg of a reservation. */
export interface ReservationLeg {
  readonly namespace: string
  readonly key: string
  readonly quantity: number
  /** Batch to reserve from; by default any with free stock, oldest first. */
  readonly batch?: string
}

/** Input of {@link reserveStock}. */
export interface ReservationInput {
  readonly reference?: string | null
  /** Time when it expires; null to hold the stock until it is fulfilled or released. */
  readonly expiresAt: string | null
  readonly legs: readonly ReservationLeg[]
  /** True where an order holds it. Only the order then fulfills or releases it. */
  readonly ofOrder?: boolean
}

/** Writes events, or collects them for a later statement of the transaction. */
export type EmitEvents = (events: readonly NewEvent[]) => unknown

/**
 * Reserves stock, all of it or none, and schedules the expiry. Emits `inventory.stock.changed` for each balance, because the available
 * quantity changes; a caller with events of its own gives `emit`, and writes all of them in one statement. Throws `reserved_stock_conflict`
 * with a detail for each leg that lacks stock, and `limit_reached`.
 */
export async function reserveStock(
  tx: Tx,
  projectId: string,
  input: ReservationInput,
  emit: EmitEvents = (events) => emitWebhook(tx, events),
): Promise<Reservation> {
  const wanted = input.legs.map((leg, at) => ({
    ...leg,
    batch: leg.batch ?? null,
    at,
    quantity: parseQuantity(leg.quantity, ['legs', at, 'quantity']),
  }))
  const locked = await lockBalances(tx, projectId, wanted, [])
  const { balances, lockedAt: at } = locked
  const free = new Map([...balances].map(([name, stock]) => [name, stock.onHand - stock.reserved]))
  const { shares, short } = allocateStock(wanted, balances.values(), free)
  if (short.length > 0) throw shortageError(short, locked)
  const allocated = new Map<StockBalance, Decimal>()
  for (const { source: from, quantity } of shares) allocated.set(from, (allocated.get(from) ?? 0n) + quantity)
  assertLineCount(allocated.size)
  const reservedLines = [...allocated].map(
    ([stock, quantity], line): ReservationLine => ({
      namespace: stock.namespace,
      key: stock.key,
      batch: stock.batch,
      line,
      quantity,
      fulfilled: 0n,
    }),
  )
  const head = {
    id: newId('res'),
    status: 'active' as const,
    reference: input.reference ?? null,
    expiresAt: input.expiresAt,
    createdAt: at,
    updatedAt: at,
  }
  await Promise.all([
    insertReservation(tx, projectId, head, reservedLines, { ofOrder: input.ofOrder ?? false }),
    emit([...allocated].map(([stock, quantity]) => stockChangedEvent(projectId, { ...stock, reserved: stock.reserved + quantity }, null))),
    input.expiresAt !== null &&
      enqueue(tx, 'inventory.expireReservation', { projectId, reservationId: head.id }, { runAt: new Date(input.expiresAt) }),
  ])
  return presentReservation({ head, isDue: false, lines: reservedLines })
}
