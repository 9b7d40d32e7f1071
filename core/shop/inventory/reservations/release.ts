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
 * Gives back what a reservation still holds. Releasing one that is released or expired changes nothing and is no failure; one that
 * is fulfilled holds nothing any more: `reservation_not_active`.
 */
export async function releaseReservation(tx: Tx, projectId: string, id: string): Promise<Reservation> {
  const reservation = await lockReservation(tx, projectId, id)
  if (!reservation) throw notFound('The reservation')
  if (reservation.head.status === 'fulfilled')
    throw new ApiError('reservation_not_active', 'The reservation is fulfilled. Reverse the operation, or post a customer_return.')
  if (reservation.head.status !== 'active') return asReservation(reservation)
  return close(tx, projectId, reservation, reservation.isDue ? 'expired' : 'released')
}

/** Gives back the stock of a reservation whose time is over; does nothing to any other. Safe to call twice, and by two at once. */
export async function expireReservation(tx: Tx, projectId: string, id: string): Promise<void> {
  const reservation = await lockReservation(tx, projectId, id)
  if (reservation?.head.status === 'active' && reservation.isDue) await close(tx, projectId, reservation, 'expired')
}

async function close(tx: Tx, projectId: string, reservation: HeldReservation, status: 'released' | 'expired'): Promise<Reservation> {
  const { head, held } = reservation
  const open = held.filter((line) => line.fulfilled < line.quantity)
  const { balances, at } = await lockBalances(tx, projectId, open, [])
  const closed = asReservation({ ...reservation, head: { ...head, status, updatedAt: at } })
  const stock = open.map((line) =>
    stockChanged(projectId, lowered(invariant(balances.get(nameOf(line)), 'A balance that is held'), line.quantity - line.fulfilled), null),
  )
  const expired = { projectId, type: 'inventory.reservation.expired' as const, data: { ...closed } }
  await Promise.all([
    closeReservation(tx, projectId, head.id, status, at),
    emitWebhook(tx, status === 'expired' ? [expired, ...stock] : stock),
  ])
  return closed
}

const lowered = (stock: Stock, by: bigint): Stock => ({ ...stock, reserved: stock.reserved - by })
