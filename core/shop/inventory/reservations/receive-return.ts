import type { Tx } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import type { NewLeg, Operation } from '../inventory.model.ts'
import { postOperation } from '../operations/post-operation.ts'
import { findReservation } from './reservations.queries.ts'

interface OperationTexts {
  readonly reference?: string | null
  readonly note?: string | null
}

/** Posts a `customer_return`, which receives returned stock. */
const receiveReturn = (
  tx: Tx,
  projectId: string,
  { legs, reference, note }: OperationTexts & { readonly legs: readonly NewLeg[] },
): Promise<Operation> =>
  postOperation(tx, projectId, { type: 'customer_return', reference: reference ?? null, note: note ?? null, legs: [...legs] })

interface ReturnedQuantities {
  /** Quantities that came back before, by key. */
  readonly already?: ReadonlyMap<string, Decimal>
  /** Quantities that come back now, by key; by default all that is left. */
  readonly wanted?: ReadonlyMap<string, Decimal>
}

/**
 * Receives the fulfilled stock of a reservation back into its batches, in the order it was taken. Returns null where there is none. The
 * caller makes sure that nothing is returned twice.
 */
export async function receiveReturnOfReservation(
  tx: Tx,
  projectId: string,
  id: string,
  part: ReturnedQuantities & OperationTexts = {},
): Promise<Operation | null> {
  return receiveReturnOfReservations(tx, projectId, [{ ...part, id }], part)
}

/** Quantities that come back of one reservation. */
export type ReservationReturn = ReturnedQuantities & { readonly id: string }

/** Receives the fulfilled stock of several reservations back by one operation. Returns null where there is none. */
export async function receiveReturnOfReservations(
  tx: Tx,
  projectId: string,
  parts: readonly ReservationReturn[],
  texts: OperationTexts = {},
): Promise<Operation | null> {
  const legs: NewLeg[] = []
  for (const part of parts) legs.push(...(await returnLegs(tx, projectId, part)))
  return legs.length === 0 ? null : receiveReturn(tx, projectId, { reference: texts.reference ?? null, note: texts.note ?? null, legs })
}

async function returnLegs(tx: Tx, projectId: string, { id, already, wanted }: ReservationReturn): Promise<NewLeg[]> {
  const reservation = await findReservation(tx, projectId, id)
  if (!reservation) throw notFound('The reservation')
  const spendReturned = budgetOf(already ?? new Map())
  const spendWanted = wanted ? budgetOf(wanted) : (_: string, most: Decimal) => most
  return reservation.lines.flatMap(({ namespace, key, batch, fulfilled }) => {
    const quantity = spendWanted(key, fulfilled - spendReturned(key, fulfilled))
    return quantity > 0n ? [{ namespace, key, batch, quantity: decimalNumber(quantity) }] : []
  })
}

/** Creates a function that spends the amount of a key: it returns up to `most` of it, until nothing is left. */
function budgetOf(amounts: ReadonlyMap<string, Decimal>) {
  const left = new Map(amounts)
  return (key: string, most: Decimal): Decimal => {
    const has = left.get(key) ?? 0n
    const given = has < most ? has : most
    left.set(key, has - given)
    return given
  }
}
