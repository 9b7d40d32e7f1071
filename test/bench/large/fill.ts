import type { Sql } from '../../../core/data/sql.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { inParallel } from '../../support/storefront.ts'
import { copy, rows } from '../copy.ts'

/** How long the rows reach back. */
const YEARS_MS = 2 * 365 * DAY_MS
/** Ids are made of it: they are the same whenever they are made. */
const NOW = Date.now()
export const EVENTS_EACH = 4
export const LINES_EACH = 2
/** What is over, and what is on its way: that are the newest of them. */
const ENDED = ['delivered', 'delivered', 'delivered', 'delivered', 'returned', 'cancelled'] as const
const UNDER_WAY = ['in_transit', 'submitted', 'created'] as const
const UNDER_WAY_SHARE = 0.02
/** The oldest went with an account that is used no more. */
const OLD_ACCOUNT_SHARE = 0.25
const TYPES = ['transfer', 'receive', 'fulfill', 'transfer', 'customer_return'] as const
/** So many, the oldest, are of a status, and of a type, that no other is of: a page of them is found without all that came since. */
const RARE = 25
const isNew = (n: number, total: number) => n >= total * (1 - UNDER_WAY_SHARE)
const statusOf = (n: number, total: number) =>
  n < RARE ? 'lost' : isNew(n, total) ? UNDER_WAY[n % UNDER_WAY.length] : ENDED[n % ENDED.length]
export const oldAccountOf = ({ carrierAccountId }: Crowd) => `${carrierAccountId}_old`
const accountOf = (n: number, crowd: Crowd) => (n < crowd.total * OLD_ACCOUNT_SHARE ? oldAccountOf(crowd) : crowd.carrierAccountId)
const typeOf = (n: number) => (n < RARE ? 'supplier_return' : TYPES[n % TYPES.length])

/** Of whom the rows are, and how many there are in the end; they are numbered, and what has a number is always the same. */
export interface Crowd {
  readonly projectId: string
  readonly tenantId: number
  readonly carrierAccountId: string
  readonly total: number
}

/** A parcel's row of this number; `spread` many reach over all of the time. */
function parcelOf(n: number, spread: number) {
  const at = NOW - Math.floor(YEARS_MS * (1 - (n + 1) / (spread + 1)))
  return { at: new Date(at).toISOString(), rest: n.toString(32).padStart(16, '0'), ms: at }
}

const KEYS = 2_000
const PHONES = 100_000
export const keyOf = (n: number) => `key-${n % KEYS}`
export const phoneOf = (n: number) => `05${String(n % PHONES).padStart(8, '0')}`
export const referenceOf = (n: number) => `LARGE-${n}`
export const trackingOf = (n: number) => `SBXL${n}`
export const batchOf = (n: number) => `bat_${Math.floor(n / 500)}`

/** All rows of a crowd: parcels, their timelines, operations and their movements, by COPY. What else these tables hold is forgotten. */
export async function fill(sql: Sql, crowd: Crowd): Promise<void> {
  await sql`insert into inventory_balances (project_id, namespace, key, batch, on_hand)
    select ${crowd.projectId}, namespace, 'key-' || n, '', 1000000000 from generate_series(0, ${KEYS - 1}::int) n, unnest(array['main', 'shop']) namespace on conflict do nothing`
  await Promise.all(Object.keys(SOURCES).map((table) => fillTable(sql, crowd, table)))
  await Promise.all(Object.keys(SOURCES).map((table) => patiently(sql, `vacuum ${table}`)))
}

/**
 * A table that is emptied where it is filled needs no log of its rows, if the server keeps none that others could follow. What a row points at
 * is there: none is looked up.
 */
