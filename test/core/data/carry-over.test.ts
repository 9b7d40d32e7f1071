import { afterAll, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { runMigrations } from 'graphile-worker'
import { migrate } from '../../../core/data/database/migrate.ts'
import { silentWorkerLogger } from '../../../core/data/jobs.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { type Connection, connectionString, connectPool, type Sql } from '../../../core/data/sql.ts'
import { emptyDatabase, freshDatabase } from '../../support/database.ts'
import { describeSchema, listTables } from '../../support/schema.ts'
import { until } from '../../support/until.ts'

const DATA = join(import.meta.dir, '../../data/schema')
const MIGRATIONS = join(import.meta.dir, '../../../migrations')
const SCRIPT = join(MIGRATIONS, 'carry-over/carry-over.sql')
/** The schema before the baseline, and a row of every table, as a server of that version wrote it. */
const schema = await Bun.file(`${DATA}/before-baseline.sql`).text()
const rowsByTable: Record<string, Record<string, unknown>[]> = await Bun.file(`${DATA}/rows.json`).json()
const script = await Bun.file(SCRIPT).text()
const renamed = new Map(Array.from(script.matchAll(/^alter table (\w+) rename to (\w+);$/gm), ([, from, to]) => [from!, to!]))
const renamedColumns = new Map(Array.from(script.matchAll(/rename column (\w+) to (\w+);/g), ([, from, to]) => [from!, to!]))

/** Columns that migrations after the baseline rename. A name may mean something else in another table. */
const renamedLater = (
  await Promise.all(
    Array.from(new Bun.Glob('*.sql').scanSync(MIGRATIONS), async (file) =>
      Array.from(
        (await Bun.file(join(MIGRATIONS, file)).text()).matchAll(/^alter table (\w+) rename column (\w+) to (\w+);$/gm),
        (match) => ({
          table: match[1]!,
          from: match[2]!,
          to: match[3]!,
        }),
      ),
    ),
  )
).flat()

/** Tables whose store a later migration makes their project. */
const keyedLater = new Set(
  (
    await Promise.all(
      Array.from(new Bun.Glob('*.sql').scanSync(MIGRATIONS), async (file) =>
        Array.from((await Bun.file(join(MIGRATIONS, file)).text()).matchAll(/^select key_by_project\(([^)]*)\);$/gm), ([, names]) =>
          Array.from(names!.matchAll(/'(\w+)'/g), ([, name]) => name!),
        ),
      ),
    )
  ).flat(2),
)
/** Tables that had both their store and its project, and keep the project. */
const withoutStoreLater = new Set(
  (
    await Promise.all(
      Array.from(new Bun.Glob('*.sql').scanSync(MIGRATIONS), async (file) =>
        Array.from(
          (await Bun.file(join(MIGRATIONS, file)).text()).matchAll(/^alter table (\w+) drop column store_id;$/gm),
          ([, name]) => name!,
        ),
      ),
    )
  ).flat(),
)
const stores = rowsByTable.stores as { id: string; project_id: string }[]

let connection: Connection
let sql: Sql
const opened: Sql[] = []

beforeEach(async () => {
  connection = await emptyDatabase()
  sql = connectPool(connection, 2)
  opened.push(sql)
  await sql.unsafe(schema)
  await fill(sql)
}, 60_000)

afterAll(() => Promise.all(opened.map((each) => each.end())))

/** Writes the rows as they were: without triggers, and without references to what the other rows had beside them. */
async function fill(sql: Sql) {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    const partitioned = await tx<
      { name: string }[]
    >`select relname as name from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace`
    for (const { name } of partitioned) await tx.unsafe(`create table ${name}_rest partition of ${name} default`)
    for (const [table, rows] of Object.entries(rowsByTable))
      for (const row of rows) {
        const columns = Object.keys(row).map((name) => `"${name}"`)
        await tx.unsafe(
          // The comment before the verb keeps it from the external PostgreSQL, which has the new schema.
          `/* old schema */ insert into ${table} (${columns}) overriding system value select ${columns} from json_populate_record(null::${table}, $1::text::json)`,
          [JSON.stringify(row)],
        )
      }
  })
}

