import { equalsCondition, type KeysetPage, keysetPageOfPartitions, type SortedRow, sortValueColumn } from '../../../data/keyset-page.ts'
import { expectOne, json, type Queryable, type Tx } from '../../../data/sql.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../../lib/money/decimal.ts'
import { rowsParameter } from '../balances.queries.ts'
import type { Movement, Operation, OperationType } from '../inventory.model.ts'
import type { BalanceChange, LedgerEntry } from './ledger.ts'

/** Operation without its lines. */
export interface OperationHead {
  readonly id: string
  readonly type: OperationType
  readonly note: string | null
  readonly reference: string | null
  readonly reservationId: string | null
  readonly reversesId: string | null
  readonly createdAt: string
}

/** Quantity that an operation takes of one line of a reservation. Each line occurs once. */
export interface ReservationUse {
  readonly line: number
  readonly quantity: Decimal
}

/** Operation to be written, with its entries and the changes they make. */
export interface Posting {
  readonly head: OperationHead
  readonly entries: readonly LedgerEntry[]
  readonly changes: readonly BalanceChange[]
  readonly reservationUses: readonly ReservationUse[]
}

const textOrNull = (value: Decimal | null) => (value === null ? null : decimalText(value))

/** Writes an operation, its movements and the counters they change in one statement. */
export async function insertOperation(tx: Tx, projectId: string, { head, entries, changes, reservationUses: uses }: Posting) {
  const lines = entries.map(({ namespace, key, batch, quantity, unitCost, balanceAfter }, line) => ({
    line,
    namespace,
    key,
    batch,
    quantity: textOrNull(quantity),
    unit_cost: textOrNull(unitCost),
    balance_after: textOrNull(balanceAfter),
  }))
  const moved = changes.map(({ before, after }) => ({
    namespace: after.namespace,
    key: after.key,
    batch: after.batch,
    on_hand: textOrNull(after.onHand - before.onHand),
    reserved: textOrNull(after.reserved - before.reserved),
    unit_cost: textOrNull(after.unitCost),
  }))
  await tx`
    with moved as (
      update inventory_balances b set on_hand = b.on_hand + c.on_hand, reserved = b.reserved + c.reserved, unit_cost = c.unit_cost,
        created_at = least(b.created_at, now())
      from jsonb_to_recordset(${rowsParameter(tx, projectId, moved)}) as c (project_id text, namespace text, key text, batch text, on_hand numeric, reserved numeric, unit_cost numeric)
      where c.project_id = ${projectId} and b.project_id = c.project_id and b.namespace = c.namespace and b.key = c.key and b.batch = c.batch
    ), posted as (
      insert into inventory_operations (project_id, id, type, note, reference, reservation_id, reverses_id, created_at)
      values (${projectId}, ${head.id}, ${head.type}, ${head.note}, ${head.reference}, ${head.reservationId}, ${head.reversesId}, ${head.createdAt})
    ) ${uses.length === 0 ? tx`` : useReserved(tx, projectId, head, uses)}
    insert into inventory_movements (project_id, operation_id, line, namespace, key, batch, quantity, unit_cost, balance_after, created_at)
    select ${projectId}, ${head.id}, line, namespace, key, batch, quantity, unit_cost, balance_after, ${head.createdAt}::timestamptz
    from jsonb_to_recordset(${json(tx, lines)}) as l (line integer, namespace text, key text, batch text, quantity numeric, unit_cost numeric, balance_after numeric)
    order by line`
}