async function fillTable(sql: Sql, crowd: Crowd, table: string): Promise<void> {
  const { columns, row } = SOURCES[table]!
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local session_replication_role = replica; set local statement_timeout = 0; truncate ${table} cascade`)
    await copy(
      tx,
      `${table} (${columns})`,
      rows(0, crowd.total, (n) => row(crowd, n)),
    )
  })
}

/** What plans are made by; of what indexes are made of, too, once they are there. */
export const analyze = (sql: Sql) => Promise.all(Object.keys(SOURCES).map((table) => patiently(sql, `analyze ${table}`)))

/** However long it takes. */
async function patiently(sql: Sql, statement: string): Promise<void> {
  const session = await sql.reserve()
  try {
    await session.unsafe('set statement_timeout = 0')
    await session.unsafe(statement)
    await session.unsafe('reset statement_timeout')
  } finally {
    session.release()
  }
}

/** A server that takes many rows at once writes them once, seldom, and for itself; what a crash would lose of them is made anew. */
const HASTE = {
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  synchronous_commit: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  wal_init_zero: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** So set while work is done, where we may, and from its next start on where we cannot have it `restart`; as it was before it goes on. */
export async function inHaste(sql: Sql, restart: (() => Promise<unknown>) | null, work: () => Promise<void>): Promise<void> {
  const set = async (how: (name: string, value: string) => string) => {
    for (const [name, value] of Object.entries(HASTE)) await sql.unsafe(how(name, value)).catch(() => {})
    await sql.unsafe('select pg_reload_conf()').catch(() => {})
    await patiently(sql, 'checkpoint')
    await restart?.()
  }
  await set((name, value) => `alter system set ${name} = '${value}'`)
  try {
    await work()
  } finally {
    await set((name) => `alter system reset ${name}`)
  }
}

const BUILDS_AT_ONCE = 2

/** While many rows come in, no index but those of constraints is kept: one is made sooner when all of them are there. */
export async function withoutIndexes(sql: Sql, work: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; made: string }[]>`
    select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as made
    from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relname = any (${Object.keys(SOURCES)}) and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await work()
  await inParallel([...indexes], BUILDS_AT_ONCE, ({ made }) =>
    sql.begin(async (tx) => {
      await tx.unsafe(
        "set local statement_timeout = 0; set local maintenance_work_mem = '1GB'; set local max_parallel_maintenance_workers = 0",
      )
      await tx.unsafe(made)
    }),
  )
}

const SOURCES: Record<string, { readonly columns: string; readonly row: (crowd: Crowd, n: number) => string }> = {
  parcels: {
    columns:
      'project_id, id, tenant_id, reference, status, carrier_account_id, tracking_id, batch_id, recipient, destination, cod_amount, declared_value, created_at, updated_at',
    row: parcelRow,
  },
  parcel_events: { columns: 'project_id, parcel_id, id, type, source, at, payload', row: eventRows },
  inventory_operations: { columns: 'project_id, id, type, reference, created_at', row: operationRow },
  inventory_movements: {
    columns: 'project_id, operation_id, line, namespace, key, batch, quantity, balance_after, created_at',
    row: movementRows,
  },
}

const idOf = (prefix: string, { ms, rest }: { ms: number; rest: string }) => lowestIdAt(prefix, ms) + rest

function parcelRow(crowd: Crowd, n: number): string {
  const { projectId, tenantId, total } = crowd
  const parcel = parcelOf(n, total)
  const place = '"country":"DZ","stateCode":"16","stateName":"Alger","cityCode":"1601","cityName":"Bab Ezzouar","address":""'
  const destination = `{${place},"deliveryType":"home","pickupId":null,"resolved":{"method":"exact","confidence":1}}`
  const recipient = `{"name":"Amina Saadi","phone":"${phoneOf(n)}","phoneAlt":null}`
  return `${projectId}\t${idOf('par', parcel)}\t${tenantId}\t${referenceOf(n)}\t${statusOf(n, total)}\t${accountOf(n, crowd)}\t${trackingOf(n)}\t${batchOf(n)}\t${recipient}\t${destination}\t1200\t1200\t${parcel.at}\t${parcel.at}\n`
}

function eventRows({ projectId, total }: Crowd, n: number): string {
  const parcel = parcelOf(n, total)
  const head = `${projectId}\t${idOf('par', parcel)}\t`
  let text = ''
  for (let at = 0; at < EVENTS_EACH; at += 1)
    text += `${head}${lowestIdAt('evt', parcel.ms + at)}${parcel.rest}\tcreated\tapi\t${parcel.at}\t{}\n`
  return text
}

function operationRow({ projectId, total }: Crowd, n: number): string {
  const moment = parcelOf(n, total)
  return `${projectId}\t${idOf('op', moment)}\t${typeOf(n)}\t${referenceOf(n)}\t${moment.at}\n`
}

function movementRows({ projectId, total }: Crowd, n: number): string {
  const moment = parcelOf(n, total)
  const head = `${projectId}\t${idOf('op', moment)}\t`
  return `${head}0\tmain\t${keyOf(n)}\t\t-1\t1\t${moment.at}\n${head}1\tshop\t${keyOf(n)}\t\t1\t1\t${moment.at}\n`
}
