import { type KeysetPage, keysetPageOfPartitions, matching, type Sorted, sortValue } from '../../../data/keyset-page.ts'
import { expectOne, json, type Queryable, type Tx } from '../../../data/sql.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../../lib/money/decimal.ts'
import { rowsOf } from '../balances.queries.ts'
import type { Movement, Operation, OperationType } from '../inventory.model.ts'
import type { Change, Entry } from './ledger.ts'

export interface OperationHead {
  readonly id: string
  readonly type: OperationType
  readonly note: string | null
  readonly reference: string | null
  readonly reservationId: string | null
  readonly reversesId: string | null
  readonly createdAt: string
}

/** How much an operation takes of one line of a reservation, in all: each line stands in one take. */
export interface Take {
  readonly line: number
  readonly quantity: Decimal
}

export interface Posting {
  readonly head: OperationHead
  readonly entries: readonly Entry[]
  readonly changes: readonly Change[]
  readonly takes: readonly Take[]
}

const text = (value: Decimal | null) => (value === null ? null : decimalText(value))

/** The operation, its movements and the counters they move: one statement, so that none is ever without the others. */
export async function insertOperation(tx: Tx, projectId: string, { head, entries, changes, takes }: Posting) {
  const lines = entries.map(({ namespace, key, batch, quantity, unitCost, balanceAfter }, line) => ({
    line,
    namespace,
    key,
    batch,
    quantity: text(quantity),
    unit_cost: text(unitCost),
    balance_after: text(balanceAfter),
  }))
  const moved = changes.map(({ before, after }) => ({
    namespace: after.namespace,
    key: after.key,
    batch: after.batch,
    on_hand: text(after.onHand - before.onHand),
    reserved: text(after.reserved - before.reserved),
    unit_cost: text(after.unitCost),
  }))
  await tx`
    with moved as (
      update inventory_balances b set on_hand = b.on_hand + c.on_hand, reserved = b.reserved + c.reserved, unit_cost = c.unit_cost,
        created_at = least(b.created_at, now())
      from jsonb_to_recordset(${rowsOf(tx, projectId, moved)}) as c (project_id text, namespace text, key text, batch text, on_hand numeric, reserved numeric, unit_cost numeric)
      where c.project_id = ${projectId} and b.project_id = c.project_id and b.namespace = c.namespace and b.key = c.key and b.batch = c.batch
    ), posted as (
      insert into inventory_operations (project_id, id, type, note, reference, reservation_id, reverses_id, created_at)
      values (${projectId}, ${head.id}, ${head.type}, ${head.note}, ${head.reference}, ${head.reservationId}, ${head.reversesId}, ${head.createdAt})
    ) ${takes.length === 0 ? tx`` : takeReserved(tx, projectId, head, takes)}
    insert into inventory_movements (project_id, operation_id, line, namespace, key, batch, quantity, unit_cost, balance_after, created_at)
    select ${projectId}, ${head.id}, line, namespace, key, batch, quantity, unit_cost, balance_after, ${head.createdAt}::timestamptz
    from jsonb_to_recordset(${json(tx, lines)}) as l (line integer, namespace text, key text, batch text, quantity numeric, unit_cost numeric, balance_after numeric)
    order by line`
}

const takeReserved = (tx: Tx, projectId: string, head: OperationHead, takes: readonly Take[]) => tx`
  , taken as (
    update inventory_reservation_lines r set fulfilled = r.fulfilled + t.quantity
    from jsonb_to_recordset(${rowsOf(
      tx,
      projectId,
      takes.map(({ line, quantity }) => ({ line, quantity: text(quantity) })),
    )}) as t (project_id text, line integer, quantity numeric)
    where t.project_id = ${projectId} and r.project_id = t.project_id and r.reservation_id = ${head.reservationId} and r.line = t.line returning r.line, r.quantity - r.fulfilled as open
  ), closed as (
    update inventory_reservations set updated_at = ${head.createdAt}::timestamptz, status = case when exists (
        select 1 from inventory_reservation_lines r left join taken t on t.line = r.line
        where r.project_id = ${projectId} and r.reservation_id = ${head.reservationId} and coalesce(t.open, r.quantity - r.fulfilled) > 0
      ) then 'active' else 'fulfilled' end
    where project_id = ${projectId} and id = ${head.reservationId}
  )`

