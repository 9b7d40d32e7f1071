import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../lib/money/decimal.ts'
import type { Balance } from './inventory.model.ts'
import { type Address, itemName, LINES_MAX, nameOf, type Stock } from './operations/ledger.ts'

/** Balances that are locked at once of items that are taken from without a batch: an item may have any number of them. */
const READ_MAX = LINES_MAX + 500

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
  /** Items that have more batches with something free than are locked, by `itemName`. */
  readonly cut: ReadonlySet<string>
  /** Whether more of them are needed than are locked at once. */
  readonly isFull: boolean
}

type LockedRow = Row & { readonly at: string; readonly isCut: boolean; readonly isFull: boolean }

const toLocked = (rows: readonly LockedRow[]): Locked => ({
  balances: new Map(rows.map((row) => [nameOf(row), toStock(row)])),
  at: rows.at(-1)?.at ?? new Date().toISOString(),
  cut: new Set(rows.flatMap((row) => (row.isCut ? [itemName(row)] : []))),
  isFull: rows[0]?.isFull ?? false,
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

/**
 * Locks balances in the one order that all writers keep; the oldest stand first in the answer. Of an item that lines take from
 * without a batch, the oldest that have something free, until there is as much as they take of it, and some more, since others may be
 * quicker; of one that they fill so, the same batches. What is filled is made first where it was never used. One round trip.
 */
export async function lockBalances(tx: Tx, projectId: string, taken: readonly Reach[], filled: readonly Reach[]): Promise<Locked> {
  const named = [...taken, ...filled].filter(isNamed).map(addressOf)
  const isOpen = !taken.every(isNamed)
  const locked = tx<LockedRow[]>`
    with ${isOpen ? oldest(tx, projectId, taken) : tx``} named as materialized (
      select project_id, namespace, key, batch from jsonb_to_recordset(${rowsOf(tx, projectId, named)}) as n (project_id text, namespace text, key text, batch text)
      where project_id = ${projectId} ${isOpen ? alsoOldest(tx, projectId, filled) : tx``}
    ), locked as materialized (
      select b.* from named n join inventory_balances b on b.project_id = n.project_id and b.namespace = n.namespace and b.key = n.key and b.batch = n.batch
      where n.project_id = ${projectId} order by b.namespace, b.key, b.batch for update of b
    ), timed as materialized (select *, clock_timestamp() as at from locked)
    select namespace, key, batch, on_hand, reserved, unit_cost, max(at) over () as at,
      ${isOpen ? tx`(namespace, key) in (select namespace, key from free except all select namespace, key from oldest)` : tx`false`} as is_cut,
      ${isOpen ? tx`(select count(*) from free where is_needed) > ${LINES_MAX}` : tx`false`} as is_full
    from timed order by created_at, batch`
  const [, , rows] = await Promise.all([
    // The oldest are read off their index until there are enough: a bitmap takes all of an item first, of which nobody knows how many there are.
    isOpen && tx`set local enable_bitmapscan = off`,
    filled.length > 0 && ensureBalances(tx, projectId, taken, filled),
    locked,
    isOpen && tx`set local enable_bitmapscan = default`,
  ])
  return toLocked(rows)
}

/** So much is taken of each item of which a line names no batch, by all lines together. */
const openItems = (taken: readonly Reach[]) =>
  [...Map.groupBy(taken, itemName).values()].flatMap((lines) => {
    const { namespace, key } = expectOne(lines)
    const quantity = lines.reduce((sum, { quantity: each }) => sum + (each < 0n ? -each : each), 0n)
    return lines.every(isNamed) ? [] : [{ namespace, key, quantity: decimalText(quantity) }]
  })

/** What there is free of such items, the oldest of each, as far as anybody may take at once. */
const freeOf = (tx: Tx, projectId: string, taken: readonly Reach[]) => tx`
  jsonb_to_recordset(${rowsOf(tx, projectId, openItems(taken))}) as w (project_id text, namespace text, key text, quantity numeric)
  cross join lateral (
    select * from inventory_balances b where b.project_id = w.project_id and b.namespace = w.namespace and b.key = w.key and b.has_free
    order by b.created_at, b.batch ${tx.unsafe(`limit ${READ_MAX}`)}
  ) b`

/** Of that as many as it takes, and twenty more. */
const oldest = (tx: Tx, projectId: string, taken: readonly Reach[]) => tx`
  free as materialized (
    select b.project_id, b.namespace, b.key, b.batch, b.created_at,
      coalesce(sum(b.on_hand - b.reserved) over (item rows between unbounded preceding and 1 preceding), 0) < w.quantity as is_needed,
      coalesce(sum(b.on_hand - b.reserved) over (item rows between unbounded preceding and 21 preceding), 0) < w.quantity as is_oldest
    from ${freeOf(tx, projectId, taken)} where w.project_id = ${projectId}
    window item as (partition by b.namespace, b.key order by b.created_at, b.batch)
  ), oldest as materialized (select * from free where is_oldest order by is_needed desc, created_at, batch limit ${READ_MAX}),`

const alsoOldest = (tx: Tx, projectId: string, filled: readonly Reach[]) => tx`
  union select project_id, namespace, key, batch from oldest
  union select ${projectId}, f.namespace, f.key, o.batch from jsonb_to_recordset(${tx.json(filled.filter((line) => !isNamed(line)).map(addressOf))}) as f (namespace text, key text)
  join oldest o on o.key = f.key`

/** Locks all that there is of an item, in that same order, and says how much that is. One after another: of what was never used there is nothing to lock. */
export async function lockItem(tx: Tx, projectId: string, { namespace, key }: Pick<Address, 'namespace' | 'key'>) {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`count of ${projectId} ${namespace} ${key}`}, 0))`
  const { onHand, reserved } = expectOne(
    await tx<{ onHand: string; reserved: string }[]>`
      with locked as materialized (
        select on_hand, reserved from inventory_balances where project_id = ${projectId} and namespace = ${namespace} and key = ${key} order by batch for update)
      select coalesce(sum(on_hand), 0) as on_hand, coalesce(sum(reserved), 0) as reserved from locked`,
  )
  return { onHand: decimal(onHand), reserved: decimal(reserved) }
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
  const open = filled.filter((line) => !isNamed(line)).map(addressOf)
  return tx`
    select f.namespace, f.key, s.batch from jsonb_to_recordset(${tx.json(open)}) as f (namespace text, key text) join (
      select b.key, b.batch, w.quantity > sum(b.on_hand - b.reserved) over (partition by b.namespace, b.key order by b.created_at, b.batch) - (b.on_hand - b.reserved) as is_needed
      from ${freeOf(tx, projectId, taken)} where w.project_id = ${projectId}
    ) s on s.key = f.key where s.is_needed limit ${LINES_MAX + 1}`
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
