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
import { insertReservation, presentReservation, type ReservationHead, type ReservationLine } from './reservations.queries.ts'

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

/** Reservation whose balances are locked, and which is not written yet. */
export interface PlannedReservation {
  readonly projectId: string
  readonly head: ReservationHead
  readonly lines: readonly ReservationLine[]
  readonly ofOrder: boolean
  /** `inventory.stock.changed` for each balance, because the available quantity changes. */
  readonly events: readonly NewEvent[]
}

/**
 * Reserves stock, all of it or none, schedules the expiry, and emits `inventory.stock.changed`. Throws `reserved_stock_conflict` with a
 * detail for each leg that lacks stock, and `limit_reached`.
 */
export async function reserveStock(tx: Tx, projectId: string, input: ReservationInput): Promise<Reservation> {
  const planned = await planReservation(tx, projectId, input)
  await Promise.all([saveReservation(tx, planned), emitWebhook(tx, planned.events)])
  return presentReservation({ head: planned.head, isDue: false, lines: planned.lines })
}

/**
 * Locks the balances of a reservation and decides what it takes from each. The caller writes it with {@link saveReservation} in the same
 * transaction, together with its own statements, and emits its events. Throws as {@link reserveStock}.
 */
export async function planReservation(tx: Tx, projectId: string, input: ReservationInput): Promise<PlannedReservation> {
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
  const { reference = null, expiresAt, ofOrder = false } = input
  return {
    projectId,
    head: { id: newId('res'), status: 'active', reference, expiresAt, createdAt: at, updatedAt: at },
    lines: [...allocated].map(
      ([{ namespace, key, batch }, quantity], line): ReservationLine => ({ namespace, key, batch, line, quantity, fulfilled: 0n }),
    ),
    ofOrder,
    events: [...allocated].map(([stock, quantity]) =>
      stockChangedEvent(projectId, { ...stock, reserved: stock.reserved + quantity }, null),
    ),
  }
}

/** Writes a planned reservation and schedules its expiry. */
export async function saveReservation(tx: Tx, { projectId, head, lines, ofOrder }: PlannedReservation): Promise<void> {
  const { id: reservationId, expiresAt } = head
  await Promise.all([
    insertReservation(tx, projectId, head, lines, { ofOrder }),
    expiresAt !== null && enqueue(tx, 'inventory.expireReservation', { projectId, reservationId }, { runAt: new Date(expiresAt) }),
  ])
}
