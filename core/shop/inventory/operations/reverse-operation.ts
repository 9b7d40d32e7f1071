import type { Tx } from '../../../data/sql.ts'
import { type FieldIssue, notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { lockBalances } from '../balances.queries.ts'
import { inventoryErrors } from '../inventory.errors.ts'
import type { Movement, NewReversal, Operation } from '../inventory.model.ts'
import { assertNotHeldByOrder } from '../reservations/assert-not-held-by-order.ts'
import { applyLines, findShortages, type LedgerLine } from './ledger.ts'
import { findOperation, findReversalId } from './operations.queries.ts'
import { recordOperation } from './record-operation.ts'

/**
 * Reverses an operation by posting a new one of the same type with negated movements. Possible once, and only while the stock it brought is
 * still there and unreserved. A reversal itself is final.
 * Returned stock has the cost of its batch. Stock fulfilled from a reservation becomes free, and the reservation does not change. Throws
 * `not_found`, `operation_not_reversible`, and `conflict` where an order holds the reservation.
 */
export async function reverseOperation(tx: Tx, projectId: string, id: string, input: NewReversal = {}): Promise<Operation> {
  const original = await findOperation(tx, projectId, id)
  if (!original) throw notFound('The operation')
  if (original.reversesId) throw inventoryErrors.reversalFinal()
  if (original.reversedById) throw inventoryErrors.alreadyReversed({ by: original.reversedById })
  await assertNotHeldByOrder(tx, projectId, original.reservationId)
  const lines = original.movements.map(negateMovement)
  const [{ balances, lockedAt: at }, reversedBy] = await Promise.all([
    lockBalances(tx, projectId, lines, []),
    findReversalId(tx, projectId, id),
  ])
  if (reversedBy) throw inventoryErrors.alreadyReversed({ by: reversedBy })
  const applied = applyLines(lines, balances)
  const short = findShortages(lines, applied.changes)
  if (short.length > 0) throw inventoryErrors.stockGone({ issues: short.map(pointAtOperation) })
  const note = input.note ?? `Reversal of ${id}`
  const head = {
    id: newId('op'),
    type: original.type,
    note,
    reference: input.reference ?? original.reference,
    reservationId: null,
    reversesId: id,
    createdAt: at,
  }
  return recordOperation(tx, projectId, { head, entries: applied.entries, changes: [...applied.changes.values()], reservationUses: [] })
}

const negateMovement = ({ namespace, key, batch, quantity }: Movement, at: number): LedgerLine => ({
  namespace,
  key,
  batch,
  quantity: -decimal(quantity),
  unitCost: null,
  at,
})

/** Points an error at the legs of the original, since the request has none. */
const pointAtOperation = (issue: FieldIssue): FieldIssue => ({ ...issue, isOutside: true })
