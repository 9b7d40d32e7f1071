import { json, one, type Queryable, type Tx } from '../../data/sql.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../lib/decimal.ts'
import type { Balance } from './inventory.model.ts'
import { type Address, itemName, nameOf, type Stock } from './ledger.ts'

interface Row {
  readonly namespace: string
  readonly key: string
  readonly batch: string
  readonly onHand: string
  readonly reserved: string
  readonly unitCost: string | null
}

const toStock = ({ namespace, key, batch, onHand, reserved, unitCost }: Row): Stock => ({
  namespace,
  key,
  batch,
  onHand: decimal(onHand),
  reserved: decimal(reserved),
  unitCost: unitCost === null ? null : decimal(unitCost),
})

const toBalance = (row: Row): Balance => {
  const { unitCost, onHand, reserved, ...address } = toStock(row)
  const counters = {
    onHand: decimalNumber(onHand),
    reserved: decimalNumber(reserved),
    available: decimalNumber(onHand - reserved),
  }
  return {
    namespace: address.namespace,
    key: address.key,
    batch: address.batch,
    ...counters,
    unitCost: unitCost === null ? null : decimalNumber(unitCost),
  }
}

export interface Locked {
  readonly balances: Map<string, Stock>
  /** The database's time when the last of the locks was held. */
  readonly at: string
}

const toLocked = (rows: readonly (Row & { at: string })[]): Locked => ({
  balances: new Map(rows.map((row) => [nameOf(row), toStock(row)])),
  at: rows.at(-1)?.at ?? new Date().toISOString(),
})

/**
 * Rows as a parameter, each with its project: compared with a parameter, the project lets PostgreSQL expect one row where it would
 * expect a hundred, and so look each balance up by its key instead of reading all of them.
 */
export const rowsOf = (sql: Queryable, projectId: string, rows: readonly object[]) =>
  json(
    sql,
    rows.map((row) => ({ project_id: projectId, ...row })),
  )

/** What a line is about: one balance, or all that the item has where the batch is open. */
export interface Reach {
  readonly namespace: string
  readonly key: string
  readonly batch: string | null
  readonly quantity: Decimal
}

const isNamed = (line: Reach) => line.batch !== null

/** Sorts after every batch. */
const LAST_BATCH = '\u{10ffff}'.repeat(101)

const toRange = ({ namespace, key, batch }: Reach, freeOnly: boolean) => ({
  namespace,
  key,
  first: batch ?? '',
  last: batch ?? LAST_BATCH,
  free_only: freeOnly && batch === null,
})

/**
 * Locks balances in the one order that all writers keep; the oldest stand first in the answer. Of an item that lines take from
 * without a batch, all that have something free; of one that they fill so, all there are. What is filled is made first where it was
 * never used. One round trip.
 */
export async function lockBalances(tx: Tx, projectId: string, taken: readonly Reach[], filled: readonly Reach[]): Promise<Locked> {
  const ranges = [...taken.map((line) => toRange(line, true)), ...filled.map((line) => toRange(line, false))]
  const locked = tx<(Row & { at: string })[]>`
    with locked as materialized (
      select b.* from jsonb_to_recordset(${rowsOf(tx, projectId, ranges)}) as w (project_id text, namespace text, key text, first text, last text, free_only boolean)
      join inventory_balances b on b.project_id = w.project_id and b.namespace = w.namespace and b.key = w.key and b.batch between w.first and w.last
      where w.project_id = ${projectId} and (b.on_hand > b.reserved or not w.free_only) order by b.namespace, b.key, b.batch for update of b
    ), timed as materialized (select *, clock_timestamp() as at from locked)
    select namespace, key, batch, on_hand, reserved, unit_cost, max(at) over () as at from timed order by created_at, batch`
  if (filled.length === 0) return toLocked(await locked)
  const [, rows] = await Promise.all([ensureBalances(tx, projectId, taken, filled), locked])
  return toLocked(rows)
}

/**
 * Inserts the balances that were never used; their age begins with their first movement. In the order in which all writers lock, so
 * that two inserting the same ones wait in turn.
 */
