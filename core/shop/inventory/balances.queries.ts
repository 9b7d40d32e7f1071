import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../lib/money/decimal.ts'
import type { Balance } from './inventory.model.ts'
import { type BalanceAddress, balanceKeyOf, itemKeyOf, LINES_MAX, type StockBalance } from './operations/ledger.ts'

/** Balances locked at once for lines that take from any batch. An item may have any number of batches. */
const OPEN_BALANCES_MAX = LINES_MAX + 500

interface Row {
  readonly namespace: string
  readonly key: string
  readonly batch: string
  readonly onHand: string
  readonly reserved: string
  readonly unitCost: string | null
}

const toStock = ({ namespace, key, batch, onHand, reserved, unitCost }: Row): StockBalance => ({
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

/** Balances locked until the transaction ends. */
export interface LockedBalances {
  /** Balances by their key, oldest first. */
  readonly balances: Map<string, StockBalance>
  /** Time of the database when the last lock was acquired. */
  readonly lockedAt: string
  /** Keys of items that have more free batches than are locked. */
  readonly itemsWithMore: ReadonlySet<string>
  /** True where the lines need more batches than one operation may touch. */
  readonly isOverLimit: boolean
}

type LockedRow = Row & { readonly at: string; readonly isCut: boolean; readonly isFull: boolean }

const toLocked = (rows: readonly LockedRow[]): LockedBalances => ({
  balances: new Map(rows.map((row) => [balanceKeyOf(row), toStock(row)])),
  lockedAt: rows.at(-1)?.at ?? new Date().toISOString(),
  itemsWithMore: new Set(rows.flatMap((row) => (row.isCut ? [itemKeyOf(row)] : []))),
  isOverLimit: rows[0]?.isFull ?? false,
})

/**
 * Converts rows into a JSON parameter, each with its project. Compared with a parameter, the project makes PostgreSQL expect one row, and
 * look up each balance by its key. Otherwise it expects a hundred rows and reads all balances.
 */
export const rowsParameter = (sql: Queryable, projectId: string, rows: readonly object[]) =>
  json(
    sql,
    rows.map((row) => ({ project_id: projectId, ...row })),
  )

/** Balances that a line concerns: one batch, or all batches of the item where `batch` is null. */
export interface StockTarget {
  readonly namespace: string
  readonly key: string
  readonly batch: string | null
  readonly quantity: Decimal
}

const hasBatch = (line: StockTarget) => line.batch !== null

/**
 * Locks balances in the one order that all writers use, in one round trip, and returns them oldest first. `outgoing` lines decrease stock,
 * `incoming` lines increase it.
 * An outgoing line without a batch locks the oldest batches with free stock until they suffice. It locks some more, since other writers may
 * be faster. An incoming line without a batch locks the same batches. Balances of incoming lines are inserted where they do not exist.
 */
export async function lockBalances(
  tx: Tx,
  projectId: string,
  outgoing: readonly StockTarget[],
  incoming: readonly StockTarget[],
): Promise<LockedBalances> {
  const named = [...outgoing, ...incoming].filter(hasBatch).map(addressOf)
  const isOpen = !outgoing.every(hasBatch)
  const locked = tx<LockedRow[]>`
    with ${isOpen ? oldestFree(tx, projectId, outgoing) : tx``} named as materialized (
      select project_id, namespace, key, batch from jsonb_to_recordset(${rowsParameter(tx, projectId, named)}) as n (project_id text, namespace text, key text, batch text)
      where project_id = ${projectId} ${isOpen ? unionOldest(tx, projectId, incoming) : tx``}
    ), locked as materialized (
      select b.* from named n join inventory_balances b on b.project_id = n.project_id and b.namespace = n.namespace and b.key = n.key and b.batch = n.batch
      where n.project_id = ${projectId} order by b.namespace, b.key, b.batch for update of b
    ), timed as materialized (select *, clock_timestamp() as at from locked)
    select namespace, key, batch, on_hand, reserved, unit_cost, max(at) over () as at,
      ${isOpen ? tx`(namespace, key) in (select namespace, key from free except all select namespace, key from oldest)` : tx`false`} as is_cut,
      ${isOpen ? tx`(select count(*) from free where is_needed) > ${LINES_MAX}` : tx`false`} as is_full
    from timed order by created_at, batch`
  const [, rows] = await Promise.all([incoming.length > 0 && ensureBalances(tx, projectId, outgoing, incoming), locked])
  return toLocked(rows)
}

/** Returns the items that an outgoing line names without a batch, each with the quantity that all outgoing lines need of it. */
const itemsWithoutBatch = (outgoing: readonly StockTarget[]) =>
  [...Map.groupBy(outgoing, itemKeyOf).values()].flatMap((lines) => {
    const { namespace, key } = expectOne(lines)
    const quantity = lines.reduce((sum, { quantity: each }) => sum + (each < 0n ? -each : each), 0n)
    return lines.every(hasBatch) ? [] : [{ namespace, key, quantity: decimalText(quantity) }]
  })

/** Selects the free balances of such items, oldest first, up to the limit. */
const freeBalances = (tx: Tx, projectId: string, outgoing: readonly StockTarget[]) => tx`
  jsonb_to_recordset(${rowsParameter(tx, projectId, itemsWithoutBatch(outgoing))}) as w (project_id text, namespace text, key text, quantity numeric)
  cross join lateral free_balances(w.project_id, w.namespace, w.key, ${OPEN_BALANCES_MAX}) b`

/** Selects of these as many as the lines need, and twenty more. */
const oldestFree = (tx: Tx, projectId: string, outgoing: readonly StockTarget[]) => tx`
  free as materialized (
    select b.project_id, b.namespace, b.key, b.batch, b.created_at,
      coalesce(sum(b.on_hand - b.reserved) over (item rows between unbounded preceding and 1 preceding), 0) < w.quantity as is_needed,
      coalesce(sum(b.on_hand - b.reserved) over (item rows between unbounded preceding and 21 preceding), 0) < w.quantity as is_oldest
    from ${freeBalances(tx, projectId, outgoing)} where w.project_id = ${projectId}
    window item as (partition by b.namespace, b.key order by b.created_at, b.batch)
  ), oldest as materialized (select * from free where is_oldest order by is_needed desc, created_at, batch limit ${OPEN_BALANCES_MAX}),`

const unionOldest = (tx: Tx, projectId: string, incoming: readonly StockTarget[]) => tx`
  union select project_id, namespace, key, batch from oldest
  union select ${projectId}, f.namespace, f.key, o.batch from jsonb_to_recordset(${tx.json(incoming.filter((line) => !hasBatch(line)).map(addressOf))}) as f (namespace text, key text)
  join oldest o on o.key = f.key`

/**
 * Locks all balances of an item and returns their totals. An advisory lock comes first, because an item without balances has no row to
 * lock.
 */
export async function lockItemBalances(tx: Tx, projectId: string, { namespace, key }: Pick<BalanceAddress, 'namespace' | 'key'>) {
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
 * Inserts missing balances in the order in which all writers lock, so that two inserts of the same ones wait instead of deadlocking. A
 * balance's age starts at its first movement.
 */
const ensureBalances = (tx: Tx, projectId: string, outgoing: readonly StockTarget[], incoming: readonly StockTarget[]) => tx`
  insert into inventory_balances (project_id, namespace, key, batch, created_at)
  select ${projectId}, namespace collate "C", key collate "C", batch collate "C", 'infinity' from (
    select * from jsonb_to_recordset(${tx.json(incoming.filter(hasBatch).map(addressOf))}) as a (namespace text, key text, batch text)
    ${incoming.every(hasBatch) ? tx`` : tx`union all ${transferredBatches(tx, projectId, outgoing, incoming)}`}
  ) a order by 2, 3, 4 on conflict do nothing`

const addressOf = ({ namespace, key, batch }: StockTarget) => ({ namespace, key, batch })

/** Selects the batches that a transfer without a batch moves to its destinations: the oldest, until they suffice. */
function transferredBatches(tx: Tx, projectId: string, outgoing: readonly StockTarget[], incoming: readonly StockTarget[]) {
  const open = incoming.filter((line) => !hasBatch(line)).map(addressOf)
  return tx`
    select f.namespace, f.key, s.batch from jsonb_to_recordset(${tx.json(open)}) as f (namespace text, key text) join (
      select b.key, b.batch, w.quantity > sum(b.on_hand - b.reserved) over (partition by b.namespace, b.key order by b.created_at, b.batch) - (b.on_hand - b.reserved) as is_needed
      from ${freeBalances(tx, projectId, outgoing)} where w.project_id = ${projectId}
    ) s on s.key = f.key where s.is_needed limit ${LINES_MAX + 1}`
}

/** Filter of a list of balances. */
export interface BalanceFilter {
  readonly namespace?: string
  readonly key?: string
  readonly batch?: string
}

/** Lists balances after the address `after`, by namespace, key and batch. */
export async function listBalances(
  sql: Queryable,
  projectId: string,
  filter: BalanceFilter,
  after: BalanceAddress | null,
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

/** Stock of an item over all its batches. */
export interface StockTotal {
  readonly namespace: string
  readonly key: string
  readonly onHand: Decimal
  readonly reserved: Decimal
}

/** Sums the balances of these items over their batches. Items without balances are left out. */
export async function sumBalances(
  sql: Queryable,
  projectId: string,
  pairs: readonly { namespace: string; key: string }[],
): Promise<StockTotal[]> {
  const rows = await sql<{ namespace: string; key: string; onHand: string; reserved: string }[]>`
    select b.namespace, b.key, sum(b.on_hand) as on_hand, sum(b.reserved) as reserved
    from (select distinct project_id, namespace, key from jsonb_to_recordset(${rowsParameter(sql, projectId, pairs)}) as p (project_id text, namespace text, key text)) p
    join inventory_balances b on b.project_id = p.project_id and b.namespace = p.namespace and b.key = p.key
    where p.project_id = ${projectId} group by b.namespace, b.key`
  return rows.map(({ namespace, key, onHand, reserved }) => ({
    namespace,
    key,
    onHand: decimal(onHand),
    reserved: decimal(reserved),
  }))
}
