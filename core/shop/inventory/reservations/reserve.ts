import { enqueue } from '../../../data/jobs.ts'
import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { lockBalances } from '../balances.queries.ts'
import type { Reservation } from '../inventory.model.ts'
import { assertFewLines, type Stock } from '../operations/ledger.ts'
import { stockChanged } from '../operations/record.ts'
import { readQuantity } from '../operations/rules.ts'
import { asReservation, type Held, insertReservation } from './reservations.queries.ts'
import { share, shortOf } from './share.ts'

export { releaseReservation } from './release.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'inventory.expireReservation': { readonly projectId: string; readonly reservationId: string }
  }
}

/** Leg of a reservation. */
export interface ReservedLeg {
  readonly namespace: string
  readonly key: string
  readonly quantity: number
  /** Batch to reserve from; by default any with free stock, oldest first. */
  readonly batch?: string
}

/** Input of {@link reserveStock}. */
export interface ReserveInput {
  readonly reference?: string | null
  /** Time when it expires; null to hold the stock until it is fulfilled or released. */
  readonly expiresAt: string | null
  readonly legs: readonly ReservedLeg[]
  /** True where an order holds it. Only the order then fulfills or releases it. */
  readonly ofOrder?: boolean
}

/**
 * Reserves stock, all of it or none, and schedules the expiry. Emits `inventory.stock.changed` for each balance, because the available
 * quantity changes. Throws `reserved_stock_conflict` with a detail for each leg that lacks stock, and `limit_reached`.
 */
export async function reserve(tx: Tx, projectId: string, input: ReserveInput): Promise<Reservation> {
  const wanted = input.legs.map((leg, at) => ({
    ...leg,
    batch: leg.batch ?? null,
    at,
    quantity: readQuantity(leg.quantity, `/body/legs/${at}/quantity`),
  }))
  const locked = await lockBalances(tx, projectId, wanted, [])
  const { balances, at } = locked
  const free = new Map([...balances].map(([name, stock]) => [name, stock.onHand - stock.reserved]))
  const { shares, short } = share(wanted, balances.values(), free)
  if (short.length > 0) throw shortOf(short, locked)
  const allocated = new Map<Stock, Decimal>()
  for (const { from, quantity } of shares) allocated.set(from, (allocated.get(from) ?? 0n) + quantity)
  assertFewLines(allocated.size)
  const held = [...allocated].map(
    ([stock, quantity], line): Held => ({
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
    insertReservation(tx, projectId, head, held, input.ofOrder ?? false),
    emitWebhook(
      tx,
      [...allocated].map(([stock, quantity]) => stockChanged(projectId, { ...stock, reserved: stock.reserved + quantity }, null)),
    ),
    input.expiresAt !== null &&
      enqueue(tx, 'inventory.expireReservation', { projectId, reservationId: head.id }, { runAt: new Date(input.expiresAt) }),
  ])
  return asReservation({ head, isDue: false, held })
}