interface MovementRow {
  readonly operationId: string
  readonly line: number
  readonly position: number
  readonly namespace: string
  readonly key: string
  readonly batch: string
  readonly quantity: string
  readonly unitCost: string | null
  readonly balanceAfter: string
  readonly createdAt: string
}

type OperationRow = OperationHead & { readonly reversedById: string | null }

const LINE_DIGITS = 3

const number = (value: Decimal | null) => (value === null ? null : decimalNumber(value))

/** A movement is named after its operation and its line there. */
const movementId = (operationId: string, line: number) =>
  `mov${operationId.slice(operationId.indexOf('_'))}${String(line).padStart(LINE_DIGITS, '0')}`

/** An operation as it is answered, from what was just written of it. */
export const asOperation = (head: OperationHead, entries: readonly Entry[]): Operation =>
  withMovements(
    { ...head, reversedById: null },
    entries.map((entry, line) => asMovement(head, entry, line)),
  )

const asMovement = (
  { id, createdAt }: { id: string; createdAt: string },
  { namespace, key, batch, quantity, unitCost, balanceAfter }: Entry,
  line: number,
): Movement => ({
  id: movementId(id, line),
  operationId: id,
  namespace,
  key,
  batch,
  quantity: decimalNumber(quantity),
  unitCost: number(unitCost),
  balanceAfter: decimalNumber(balanceAfter),
  createdAt,
})

const toEntry = (row: MovementRow): Entry => ({
  namespace: row.namespace,
  key: row.key,
  batch: row.batch,
  quantity: decimal(row.quantity),
  unitCost: row.unitCost === null ? null : decimal(row.unitCost),
  balanceAfter: decimal(row.balanceAfter),
})

const toMovement = (row: MovementRow) => asMovement({ id: row.operationId, createdAt: row.createdAt }, toEntry(row), row.line)

/** Legs are the movements as they were asked for: a conversion's have roles instead of signs. */
function withMovements(head: OperationRow, movements: Movement[]): Operation {
  const { id, type, note, reference, reservationId, reversesId, reversedById, createdAt } = head
  const legs = movements.map(({ namespace, key, batch, quantity, unitCost }) => {
    const leg = { namespace, key, batch, quantity, unitCost }
    return type === 'convert' ? { ...leg, quantity: Math.abs(quantity), role: quantity < 0 ? ('in' as const) : ('out' as const) } : leg
  })
  return { id, type, note, reference, reservationId, reversesId, reversedById, createdAt, legs, movements }
}

const headColumns = (sql: Queryable) => sql`
  o.id, o.type, o.note, o.reference, o.reservation_id, o.reverses_id, o.created_at,
  (select r.operation_id from inventory_reversals r where r.project_id = o.project_id and r.reverses_id = o.id) as reversed_by_id`

/** Movements are of the moment of their operation: from the first of these to the last, one partition is opened, or two. */
function linesOf(sql: Queryable, projectId: string, heads: readonly OperationRow[]) {
  const times = heads.map(({ createdAt }) => createdAt).sort()
  const first = expectOne(times)
  const last = times.at(-1) ?? first
  return sql`from inventory_movements
    where project_id = ${projectId} and operation_id = any (${heads.map(({ id }) => id)}) and created_at >= ${first} and created_at < ${justAfter(last)}`
}

const readLines = (sql: Queryable, projectId: string, heads: readonly OperationRow[]) => sql<MovementRow[]>`
  select operation_id, line, position, namespace, key, batch, quantity, unit_cost, balance_after, created_at ${linesOf(sql, projectId, heads)}
  order by operation_id, line`

/** What a page reads of lines, unless a single operation has more: those of a hundred large ones would hold everybody else up. */
const PAGE_LINES = 1_000

