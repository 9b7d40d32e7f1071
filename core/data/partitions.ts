import type { Logger } from 'pino'
import { DAY_MS } from '../lib/durations.ts'
import { lowestIdAt } from '../lib/ids.ts'
import { type Sql, type Tx, transaction } from './sql.ts'

/** Table that grows without bound and is partitioned by time. A feature declares its own. */
export interface PartitionedTable {
  readonly table: string
  /** Partition column: ids with this prefix, timestamps, or weeks since 1970. */
  readonly by: { readonly column: string; readonly ids: string } | { readonly column: string; readonly holds: 'moments' | 'weeks' }
  /** Length of a partition in weeks. */
  readonly weeks: 1 | 13
  /** Number of future partitions; two by default. */
  readonly periodsAhead?: number
  /** Minimum days that rows are kept. A partition is dropped when all its rows are older. Null keeps them forever. */
  readonly retentionDays: number | null
  /** Storage parameters of each partition. */
  readonly storageParameters?: string
}

const AHEAD = 2
/** Key of the advisory lock. All processes must use the same number. */
const LOCK = 7_233_035
/** Timeout of the table lock. Other queries queue behind it, so it fails early and is retried an hour later. */
const LOCK_WAIT = '700ms'

type PartitionLog = Pick<Logger, 'warn'>

const periodOf = ({ weeks }: PartitionedTable) => weeks * 7 * DAY_MS

/** Returns the SQL literal at which a period starts. */
function boundaryLiteral(of: PartitionedTable, number: number): string {
  const at = number * periodOf(of)
  if ('ids' in of.by) return `'${lowestIdAt(of.by.ids, at)}'`
  return of.by.holds === 'moments' ? `'${new Date(at).toISOString()}'` : String(number * of.weeks)
}

/**
 * State of a partitioned table. It has one partition for older rows (`table_before_12`), one per period (`table_12`, `table_13`), and one
 * for later rows (`table_rest`). They cover all values without a gap, so a list by time reads the newest rows and stops. A new table has
 * only its rest and is divided from the current period on.
 */
interface PartitionState {
  readonly first: number
  readonly last: number
  readonly isNew: boolean
}

const NAME = /_(before_)?(\d+)$/

async function readState(sql: Sql | Tx, tables: readonly PartitionedTable[]): Promise<Map<string, PartitionState>> {
  const rows = await sql<{ parent: string; name: string }[]>`
    select p.relname as parent, c.relname as name from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
    where p.relname = any (${tables.map(({ table }) => table)}) and p.relnamespace = current_schema()::regnamespace`
  return new Map(
    Map.groupBy(rows, ({ parent }) => parent)
      .entries()
      .map(([parent, parts]) => [parent, stateOf(parts.map(({ name }) => name))]),
  )
}

function stateOf(names: readonly string[]): PartitionState {
  const found = names.flatMap((name) => {
    const [, before, digits] = NAME.exec(name) ?? []
    return digits === undefined ? [] : [{ before: before !== undefined, number: Number(digits) }]
  })
  const first = found.find(({ before }) => before)?.number ?? 0
  return {
    first,
    last: Math.max(first - 1, ...found.filter(({ before }) => !before).map(({ number }) => number)),
    isNew: found.length === 0,
  }
}

/** Creates the partitions for current and future rows. A table that cannot be changed now is logged; its rows go to the last partition. */
export const createPartitions = (sql: Sql, tables: readonly PartitionedTable[], log: PartitionLog, now = Date.now()): Promise<void> =>
  forEachTable(sql, tables, log, async (of, { last }) => {
    const present = Math.floor(now / periodOf(of))
    const wanted = present + (of.periodsAhead ?? AHEAD)
    if (last < wanted) await withTableLock(sql, of, (tx, standing) => createUpTo(tx, of, standing, present, wanted))
  })

/** Drops the partitions whose rows are all older than the retention time. */
const dropPartitions = (sql: Sql, tables: readonly PartitionedTable[], log: PartitionLog, now = Date.now()): Promise<void> =>
  forEachTable(sql, tables, log, async (of, { first, last }) => {
    if (of.retentionDays === null) return
    const firstRetained = Math.min(last, Math.floor((now - of.retentionDays * DAY_MS) / periodOf(of)))
    if (first < firstRetained) await withTableLock(sql, of, (tx, standing) => dropUpTo(tx, of, standing.first, firstRetained))
  })

