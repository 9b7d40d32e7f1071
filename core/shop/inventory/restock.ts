import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../http/errors.ts'
import { decimalNumber } from '../../lib/decimal.ts'
import type { NewLeg, Operation } from './inventory.model.ts'
import { post } from './post.ts'
import { findReservation } from './reservations.queries.ts'

interface Said {
  readonly reference?: string | null
  readonly note?: string | null
}

/** What a customer sends back, into stock: a customer_return. */
export const restock = (
  tx: Tx,
  projectId: string,
  { legs, reference, note }: Said & { readonly legs: readonly NewLeg[] },
): Promise<Operation> => post(tx, projectId, { type: 'customer_return', reference: reference ?? null, note: note ?? null, legs: [...legs] })

/**
 * All that was fulfilled from a reservation, back into the batches that it came from. Null where nothing was. The caller sees to it
 * that one parcel comes back once.
 */
export async function restockReservation(tx: Tx, projectId: string, id: string, said: Said = {}): Promise<Operation | null> {
  const reservation = await findReservation(tx, projectId, id)
  if (!reservation) throw notFound('The reservation')
  const legs = reservation.held
    .filter((line) => line.fulfilled > 0n)
    .map(({ namespace, key, batch, fulfilled }) => ({ namespace, key, batch, quantity: decimalNumber(fulfilled) }))
  return legs.length === 0 ? null : restock(tx, projectId, { ...said, legs })
}