const rowsOf = async (table: string) => {
  const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${table} t order by 1`)
  return rows.map(({ row }) => row)
}
/** The rows as they were, without the columns that later migrations add. */
async function rowsWithColumnsOf(table: string, [first = '{}']: readonly string[]) {
  const rows = await sql.unsafe<{ row: string }[]>(
    `select (to_jsonb(t) - array(select k from jsonb_object_keys(to_jsonb(t)) k where k <> all ($1::text[])))::text as row from ${table} t order by 1`,
    [Object.keys(JSON.parse(first))],
  )
  return rows.map(({ row }) => row)
}
/** A row that named its store, its project, or neither names the project. */
function withoutStore(row: string): string {
  const { store_id: storeId, project_id: projectId, ...rest } = JSON.parse(row)
  return JSON.stringify({ ...rest, project_id: storeId === null ? (projectId ?? '') : projectIdOf(storeId) })
}
function inNewWords(table: string, row: string): string {
  const later = renamedLater.flatMap((each) => (each.table === table ? [[each.from, each.to] as const] : []))
  const named = [...renamedColumns, ...later].reduce((text, [from, to]) => text.replaceAll(`"${from}":`, `"${to}":`), row)
  const owned = keyedLater.has(table)
    ? named.replace(/"store_id": ?"sto_/, '"project_id":"prj_').replace(/"store_id": ?null/, '"project_id":""')
    : named
  const kept = withoutStoreLater.has(table) ? withoutStore(owned) : owned.replace(/"for_project": ?"sto_/, '"for_project":"prj_')
  return stores.reduce((text, { id, project_id: before }) => text.replaceAll(before, id.replace('sto_', 'prj_')), kept)
}

test('carry over: every table of the old schema has a row to carry', async () => {
  const tables = await listTables(sql)
  const empty = tables.filter((table) => (rowsByTable[table] ?? []).length === 0)
  expect(empty).toEqual([])
})

test('carry over: the script only renames, so that nothing is copied', () => {
  const statements = script.replace(/^--.*$/gm, '').replace(/create or replace function[\s\S]*?\$function\$[\s\S]*?\$function\$\s*;/g, '')
  const others = statements
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each && !/ rename (?:to|column|constraint)\b/.test(each))
  expect(others).toEqual([])
})

/** Tables whose rows a migration after the baseline moves; its own test says where they are. */
const MOVED_LATER = ['payments', 'subscription_payments', 'payment_proofs', 'payment_refunds']
/** Tables that a migration after the baseline drops: their rows were copies of what the code says. */
const DROPPED_LATER = ['trigger_settings']

test('carry over: the old schema with its renames is the baseline, and every row is still there', async () => {
  const tables = (await listTables(sql)).filter((name) => name !== 'schema_migrations')
  const before = new Map<string, string[]>()
  for (const table of tables) before.set(table, await rowsOf(table))
  // Two processes start at once.
  await Promise.all([migrate(sql, connectionString(connection)), migrate(sql, connectionString(connection))])

  const fresh = connectPool(await freshDatabase(), 2)
  opened.push(fresh)
  expect(await describeSchema(sql)).toEqual(await describeSchema(fresh))
  const numbers = async (of: Sql) =>
    (await of<{ name: string }[]>`select name from schema_migrations order by number`).map(({ name }) => name)
  expect(await numbers(sql)).toEqual(await numbers(fresh))
  for (const [table, rows] of before) {
    if (MOVED_LATER.includes(table) || DROPPED_LATER.includes(table)) continue
    const name = renamed.get(table) ?? table
    const expected = rows.map((row) => inNewWords(name, row))
    // The order of keys follows their names.
    const parsed = (all: readonly string[]) => all.map((row) => JSON.stringify(Object.entries(JSON.parse(row)).sort())).sort()
    expect(parsed(await rowsWithColumnsOf(name, expected))).toEqual(parsed(expected))
  }
}, 120_000)

test('one payments table: payments of plans stand beside those of orders, with receipts, refunds and waiting jobs', async () => {
  const read = async (table: string) => (await rowsOf(table)).map((row) => JSON.parse(row))
  const [orders, plans] = [await read('payments'), await read('subscription_payments')]
  const [refunds, [proof]] = [await read('payment_refunds'), await read('payment_proofs')]
  expect([orders.length, plans.length, plans.filter(({ refunded }) => refunded > 0).length]).toEqual([1, 3, 1])
  await runMigrations({ connectionString: connectionString(connection), logger: silentWorkerLogger })
  for (const job of ['poll', 'expire', 'pollDue', 'renewDue'])
    await sql`select graphile_worker.add_job(${`subscriptions.${job}`}, ${sql.json({ job })}::json, run_at => now() + interval '1 day')`
  await migrate(sql, connectionString(connection))

  const ordersOnly = { fee: null, method: null, concern: null, concern_since: null, missing: 0, taken_back: false, accepted_as: null }
  const expected = [
    ...orders.map(({ store_id, ...row }) => ({
      ...row,
      project_id: projectIdOf(store_id),
      payable_kind: 'order',
      payable_id: row.order_id,
    })),
    ...plans.map(({ store_id, ...row }) => ({
      ...row,
      ...ordersOnly,
      payable_kind: 'subscription',
      payable_id: store_id,
      order_id: null,
      project_id: projectIdOf(store_id),
      accepted: row.status === 'partially_refunded',
    })),
  ]
  const byId = (rows: { id: string }[]) => rows.toSorted((a, b) => a.id.localeCompare(b.id))
  expect(byId(await read('payments'))).toEqual(byId(expected))
  const given = plans.find(({ refunded }) => refunded > 0)
  expect((await read('payment_refunds')).filter(({ id }) => !refunds.some((refund) => refund.id === id))).toEqual([
    {
      project_id: projectIdOf(given.store_id),
      payment_id: given.id,
      id: given.id.replace('spy_', 'rfd_'),
      amount: given.refunded,
      status: 'done',
      reason: '',
      by_hand: true,
      external_id: null,
      message: null,
      asked_at: null,
      created_at: given.updated_at,
      updated_at: given.updated_at,
    },
  ])
  const { subscription_payment_id: paymentId, ...kept } = proof
  expect(await read('payment_proofs')).toEqual([{ ...kept, project_id: projectIdOf(given.store_id), payment_id: paymentId }])
  const jobs = await sql<{ taskIdentifier: string }[]>`select task_identifier from graphile_worker.jobs order by 1`
  expect(jobs.map(({ taskIdentifier }) => taskIdentifier)).toEqual(['payments.expire', 'payments.poll', 'subscriptions.renewDue'])
  // The payment of an order refers to an order; that of a plan to the store of its project.
  const [{ id: project }] = await read('projects')
  const insert = (kind: string, payable: string, owner = project) => sql`
    insert into payments (id, payable_kind, payable_id, project_id, connection_id, gateway, status, amount, currency, decimals, language)
    values (${`pay_${kind}`}, ${kind}, ${payable}, ${owner}, 'int_a', 'teller', 'open', 1, 'DZD', 2, 'ar')`
  expect(insert('order', 'ord_none')).rejects.toThrow('payments_project_id_order_id_fkey')
  expect(insert('order', orders[0].order_id, 'prj_other')).rejects.toThrow('payments_project_id_fkey')
  expect(insert('subscription', 'sto_other')).rejects.toThrow('payments_of_subscription')
  expect(insert('other', given.store_id)).rejects.toThrow('payments_payable_kind_check')
}, 120_000)

test('carry over: a process that dies in its midst leaves the old schema, and the next start carries it over', async () => {
  const before = await describeSchema(sql)
  const reader = await sql.reserve()
  await reader`begin`
  await reader`lock table channels in access share mode`
  const other = connectPool(connection, 1)
  const failed = migrate(other, connectionString(connection)).then(
    () => 'done',
    () => 'failed',
  )
  const waiting = () => sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%rename to%'`
  await until(async () => (await waiting()).length > 0)
  for (const { pid } of await waiting()) await sql`select pg_terminate_backend(${pid})`
  expect(await failed).toBe('failed')
  await reader`rollback`
  reader.release()
  await other.end({ timeout: 1 })
  expect(await describeSchema(sql)).toEqual(before)
  await migrate(sql, connectionString(connection))
  expect(await listTables(sql)).toContain('connectors')
}, 120_000)

// The baseline has twelve files: a history of as many old ones must not pass for it.
test.each([100, 12])('carry over: a database that stands earlier, at number %i, is refused with what to do', async (number) => {
  await sql`delete from schema_migrations where number > ${number}`
  expect(migrate(sql, connectionString(connection))).rejects.toThrow(/before the baseline\. Start the version that ends with/)
  expect(await listTables(sql)).toContain('channels')
})
