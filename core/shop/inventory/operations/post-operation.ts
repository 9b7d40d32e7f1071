import { RetryTransaction, type Tx } from '../../../data/sql.ts'
import { type FieldIssue, notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import { lockBalances } from '../balances.queries.ts'
import { inventoryErrors } from '../inventory.errors.ts'
import type { NewOperation, Operation } from '../inventory.model.ts'
import { allocateStock, type Shortage, shortageError } from '../reservations/allocate-stock.ts'
import { chooseBatches, splitByBatch, toStockRequest } from '../reservations/choose-batches.ts'
import { lockReservation, type ReservationLine, type ReservationRecord } from '../reservations/reservations.queries.ts'
import { assignUnitCosts } from './assign-unit-costs.ts'
import { applyLines, balanceKeyOf, describeBalance, findShortages, type RequestedLine, stockConflictError } from './ledger.ts'
import type { OperationHead, ReservationUse } from './operations.queries.ts'
import { parseLegs } from './parse-legs.ts'
import { recordOperation } from './record-operation.ts'

/**
 * Posts an operation in the caller's transaction: checks it against the rules of its type, changes the balances, writes the ledger and
 * emits events. Throws `invalid_request`, `unbalanced_operation`, `batch_cost_conflict`, `reserved_stock_conflict`, `limit_reached`,
 * `reservation_not_active`, and `not_found` for an unknown reservation.
 */
export async function postOperation(tx: Tx, projectId: string, input: NewOperation): Promise<Operation> {
  const id = newId('op')
  const requested = parseLegs(input, id)
  if (!input.reservationId) return postLines(tx, projectId, headOf(id, input), requested, [])
  const reservation = await lockActiveReservation(tx, projectId, input.reservationId)
  const { lines, takes: uses } = takeFromReservation(requested, reservation.lines)
  return postLines(tx, projectId, headOf(id, input), lines, uses)
}

type OperationHeading = Omit<OperationHead, 'createdAt'>

const headOf = (id: string, { type, note, reference, reservationId }: NewOperation): OperationHeading => ({
  id,
  type,
  note: note ?? null,
  reference: reference ?? null,
  reservationId: reservationId ?? null,
  reversesId: null,
})

async function postLines(
  tx: Tx,
  projectId: string,
  heading: OperationHeading,
  requested: readonly RequestedLine[],
  uses: readonly BalanceUse[],
): Promise<Operation> {
  // Balances of a conversion's output are new, so nobody else can lock them. The costs of the consumed batches decide how the output is
  // split.
  const isFresh = heading.type === 'convert'
  const known = isFresh ? requested.filter((line) => !isIncoming(line)) : requested
  const locked = await lockBalances(tx, projectId, known.filter(isOutgoing), known.filter(isIncoming))
  const chosen = chooseBatches(requested, locked.balances)
  if (chosen.short.length > 0) throw shortageError(chosen.short, locked)
  const lines = assignUnitCosts(heading.type, chosen.lines, locked.balances)
  const fresh = isFresh ? await lockBalances(tx, projectId, [], lines.filter(isIncoming)) : undefined
  const balances = fresh ? new Map([...locked.balances, ...fresh.balances]) : locked.balances
  if (lines.some((line) => isIncoming(line) && !balances.has(balanceKeyOf(line))))
    throw new RetryTransaction('The oldest batches are others by now.')
  const { entries, changes } = applyLines(lines, balances, sumByBalance(uses))
  const short = findShortages(lines, changes)
  if (short.length > 0) throw stockConflictError(short)
  return recordOperation(tx, projectId, {
    head: { ...heading, createdAt: locked.lockedAt },
    entries,
    changes: [...changes.values()],
    reservationUses: uses,
  })
}

const isIncoming = ({ quantity }: RequestedLine) => quantity > 0n
const isOutgoing = ({ quantity }: RequestedLine) => quantity < 0n

/** Locks a reservation that still holds stock. Throws `not_found`, `reservation_not_active`. */
export async function lockActiveReservation(tx: Tx, projectId: string, id: string): Promise<ReservationRecord> {
  const reservation = await lockReservation(tx, projectId, id)
  if (!reservation) throw notFound('The reservation')
  const { head, isDue } = reservation
  if (head.status === 'active' && !isDue) return reservation
  const status = head.status === 'active' ? 'expired' : head.status
  throw inventoryErrors.reservationClosed({ status })
}

interface BalanceUse extends ReservationUse {
  readonly name: string
}

const sumByBalance = (uses: readonly BalanceUse[]) => {
  const sums = new Map<string, Decimal>()
  for (const { name, quantity } of uses) sums.set(name, (sums.get(name) ?? 0n) + quantity)
  return sums
}

/**
 * Takes the lines from the stock of a reservation. A leg without a batch takes from any, in the order of reservation. Uses of one
 * reservation line are added up, because a statement updates a row once.
 */
function takeFromReservation(requested: readonly RequestedLine[], held: readonly ReservationLine[]) {
  const open = new Map(held.map((line) => [balanceKeyOf(line), line.quantity - line.fulfilled]))
  const { shares, short } = allocateStock(requested.map(toStockRequest), held, open)
  if (short.length > 0) throw stockConflictError(short.map(reservationShortage))
  const uses = new Map<number, BalanceUse>()
  for (const { source: from, quantity } of shares) {
    const before = uses.get(from.line)?.quantity ?? 0n
    uses.set(from.line, { line: from.line, quantity: before + quantity, name: balanceKeyOf(from) })
  }
  return { lines: requested.flatMap((line) => splitByBatch(line, shares)), takes: [...uses.values()] }
}

const reservationShortage = ({ request: { at, batch, ...item }, missing: left }: Shortage): FieldIssue => ({
  field: ['legs', at, 'quantity'],
  message: `The reservation holds ${decimalNumber(left)} less of ${describeBalance({ ...item, batch: batch ?? '' })} than requested.`,
})