const ensureBalances = (tx: Tx, projectId: string, taken: readonly Reach[], filled: readonly Reach[]) => tx`
  insert into inventory_balances (project_id, namespace, key, batch, created_at)
  select ${projectId}, namespace collate "C", key collate "C", batch collate "C", 'infinity' from (
    select * from jsonb_to_recordset(${tx.json(filled.filter(isNamed).map(addressOf))}) as a (namespace text, key text, batch text)
    ${filled.every(isNamed) ? tx`` : tx`union all ${takenAlong(tx, projectId, taken, filled)}`}
  ) a order by 2, 3, 4 on conflict do nothing`

const addressOf = ({ namespace, key, batch }: Reach) => ({ namespace, key, batch })

/** The batches that a transfer without one brings to its destinations: the oldest, until there is as much as it takes of the item. */
function takenAlong(tx: Tx, projectId: string, taken: readonly Reach[], filled: readonly Reach[]) {
  const items = [...Map.groupBy(taken, itemName).values()].map((lines) => {
    const { namespace, key } = one(lines)
    return { namespace, key, quantity: decimalText(-lines.reduce((sum, { quantity }) => sum + quantity, 0n)) }
  })
  const open = filled.filter((line) => !isNamed(line)).map(addressOf)
  return tx`
    select f.namespace, f.key, s.batch from jsonb_to_recordset(${tx.json(open)}) as f (namespace text, key text) join (
      select b.key, b.batch, w.quantity > sum(b.on_hand - b.reserved) over (partition by b.namespace, b.key order by b.created_at, b.batch) - (b.on_hand - b.reserved) as is_needed
      from jsonb_to_recordset(${rowsOf(tx, projectId, items)}) as w (project_id text, namespace text, key text, quantity numeric)
      join inventory_balances b on b.project_id = w.project_id and b.namespace = w.namespace and b.key = w.key
      where w.project_id = ${projectId} and b.on_hand > b.reserved
    ) s on s.key = f.key where s.is_needed`
}

export interface BalanceFilter {
  readonly namespace?: string
  readonly key?: string
  readonly batch?: string
}

/** From the first balance after `after`, in the order of (namespace, key, batch). */
export async function listBalances(
  sql: Queryable,
  projectId: string,
  filter: BalanceFilter,
  after: Address | null,
  take: number,
): Promise<Balance[]> {
  const rows = await sql<Row[]>`
    select namespace, key, batch, on_hand, reserved, unit_cost from inventory_balances where project_id = ${projectId}
    ${filter.namespace === undefined ? sql`` : sql`and namespace = ${filter.namespace}`}
    ${filter.key === undefined ? sql`` : sql`and key = ${filter.key}`}
    ${filter.batch === undefined ? sql`` : sql`and batch = ${filter.batch}`}
    ${after === null ? sql`` : sql`and (namespace, key, batch) > (${after.namespace}, ${after.key}, ${after.batch})`}
    order by namespace, key, batch limit ${take}`
  return rows.map(toBalance)
}

export interface Total {
  readonly namespace: string
  readonly key: string
  readonly onHand: Decimal
  readonly reserved: Decimal
}

/** Summed over batches; what was never used is not in the answer. */
export async function sumBalances(
  sql: Queryable,
  projectId: string,
  pairs: readonly { namespace: string; key: string }[],
): Promise<Total[]> {
  const rows = await sql<{ namespace: string; key: string; onHand: string; reserved: string }[]>`
    select b.namespace, b.key, sum(b.on_hand) as on_hand, sum(b.reserved) as reserved
    from (select distinct project_id, namespace, key from jsonb_to_recordset(${rowsOf(sql, projectId, pairs)}) as p (project_id text, namespace text, key text)) p
    join inventory_balances b on b.project_id = p.project_id and b.namespace = p.namespace and b.key = p.key
    where p.project_id = ${projectId} group by b.namespace, b.key`
  return rows.map(({ namespace, key, onHand, reserved }) => ({
    namespace,
    key,
    onHand: decimal(onHand),
    reserved: decimal(reserved),
  }))
}
