import type { Queryable } from '../data/sql.ts'
import { type Decimal, decimal, decimalNumber } from '../lib/decimal.ts'
import type { Balance } from './inventory.model.ts'
import { type Address, nameOf, type Stock } from './ledger.ts'

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
  sql.json(rows.map((row) => ({ project_id: projectId, ...row })) as never)

/** Inserts the balances that were never used. In the order in which all writers lock, so that two inserting the same ones wait in turn. */
const ensureBalances = (tx: Queryable, projectId: string, addresses: readonly Address[]) => tx`
  insert into inventory_balances (project_id, namespace, key, batch)
  select ${projectId}, namespace collate "C", key collate "C", batch collate "C"
  from jsonb_to_recordset(${tx.json(addresses as never)}) as a (namespace text, key text, batch text)
  order by 2, 3, 4 on conflict do nothing`

/** Locks balances in the one order that all writers keep. Those in `fillable` are made first where they were never used. One round trip. */
export async function lockBalances(
  tx: Queryable,
  projectId: string,
  addresses: readonly Address[],
  fillable: readonly Address[],
): Promise<Locked> {
  const locked = tx<(Row & { at: string })[]>`
    with locked as materialized (
      select b.* from jsonb_to_recordset(${rowsOf(tx, projectId, distinct(addresses))}) as a (project_id text, namespace text, key text, batch text)
      join inventory_balances b on b.project_id = a.project_id and b.namespace = a.namespace and b.key = a.key and b.batch = a.batch
      where a.project_id = ${projectId} order by b.namespace, b.key, b.batch for update of b
    ) select namespace, key, batch, on_hand, reserved, unit_cost, clock_timestamp() as at from locked`
  if (fillable.length === 0) return toLocked(await locked)
  const [, rows] = await Promise.all([ensureBalances(tx, projectId, distinct(fillable)), locked])
  return toLocked(rows)
}

const distinct = (addresses: readonly Address[]): Address[] => [
  ...new Map(addresses.map(({ namespace, key, batch }) => [nameOf({ namespace, key, batch }), { namespace, key, batch }])).values(),
]

export interface Wanted {
  readonly namespace: string
  readonly key: string
  /** Null for whichever there are. */
  readonly batches: readonly string[] | null
}

/** Locks, in that same order, all balances of these items that have something free. Oldest batch first in the answer. */
export async function lockFree(tx: Queryable, projectId: string, wanted: readonly Wanted[]): Promise<Locked> {
  const rows = await tx<(Row & { at: string; createdAt: string })[]>`
    with locked as materialized (
      select b.* from jsonb_to_recordset(${rowsOf(tx, projectId, wanted)}) as w (project_id text, namespace text, key text, batches text[])
      join inventory_balances b on b.project_id = w.project_id and b.namespace = w.namespace and b.key = w.key and (w.batches is null or b.batch = any (w.batches))
      where w.project_id = ${projectId} and b.on_hand > b.reserved order by b.namespace, b.key, b.batch for update of b
    ), timed as materialized (select *, clock_timestamp() as at from locked)
    select namespace, key, batch, on_hand, reserved, unit_cost, max(at) over () as at from timed order by created_at, batch`
  return toLocked(rows)
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
