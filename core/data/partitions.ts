import type { Logger } from 'pino'
import { momentOfIds } from '../lib/ids.ts'
import { type Sql, type Tx, transaction } from './sql.ts'

/** A table that grows without end, and stands in partitions by time. A feature declares its own. */
export interface Partitioned {
  readonly table: string
  /** What a row is placed by: a column of ids with this prefix, of moments, or of weeks since 1970. */
  readonly by: { readonly column: string; readonly ids: string } | { readonly column: string; readonly holds: 'moments' | 'weeks' }
  /** How long a partition is. */
  readonly weeks: 1 | 13
  /** How many are made ahead; the default is two. */
  readonly ahead?: number
  /** How long rows are kept at least: a partition goes when all that it could hold is older. Null for what is kept for ever. */
  readonly keptDays: number | null
  /** Of each partition's storage. */
  readonly options?: string
}

const DAY_MS = 86_400_000
const AHEAD = 2
/** Any number will do, if all processes use the same one. */
const LOCK = 7_233_035
/** Others wait behind who waits for such a lock: better tried again an hour later, since there is room enough. */
const LOCK_WAIT = '700ms'

type Say = Pick<Logger, 'warn'>

const periodOf = ({ weeks }: Partitioned) => weeks * 7 * DAY_MS

/** A literal of the place where a period begins. */
function border(of: Partitioned, number: number): string {
  const at = number * periodOf(of)
  if ('ids' in of.by) return `'${momentOfIds(of.by.ids, at)}'`
  return of.by.holds === 'moments' ? `'${new Date(at).toISOString()}'` : String(number * of.weeks)
}

/**
 * How a table stands: all that came before a period in one partition (`table_before_12`), one for each period from there on (`table_12`,
 * `table_13`), and all that is later in one (`table_rest`). There is a place for every row, and they follow each other without a gap, so that a
 * list by time reads the newest and stops. A table that is new has its rest alone, and is divided from the present period on.
 */
interface Standing {
  readonly first: number
  readonly last: number
  readonly isNew: boolean
}

const NAME = /_(before_)?(\d+)$/

async function readStanding(sql: Sql | Tx, tables: readonly Partitioned[]): Promise<Map<string, Standing>> {
  const rows = await sql<{ parent: string; name: string }[]>`
    select p.relname as parent, c.relname as name from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
    where p.relname = any (${tables.map(({ table }) => table)}) and p.relnamespace = current_schema()::regnamespace`
  return new Map(
    Map.groupBy(rows, ({ parent }) => parent)
      .entries()
      .map(([parent, parts]) => [parent, standingOf(parts.map(({ name }) => name))]),
  )
}

function standingOf(names: readonly string[]): Standing {
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

/** Makes the partitions that rows written now, or in the time to come, will stand in. What cannot be made now is said; its rows find a place. */
export const makePartitions = (sql: Sql, tables: readonly Partitioned[], log: Say, now = Date.now()): Promise<void> =>
  change(sql, tables, log, async (of, { last }) => {
    const present = Math.floor(now / periodOf(of))
    const wanted = present + (of.ahead ?? AHEAD)
    if (last < wanted) await underLock(sql, of, (tx, standing) => makeUpTo(tx, of, standing, present, wanted))
  })

/** Drops the partitions of which all is older than it is kept. */
export const dropPartitions = (sql: Sql, tables: readonly Partitioned[], log: Say, now = Date.now()): Promise<void> =>
  change(sql, tables, log, async (of, { first, last }) => {
    if (of.keptDays === null) return
    const kept = Math.min(last, Math.floor((now - of.keptDays * DAY_MS) / periodOf(of)))
    if (first < kept) await underLock(sql, of, (tx, standing) => dropUpTo(tx, of, standing.first, kept))
  })

/** Makes room, and drops what is over. */
export async function keepPartitions(sql: Sql, tables: readonly Partitioned[], log: Say, now = Date.now()): Promise<void> {
  await makePartitions(sql, tables, log, now)
  await dropPartitions(sql, tables, log, now)
}

/** Table by table: where one cannot be changed now, the others are. */
async function change(sql: Sql, tables: readonly Partitioned[], log: Say, work: (of: Partitioned, standing: Standing) => Promise<void>) {
  const standings = await readStanding(sql, tables)
  for (const of of tables) {
    const standing = standings.get(of.table)
    if (standing) await work(of, standing).catch((err) => log.warn({ err, table: of.table }, 'partitions could not be made or dropped now'))
  }
}

/** Alone: with nobody who reads or writes the table meanwhile, so that no row looks for a place that moves. Takes milliseconds. */
const underLock = (sql: Sql, of: Partitioned, work: (tx: Tx, standing: Standing) => Promise<void>) =>
  transaction(sql, async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${LOCK_WAIT}'`)
    await tx`select pg_advisory_xact_lock(${LOCK})`
    await tx.unsafe(`lock table only ${of.table} in access exclusive mode`)
    const standing = (await readStanding(tx, [of])).get(of.table)
    if (standing) await work(tx, standing)
  })

/** Puts periods between those that there are and the rest, with the rows of theirs that the rest holds. */
async function makeUpTo(tx: Tx, of: Partitioned, { last, isNew }: Standing, present: number, wanted: number) {
  const { table, by } = of
  if (last >= wanted) return
  const begin = isNew ? present : last + 1
  const before = { name: `${table}_before_${begin}`, from: 'minvalue', to: border(of, begin) }
  const periods = Array.from({ length: wanted - begin + 1 }, (_, at) => begin + at).map((number) => ({
    name: `${table}_${number}`,
    from: border(of, number),
    to: border(of, number + 1),
  }))
  await tx.unsafe(`alter table ${table} detach partition ${table}_rest`)
  const [found] = await tx.unsafe(`select from ${table}_rest limit 1`)
  if (found) await tx.unsafe(`alter table ${table}_rest disable trigger user`)
  for (const { name, from, to } of isNew ? [before, ...periods] : periods) {
    await create(tx, of, name)
    // Also where rows are never changed: they are not, they only lie elsewhere.
    if (found)
      await tx.unsafe(
        `with moved as (delete from ${table}_rest where ${by.column} < ${to} returning *) insert into ${name} select * from moved`,
      )
    await attach(tx, of, name, from, to)
  }
  if (found) await tx.unsafe(`alter table ${table}_rest enable trigger user`)
  await attach(tx, of, `${table}_rest`, border(of, wanted + 1), 'maxvalue')
}

async function dropUpTo(tx: Tx, of: Partitioned, first: number, kept: number) {
  if (first >= kept) return
  const over = Array.from({ length: kept - first }, (_, at) => `${of.table}_${first + at}`)
  await tx.unsafe(`drop table ${[`${of.table}_before_${first}`, ...over].join(', ')}`)
  const before = `${of.table}_before_${kept}`
  await create(tx, of, before)
  await attach(tx, of, before, 'minvalue', border(of, kept))
}

async function create(tx: Tx, { table, options = '' }: Partitioned, name: string) {
  await tx.unsafe(`create table ${name} (like ${table} including defaults including constraints) ${options && `with (${options})`}`)
  // Those that refuse whole statements: the others are given to each partition by the database.
  const triggers = await tx<{ trigger: string }[]>`
    select pg_get_triggerdef(oid) as trigger from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal and tgtype & 1 = 0`
  for (const { trigger } of triggers) await tx.unsafe(trigger.replace(/ ON \S+ /, ` ON ${name} `))
}

const attach = (tx: Tx, { table }: Partitioned, name: string, from: string, to: string) =>
  tx.unsafe(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`)
