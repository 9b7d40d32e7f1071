import type { Tx } from '../../../data/sql.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { invariant } from '../../../lib/invariant.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { lockBalances } from '../balances.queries.ts'
import type { Reservation } from '../inventory.model.ts'
import { nameOf, type Stock } from '../operations/ledger.ts'
import { stockChanged } from '../operations/record.ts'
import { asReservation, closeReservation, type HeldReservation, lockReservation } from './reservations.queries.ts'

/**
 * Releases the stock that a reservation still holds. A released or expired reservation is returned unchanged. Throws `not_found`, and
 * `reservation_not_active` for a fulfilled one.
 */
export async function releaseReservation(tx: Tx, projectId: string, id: string): Promise<Reservation> {
  const reservation = await lockReservation(tx, projectId, id)
  if (!reservation) throw notFound('The reservation')
  if (reservation.head.status === 'fulfilled')
    throw new ApiError('reservation_not_active', 'The reservation is fulfilled. Reverse the operation, or post a customer_return.')
  if (reservation.head.status !== 'active') return asReservation(reservation)
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
  reservation: HeldReservation,
  status: 'released' | 'expired',
): Promise<Reservation> {
  const { head, held } = reservation
  const open = held.filter((line) => line.fulfilled < line.quantity)
  const { balances, at } = await lockBalances(tx, projectId, open, [])
  const closed = asReservation({ ...reservation, head: { ...head, status, updatedAt: at } })
  const stock = open.map((line) =>
    stockChanged(
      projectId,
      withLessReserved(invariant(balances.get(nameOf(line)), 'A balance that is held'), line.quantity - line.fulfilled),
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

const withLessReserved = (stock: Stock, by: bigint): Stock => ({ ...stock, reserved: stock.reserved - by })
