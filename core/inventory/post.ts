import type { Queryable } from '../data/sql.ts'
import { ApiError, type Detail, notFound } from '../http/errors.ts'
import { type Decimal, decimalNumber } from '../lib/decimal.ts'
import { newId } from '../lib/ids.ts'
import { type Locked, lockBalances } from './balances.queries.ts'
import { costLines } from './cost.ts'
import type { NewOperation, Operation } from './inventory.model.ts'
import { applyLines, describe, type Line, lesser, nameOf, shortages, stockConflict } from './ledger.ts'
import type { OperationHead, Take } from './operations.queries.ts'
import { record } from './record.ts'
import { type Held, type HeldReservation, lockReservation } from './reservations.queries.ts'
import { readLegs } from './rules.ts'

/**
 * Posts an operation in the caller's transaction: checks it against the rules of its type, moves the balances, writes the ledger
 * and tells of it. Throws `ApiError`: invalid_request, unbalanced_operation, batch_cost_conflict, reserved_stock_conflict,
 * reservation_not_active, or not_found for a reservation that is not there.
 */
export async function post(tx: Queryable, projectId: string, input: NewOperation): Promise<Operation> {
  const id = newId('op')
  const asked = readLegs(input, id)
  if (!input.reservationId) return settle(tx, projectId, headOf(id, input), asked, [])
  const reservation = await lockActive(tx, projectId, input.reservationId)
  const { lines, takes } = takeHeld(asked, reservation.held, (line) => input.legs[line.at]!.batch === undefined)
  return settle(tx, projectId, headOf(id, input), lines, takes)
}

type Heading = Omit<OperationHead, 'createdAt'>

const headOf = (id: string, { type, note, reference, reservationId }: NewOperation): Heading => ({
  id,
  type,
  note: note ?? null,
  reference: reference ?? null,
  reservationId: reservationId ?? null,
  reversesId: null,
})

async function settle(
  tx: Queryable,
  projectId: string,
  heading: Heading,
  asked: readonly Line[],
  takes: readonly HeldTake[],
): Promise<Operation> {
  const isAdding = (line: Line) => line.quantity > 0n
  // What is converted into is fresh: nobody else can hold it, and how it is split follows from what the consumed batches cost.
  const isFresh = heading.type === 'convert'
  const known = isFresh ? asked.filter((line) => !isAdding(line)) : asked
  const locked = await lockBalances(tx, projectId, known, isFresh ? [] : known.filter(isAdding))
  const lines = costLines(heading.type, asked, locked.balances)
  const fresh = isFresh ? await lockFresh(tx, projectId, lines.filter(isAdding)) : undefined
  const balances = fresh ? new Map([...locked.balances, ...fresh.balances]) : locked.balances
  const { entries, changes } = applyLines(lines, balances, takenByBalance(takes))
  const short = shortages(lines, changes)
  if (short.length > 0) throw stockConflict(short)
  return record(tx, projectId, {
    head: { ...heading, createdAt: locked.at },
    entries,
    changes: [...changes.values()],
    takes,
  })
}

const lockFresh = (tx: Queryable, projectId: string, produced: readonly Line[]): Promise<Locked> =>
  lockBalances(tx, projectId, produced, produced)

/** The reservation, locked, if something can still be taken from it. */
export async function lockActive(tx: Queryable, projectId: string, id: string): Promise<HeldReservation> {
  const reservation = await lockReservation(tx, projectId, id)
  if (!reservation) throw notFound('The reservation')
  const { head, isDue } = reservation
  if (head.status === 'active' && !isDue) return reservation
  const status = head.status === 'active' ? 'expired' : head.status
  throw new ApiError('reservation_not_active', `The reservation is ${status}; it holds nothing to take.`)
}

interface HeldTake extends Take {
  readonly name: string
}

const takenByBalance = (takes: readonly HeldTake[]) => {
  const taken = new Map<string, Decimal>()
  for (const { name, quantity } of takes) taken.set(name, (taken.get(name) ?? 0n) + quantity)
  return taken
}

/** Spreads what is asked over what the reservation holds; a leg that names no batch takes from any, in the order they were reserved. */
function takeHeld(asked: readonly Line[], held: readonly Held[], fromAnyBatch: (line: Line) => boolean) {
  const open = new Map(held.map((line) => [line, line.quantity - line.fulfilled]))
  const lines: Line[] = []
  const short: Detail[] = []
  for (const line of asked) {
    let left = -line.quantity
    for (const from of held) {
      if (left === 0n || from.namespace !== line.namespace || from.key !== line.key) continue
      if (from.batch !== line.batch && !fromAnyBatch(line)) continue
      const free = open.get(from)!
      const part = lesser(free, left)
      if (part === 0n) continue
      open.set(from, free - part)
      left -= part
      lines.push({ ...line, batch: from.batch, quantity: -part })
    }
    if (left > 0n)
      short.push({
        path: `/body/legs/${line.at}/quantity`,
        message: `The reservation holds ${decimalNumber(left)} less of ${describe(line)} than asked.`,
      })
  }
  if (short.length > 0) throw stockConflict(short)
  const takes = held.flatMap((line) => {
    const quantity = line.quantity - line.fulfilled - open.get(line)!
    return quantity > 0n ? [{ line: line.line, quantity, name: nameOf(line) }] : []
  })
  return { lines, takes }
}
