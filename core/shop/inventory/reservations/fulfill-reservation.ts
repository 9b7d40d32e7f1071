import type { Tx } from '../../../data/sql.ts'
import { decimalNumber } from '../../../lib/money/decimal.ts'
import type { Operation } from '../inventory.model.ts'
import { lockActiveReservation, postOperation } from '../operations/post-operation.ts'

/**
 * Posts a fulfill operation for all stock that a reservation still holds. Throws `reservation_not_active` where it is released, fulfilled
 * or expired, even if its stock was not freed yet.
 */
export async function fulfillReservation(
  tx: Tx,
  projectId: string,
  id: string,
  options: { reference?: string | null; note?: string | null } = {},
): Promise<Operation> {
  const { head, lines: reservedLines } = await lockActiveReservation(tx, projectId, id)
  const open = reservedLines.filter((line) => line.fulfilled < line.quantity)
  const legs = open.map(({ namespace, key, batch, quantity, fulfilled }) => ({
    namespace,
    key,
    batch,
    quantity: -decimalNumber(quantity - fulfilled),
  }))
  return postOperation(tx, projectId, {
    type: 'fulfill',
    reservationId: id,
    reference: options.reference ?? head.reference,
    note: options.note ?? null,
    legs,
  })
}
