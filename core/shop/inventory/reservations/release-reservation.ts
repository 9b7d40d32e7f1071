import type { Tx } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { lockBalances } from '../balances.queries.ts'
import { inventoryErrors } from '../inventory.errors.ts'
import type { Reservation } from '../inventory.model.ts'
import { balanceKeyOf, type StockBalance } from '../operations/ledger.ts'
import { stockChangedEvent } from '../operations/record-operation.ts'
import { closeReservation, lockReservation, presentReservation, type ReservationRecord } from './reservations.queries.ts'

/**
 * Releases the stock that a reservation still holds. A released or expired reservation is returned unchanged. Throws `not_found`, and
 * `reservation_not_active` for a fulfilled one.
 */
export async function releaseReservation(tx: Tx, projectId: string, id: string): Promise<Reservation> {
  const reservation = await lockReservation(tx, projectId, id)
  if (!reservation) throw notFound('The reservation')
  if (reservation.head.status === 'fulfilled') throw inventoryErrors.reservationFulfilled()
  if (reservation.head.status !== 'active') return presentReservation(reservation)
  return endReservation(tx, projectId, reservation, reservation.isDue ? 'expired' : 'released')
}

/** Expires a reservation whose time is over and frees its stock. Does nothing to any other. Safe to call twice and concurrently. */
export async function expireReservation(tx: Tx, projectId: string, id: string): Promise<void> {
  const reservation = await lockReservation(tx, projectId, id)
  if (reservation?.head.status === 'active' && reservation.isDue) await endReservation(tx, projectId, reservation, 'expired')
}

async function endReservation(
  tx: Tx,
  projectId: string,
  reservation: ReservationRecord,
  status: 'released' | 'expired',
): Promise<Reservation> {
  const { head, lines: reservedLines } = reservation
  const open = reservedLines.filter((line) => line.fulfilled < line.quantity)
  const { balances, lockedAt: at } = await lockBalances(tx, projectId, open, [])
  const closed = presentReservation({ ...reservation, head: { ...head, status, updatedAt: at } })
  const stock = open.map((line) =>
    stockChangedEvent(
      projectId,
      withLessReserved(invariant(balances.get(balanceKeyOf(line)), 'A balance that is held'), line.quantity - line.fulfilled),
      null,
    ),
  )
  const expired = { projectId, type: 'inventory.reservation.expired' as const, data: { ...closed } }
  await Promise.all([
    closeReservation(tx, projectId, head.id, status, at),
    emitWebhook(tx, status === 'expired' ? [expired, ...stock] : stock),
  ])
  return closed
}

const withLessReserved = (stock: StockBalance, by: bigint): StockBalance => ({ ...stock, reserved: stock.reserved - by })
