import type { Tx } from '../../../data/sql.ts'
import { notFound } from '../../../http/errors/errors.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import type { NewLeg, Operation } from '../inventory.model.ts'
import { post } from '../operations/post.ts'
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

interface Coming {
  /** What came back before, by key. */
  readonly already?: ReadonlyMap<string, Decimal>
  /** What comes back now, by key; all the rest, unless said. */
  readonly wanted?: ReadonlyMap<string, Decimal>
}

/**
 * What was fulfilled from a reservation, back into the batches that it came from, in the order that it was taken. Null where nothing was.
 * The caller sees to it that one thing comes back once.
 */
export async function restockReservation(tx: Tx, projectId: string, id: string, part: Coming & Said = {}): Promise<Operation | null> {
  return restockReservations(tx, projectId, [{ ...part, id }], part)
}

export type ComingOf = Coming & { readonly id: string }

/** The same of several reservations, by one operation. */
export async function restockReservations(
  tx: Tx,
  projectId: string,
  parts: readonly ComingOf[],
  said: Said = {},
): Promise<Operation | null> {
  const legs: NewLeg[] = []
  for (const part of parts) legs.push(...(await legsBack(tx, projectId, part)))
  return legs.length === 0 ? null : restock(tx, projectId, { reference: said.reference ?? null, note: said.note ?? null, legs })
}

async function legsBack(tx: Tx, projectId: string, { id, already, wanted }: ComingOf): Promise<NewLeg[]> {
  const reservation = await findReservation(tx, projectId, id)
  if (!reservation) throw notFound('The reservation')
  const passed = spender(already ?? new Map())
  const takes = wanted ? spender(wanted) : (_: string, most: Decimal) => most
  return reservation.held.flatMap(({ namespace, key, batch, fulfilled }) => {
    const quantity = takes(key, fulfilled - passed(key, fulfilled))
    return quantity > 0n ? [{ namespace, key, batch, quantity: decimalNumber(quantity) }] : []
  })
}

/** Gives of each key up to `most`, until all of it is given. */
function spender(amounts: ReadonlyMap<string, Decimal>) {
  const left = new Map(amounts)
  return (key: string, most: Decimal): Decimal => {
    const has = left.get(key) ?? 0n
    const given = has < most ? has : most
    left.set(key, has - given)
    return given
  }
}