const useReserved = (tx: Tx, projectId: string, head: OperationHead, uses: readonly ReservationUse[]) => tx`
  , taken as (
    update inventory_reservation_lines r set fulfilled = r.fulfilled + t.quantity
    from jsonb_to_recordset(${rowsParameter(
      tx,
      projectId,
      uses.map(({ line, quantity }) => ({ line, quantity: textOrNull(quantity) })),
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

const numberOrNull = (value: Decimal | null) => (value === null ? null : decimalNumber(value))

/** Builds the id of a movement from its operation and line. */
const movementId = (operationId: string, line: number) =>
  `mov${operationId.slice(operationId.indexOf('_'))}${String(line).padStart(LINE_DIGITS, '0')}`

/** Presents an operation from the entries just written. */
export const presentOperation = (head: OperationHead, entries: readonly LedgerEntry[]): Operation =>
  toOperation(
    { ...head, reversedById: null },
    entries.map((entry, line) => presentMovement(head, entry, line)),
  )

const presentMovement = (
  { id, createdAt }: { id: string; createdAt: string },
  { namespace, key, batch, quantity, unitCost, balanceAfter }: LedgerEntry,
  line: number,
): Movement => ({
  id: movementId(id, line),
  operationId: id,
  namespace,
  key,
  batch,
  quantity: decimalNumber(quantity),
  unitCost: numberOrNull(unitCost),
  balanceAfter: decimalNumber(balanceAfter),
  createdAt,
})

const toEntry = (row: MovementRow): LedgerEntry => ({
  namespace: row.namespace,
  key: row.key,
  batch: row.batch,
  quantity: decimal(row.quantity),
  unitCost: row.unitCost === null ? null : decimal(row.unitCost),
  balanceAfter: decimal(row.balanceAfter),
})

const toMovement = (row: MovementRow) => presentMovement({ id: row.operationId, createdAt: row.createdAt }, toEntry(row), row.line)

/** Presents an operation with its movements. Legs repeat the movements; a conversion has roles in place of signs. */
function toOperation(head: OperationRow, movements: Movement[]): Operation {
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

/**
 * Selects the movements of these operations. They have the times of their operations, so the bounds on `created_at` open one or two
 * partitions.
 */
function fromMovements(sql: Queryable, projectId: string, heads: readonly OperationRow[]) {
  const times = heads.map(({ createdAt }) => createdAt).sort()
  const first = expectOne(times)
  const last = times.at(-1) ?? first
  return sql`from inventory_movements
    where project_id = ${projectId} and operation_id = any (${heads.map(({ id }) => id)}) and created_at >= ${first} and created_at < ${addMillisecond(last)}`
}

const readMovements = (sql: Queryable, projectId: string, heads: readonly OperationRow[]) => sql<MovementRow[]>`
  select operation_id, line, position, namespace, key, batch, quantity, unit_cost, balance_after, created_at ${fromMovements(sql, projectId, heads)}
  order by operation_id, line`

/** Movements of a page, unless a single operation has more. More would block other requests. */
const PAGE_MOVEMENTS_MAX = 1_000

/** Returns the first of these operations whose movements fit into a page, one at least. */
async function headsOfPage<H extends OperationRow>(sql: Queryable, projectId: string, heads: readonly H[]): Promise<readonly H[]> {
  if (heads.length < 2) return heads
  const counted = await sql<{ id: string; lines: number }[]>`
    select operation_id as id, count(*) as lines ${fromMovements(sql, projectId, heads)} group by operation_id`
  const lines = new Map(counted.map((row) => [row.id, row.lines]))
  let [read, sum] = [0, 0]
  for (const { id } of heads) {
    sum += lines.get(id) ?? 0
    if (sum > PAGE_MOVEMENTS_MAX && read > 0) break
    read += 1
  }
  return heads.slice(0, read)
}

/** Adds a millisecond, because the database stores microseconds. */
const addMillisecond = (time: string) => new Date(Date.parse(time) + 1).toISOString()

/** Finds an operation with its movements. Returns undefined where the project has none with this id. */
export async function findOperation(sql: Queryable, projectId: string, id: string): Promise<Operation | undefined> {
  const [head] = await sql<
    OperationRow[]
  >`select ${headColumns(sql)} from inventory_operations o where o.project_id = ${projectId} and o.id = ${id}`
  return head && toOperation(head, (await readMovements(sql, projectId, [head])).map(toMovement))
}

/** Finds the id of the operation that reversed this one. Returns undefined where none did. */
export const findReversalId = async (sql: Queryable, projectId: string, id: string) =>
  (
    await sql<{ id: string }[]>`select operation_id as id from inventory_reversals where project_id = ${projectId} and reverses_id = ${id}`
  )[0]?.id

/** Period of time: from `from`, before `to`. */
export interface Period {
  readonly from?: string
  readonly to?: string
}

const inPeriod = (sql: Queryable, { from, to }: Period) => sql`
  ${from === undefined ? sql`` : sql`and created_at >= ${from}`} ${to === undefined ? sql`` : sql`and created_at < ${to}`}`

/** Lists operations with their movements. Returns fewer than a page where they have many movements. */
export async function listOperations(
  sql: Queryable,
  projectId: string,
  filter: Period & { type?: OperationType; reference?: string },
  part: KeysetPage,
): Promise<(Operation & SortedRow)[]> {
  const found = await sql<(OperationRow & SortedRow)[]>`
    select ${headColumns(sql)} ${sortValueColumn(sql, part)} from inventory_operations o where o.project_id = ${projectId}
    ${equalsCondition(sql, { type: filter.type, reference: filter.reference })} ${inPeriod(sql, filter)} ${keysetPageOfPartitions(sql, part, 'o.id')}`
  const page = found.slice(0, part.limit)
  if (page.length === 0) return []
  const heads = await headsOfPage(sql, projectId, page)
  const lines = Map.groupBy(await readMovements(sql, projectId, heads), (line) => line.operationId)
  const isCut = heads.length < page.length
  return heads.map(({ sortValue: value, ...head }, at) => ({
    ...toOperation(head, (lines.get(head.id) ?? []).map(toMovement)),
    ...(value !== undefined && { sortValue: value }),
    ...(isCut && at === heads.length - 1 && { isCut }),
  }))
}

/** Filter of a list of movements: the item key, the namespace, or the operation. */
export type MovementFilter = { objectId: string } | { holderRef: string } | { operationId: string }

/** Lists movements with their `position` in the ledger. */
export async function listMovements(sql: Queryable, projectId: string, filter: Period & MovementFilter, part: KeysetPage) {
  const of =
    'objectId' in filter
      ? sql`key = ${filter.objectId}`
      : 'holderRef' in filter
        ? sql`namespace = ${filter.holderRef}`
        : sql`operation_id = ${filter.operationId}
            and created_at = (select created_at from inventory_operations where project_id = ${projectId} and id = ${filter.operationId})`
  const rows = await sql<(MovementRow & SortedRow)[]>`
    select operation_id, line, position, namespace, key, batch, quantity, unit_cost, balance_after, created_at ${sortValueColumn(sql, part)}
    from inventory_movements where project_id = ${projectId} and ${of} ${inPeriod(sql, filter)} ${keysetPageOfPartitions(sql, part, 'position')}`
  return rows
    .slice(0, part.limit)
    .map((row) => ({ movement: toMovement(row), position: row.position, ...(row.sortValue && { sortValue: row.sortValue }) }))
}

/** Allows this transaction to erase notes of operations. The ledger refuses every other change. */
export const allowErasure = (tx: Tx) => tx`select set_config('serai.erases_person', 'yes', true)`