/** Creates missing partitions and drops expired ones. */
export async function maintainPartitions(
  sql: Sql,
  tables: readonly PartitionedTable[],
  log: PartitionLog,
  now = Date.now(),
): Promise<void> {
  await createPartitions(sql, tables, log, now)
  await dropPartitions(sql, tables, log, now)
}

/** Changes one table after another. A failure is logged and does not stop the others. */
async function forEachTable(
  sql: Sql,
  tables: readonly PartitionedTable[],
  log: PartitionLog,
  work: (of: PartitionedTable, standing: PartitionState) => Promise<void>,
) {
  const standings = await readState(sql, tables)
  for (const of of tables) {
    const standing = standings.get(of.table)
    if (standing) await work(of, standing).catch((err) => log.warn({ err, table: of.table }, 'partitions could not be made or dropped now'))
  }
}

/** Runs work under an exclusive lock of the table, so that no row is read or written meanwhile. Takes milliseconds. */
const withTableLock = (sql: Sql, of: PartitionedTable, work: (tx: Tx, standing: PartitionState) => Promise<void>) =>
  transaction(sql, async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${LOCK_WAIT}'`)
    await tx`select pg_advisory_xact_lock(${LOCK})`
    await tx.unsafe(`lock table only ${of.table} in access exclusive mode`)
    const standing = (await readState(tx, [of])).get(of.table)
    if (standing) await work(tx, standing)
  })

/** Adds partitions between the existing ones and the rest, and moves their rows out of the rest. */
async function createUpTo(tx: Tx, of: PartitionedTable, { last, isNew }: PartitionState, present: number, wanted: number) {
  const { table, by } = of
  if (last >= wanted) return
  const begin = isNew ? present : last + 1
  const before = { name: `${table}_before_${begin}`, from: 'minvalue', to: boundaryLiteral(of, begin) }
  const periods = Array.from({ length: wanted - begin + 1 }, (_, at) => begin + at).map((number) => ({
    name: `${table}_${number}`,
    from: boundaryLiteral(of, number),
    to: boundaryLiteral(of, number + 1),
  }))
  await tx.unsafe(`alter table ${table} detach partition ${table}_rest`)
  const [found] = await tx.unsafe(`select from ${table}_rest limit 1`)
  if (found) await tx.unsafe(`alter table ${table}_rest disable trigger user`)
  for (const { name, from, to } of isNew ? [before, ...periods] : periods) {
    await createPartition(tx, of, name)
    // Moves rows even if triggers forbid changes: they only change partition.
    if (found)
      await tx.unsafe(
        `with moved as (delete from ${table}_rest where ${by.column} < ${to} returning *) insert into ${name} select * from moved`,
      )
    await attachPartition(tx, of, name, from, to)
  }
  if (found) await tx.unsafe(`alter table ${table}_rest enable trigger user`)
  await attachPartition(tx, of, `${table}_rest`, boundaryLiteral(of, wanted + 1), 'maxvalue')
}

async function dropUpTo(tx: Tx, of: PartitionedTable, first: number, kept: number) {
  if (first >= kept) return
  const over = Array.from({ length: kept - first }, (_, at) => `${of.table}_${first + at}`)
  await tx.unsafe(`drop table ${[`${of.table}_before_${first}`, ...over].join(', ')}`)
  const before = `${of.table}_before_${kept}`
  await createPartition(tx, of, before)
  await attachPartition(tx, of, before, 'minvalue', boundaryLiteral(of, kept))
}

async function createPartition(tx: Tx, { table, storageParameters: options = '' }: PartitionedTable, name: string) {
  await tx.unsafe(`create table ${name} (like ${table} including defaults including constraints) ${options && `with (${options})`}`)
  // Copies statement-level triggers only. The database clones row-level triggers to each partition.
  const triggers = await tx<{ trigger: string }[]>`
    select pg_get_triggerdef(oid) as trigger from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal and tgtype & 1 = 0`
  for (const { trigger } of triggers) await tx.unsafe(trigger.replace(/ ON \S+ /, ` ON ${name} `))
}

const attachPartition = (tx: Tx, { table }: PartitionedTable, name: string, from: string, to: string) =>
  tx.unsafe(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`)
