import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPartitions, maintainPartitions, type PartitionedTable } from '../../../core/data/partitions.ts'
import { connectPool, type Sql } from '../../../core/data/sql.ts'
import { listPartitionedTables } from '../../../core/features.ts'
import { DAY_MS, WEEK_MS } from '../../../core/lib/durations.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { freshDatabase } from '../../support/database.ts'

const warned: unknown[] = []
const log = { info: () => {}, warn: (...words: unknown[]) => void warned.push(words) } as never
const of = (...tables: string[]) => listPartitionedTables().filter(({ table }) => tables.includes(table))
const partOf = async (sql: Sql, table: string, where: string) =>
  (await sql.unsafe<{ part: string }[]>(`select tableoid::regclass::text as part from ${table} where ${where}`)).map(({ part }) => part)
const refused = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

describe('partitions', () => {
  let sql: Sql
  const [events, movements] = [of('events'), of('inventory_movements')] as [readonly PartitionedTable[], readonly PartitionedTable[]]
  const partsOf = async (table: string) =>
    (await sql<{ part: string }[]>`select inhrelid::regclass::text as part from pg_inherits where inhparent = ${table}::regclass`).map(
      ({ part }) => part,
    )

  beforeAll(async () => {
    sql = connectPool(await freshDatabase(), 6)
  })
  afterAll(() => sql.end())

  const insertEvent = (id: string) => sql`insert into events (id, project_id, type, body) values (${id}, 'prj_b', 't', 'b')`

  test('that are not there fail no write, and what was written meanwhile comes into them', async () => {
    const soon = Date.now() + 9 * WEEK_MS
    const id = `${lowestIdAt('evt', soon)}y`
    await insertEvent(id)
    expect(await partOf(sql, 'events', `id = '${id}'`)).toEqual(['events_rest'])
    await createPartitions(sql, events, log, soon)
    expect(await partOf(sql, 'events', `id = '${id}'`)).toEqual([`events_${Math.floor(soon / WEEK_MS)}`])

    await sql`insert into users (id, name, email, password_hash) values ('usr_b', 'B', 'b@example.dz', '')`
    await sql`insert into tenants (name) values ('T')`
    await sql`insert into projects (id, tenant_id, name) select 'prj_b', min(id), 'P' from tenants`
    await sql`insert into inventory_balances (project_id, namespace, key, batch, on_hand) values ('prj_b', 'main', 'k', '', 1)`
    const far = Date.now() + 60 * WEEK_MS
    await sql`insert into inventory_movements (project_id, operation_id, line, namespace, key, batch, quantity, balance_after, created_at)
      values ('prj_b', 'op_b', 0, 'main', 'k', '', 1, 1, ${new Date(far)})`
    await createPartitions(sql, movements, log, far)
    const [part] = await partOf(sql, 'inventory_movements', `project_id = 'prj_b'`)
    expect(part).toMatch(/^inventory_movements_\d+$/)
    expect(await refused(sql.unsafe(`delete from inventory_movements_rest`))).toBe('23001')
    expect(await refused(sql.unsafe(`truncate ${part}`))).toBe('23001')
  })

  test('of a new table begin with the present one, and rows of any time find theirs', async () => {
    const change = (at: number) => `${lowestIdAt('ord', at)}n`
    const ages = [-200, -1, 0, 5].map((quarters) => change(Date.now() + quarters * 13 * WEEK_MS))
    await sql`create table own_notes (id text collate "C" primary key) partition by range (id)`
    await sql`create table own_notes_rest partition of own_notes for values from (minvalue) to (maxvalue)`
    for (const id of ages) await sql`insert into own_notes (id) values (${id})`
    const notes = { table: 'own_notes', by: { column: 'id', ids: 'ord' }, weeks: 13, retentionDays: null } as const
    await Promise.all([1, 2].map(() => createPartitions(sql, [notes], log)))
    const present = Math.floor(Date.now() / (13 * WEEK_MS))
    const parts = await Promise.all(ages.map((id) => partOf(sql, 'own_notes', `id = '${id}'`)))
    const before = `own_notes_before_${present}`
    expect(parts.flat()).toEqual([before, before, `own_notes_${present}`, 'own_notes_rest'])
    expect(await partsOf('own_notes')).toHaveLength(5)
  })

  test('take over rows of the rest that others refer to', async () => {
    const [one, two] = [60, 61].map((weeks) => `${lowestIdAt('op', Date.now() + weeks * WEEK_MS)}z`) as [string, string]
    await sql`insert into inventory_operations (project_id, id, type, created_at) values ('prj_b', ${one}, 'receive', now())`
    await sql`insert into inventory_operations (project_id, id, type, reverses_id, created_at) values ('prj_b', ${two}, 'receive', ${one}, now())`
    expect(new Set(await partOf(sql, 'inventory_operations', `project_id = 'prj_b'`))).toEqual(new Set(['inventory_operations_rest']))
    await createPartitions(sql, of('inventory_operations'), log, Date.now() + 62 * WEEK_MS)
    expect((await partOf(sql, 'inventory_operations', `id = '${one}'`))[0]).toMatch(/^inventory_operations_\d+$/)
    expect(await sql`select operation_id from inventory_reversals where reverses_id = ${one}`).toEqual([{ operationId: two }] as never)
    const stray = sql`insert into inventory_reversals (project_id, reverses_id, operation_id) values ('prj_b', 'op_none', ${two})`
    expect(await refused(stray)).toBe('23503')
    expect(warned).toEqual([])
  })

  test('of a ledger refuse changes and deletions, also through the name of a partition', async () => {
    for (const table of ['inventory_operations', 'inventory_movements']) {
      const parts = await partsOf(table)
      expect(parts.length).toBeGreaterThan(3)
      for (const name of [table, ...parts])
        for (const attempt of [`update ${name} set created_at = now()`, `delete from ${name}`, `truncate ${name} cascade`])
          expect([attempt, await refused(sql.unsafe(attempt))]).toEqual([attempt, '23001'])
    }
  })

  test('are made by many at once, each one once, while rows are written', async () => {
    const now = Date.now() + 20 * WEEK_MS
    let writing = true
    let written = 0
    const writer = (async () => {
      for (; writing; written += 1) await insertEvent(`${lowestIdAt('evt', now)}${written}`)
    })()
    await Promise.all(Array.from({ length: 4 }, () => createPartitions(sql, events, log, now)))
    writing = false
    await writer
    const number = Math.floor(now / WEEK_MS)
    expect((await partsOf('events')).filter((part) => part === `events_${number}`)).toHaveLength(1)
    expect(written).toBeGreaterThan(0)
    const where = await partOf(sql, 'events', `id like '${lowestIdAt('evt', now)}%'`)
    expect([where.length, new Set(where)]).toEqual([written, new Set([`events_${number}`])])
  })

  test('go when all in them is older than it is kept, and never where all is kept', async () => {
    const later = Date.now() + 100 * WEEK_MS
    await maintainPartitions(sql, of('events', 'inventory_movements', 'parcel_events'), log, later)
    const kept = (await partsOf('events')).flatMap((part) => Number(part.split('_').at(-1)) || [])
    expect(Math.min(...kept)).toBe(Math.floor((later - 32 * DAY_MS) / WEEK_MS))
    expect(await partOf(sql, 'inventory_movements', `project_id = 'prj_b'`)).toHaveLength(1)
    expect(await partsOf('parcel_events')).toContain(`parcel_events_${Math.floor(Date.now() / (13 * WEEK_MS))}`)
  })
})