/** As many of these operations, the first ones, as have their lines read at once. */
async function withinLines<H extends OperationRow>(sql: Queryable, projectId: string, heads: readonly H[]): Promise<readonly H[]> {
  if (heads.length < 2) return heads
  const counted = await sql<{ id: string; lines: number }[]>`
    select operation_id as id, count(*) as lines ${linesOf(sql, projectId, heads)} group by operation_id`
  const lines = new Map(counted.map((row) => [row.id, row.lines]))
  let [read, sum] = [0, 0]
  for (const { id } of heads) {
    sum += lines.get(id) ?? 0
    if (sum > PAGE_LINES && read > 0) break
    read += 1
  }
  return heads.slice(0, read)
}

/** The database may know it to the microsecond. */
const justAfter = (time: string) => new Date(Date.parse(time) + 1).toISOString()

export async function findOperation(sql: Queryable, projectId: string, id: string): Promise<Operation | undefined> {
  const [head] = await sql<
    OperationRow[]
  >`select ${headColumns(sql)} from inventory_operations o where o.project_id = ${projectId} and o.id = ${id}`
  return head && withMovements(head, (await readLines(sql, projectId, [head])).map(toMovement))
}

export const findReversal = async (sql: Queryable, projectId: string, id: string) =>
  (
    await sql<{ id: string }[]>`select operation_id as id from inventory_reversals where project_id = ${projectId} and reverses_id = ${id}`
  )[0]?.id

export interface Period {
  readonly from?: string
  readonly to?: string
}

const inPeriod = (sql: Queryable, { from, to }: Period) => sql`
  ${from === undefined ? sql`` : sql`and created_at >= ${from}`} ${to === undefined ? sql`` : sql`and created_at < ${to}`}`

export async function listOperations(
  sql: Queryable,
  projectId: string,
  filter: Period & { type?: OperationType; reference?: string },
  part: KeysetPage,
): Promise<(Operation & Sorted)[]> {
  const found = await sql<(OperationRow & Sorted)[]>`
    select ${headColumns(sql)} ${sortValue(sql, part)} from inventory_operations o where o.project_id = ${projectId}
    ${matching(sql, { type: filter.type, reference: filter.reference })} ${inPeriod(sql, filter)} ${keysetPageOfPartitions(sql, part, 'o.id')}`
  const asked = found.slice(0, part.take)
  if (asked.length === 0) return []
  const heads = await withinLines(sql, projectId, asked)
  const lines = Map.groupBy(await readLines(sql, projectId, heads), (line) => line.operationId)
  const isCut = heads.length < asked.length
  return heads.map(({ sortValue: value, ...head }, at) => ({
    ...withMovements(head, (lines.get(head.id) ?? []).map(toMovement)),
    ...(value !== undefined && { sortValue: value }),
    ...(isCut && at === heads.length - 1 && { isCut }),
  }))
}

export type MovementFilter = { objectId: string } | { holderRef: string } | { operationId: string }

/** `position` is where each stands in the ledger. */
export async function listMovements(sql: Queryable, projectId: string, filter: Period & MovementFilter, part: KeysetPage) {
  const of =
    'objectId' in filter
      ? sql`key = ${filter.objectId}`
      : 'holderRef' in filter
        ? sql`namespace = ${filter.holderRef}`
        : sql`operation_id = ${filter.operationId}
            and created_at = (select created_at from inventory_operations where project_id = ${projectId} and id = ${filter.operationId})`
  const rows = await sql<(MovementRow & Sorted)[]>`
    select operation_id, line, position, namespace, key, batch, quantity, unit_cost, balance_after, created_at ${sortValue(sql, part)}
    from inventory_movements where project_id = ${projectId} and ${of} ${inPeriod(sql, filter)} ${keysetPageOfPartitions(sql, part, 'position')}`
  return rows
    .slice(0, part.take)
    .map((row) => ({ movement: toMovement(row), position: row.position, ...(row.sortValue && { sortValue: row.sortValue }) }))
}

/** For the notes of operations in this transaction alone: the ledger refuses every other change. */
export const allowErasing = (tx: Tx) => tx`select set_config('serai.erases_person', 'yes', true)`
