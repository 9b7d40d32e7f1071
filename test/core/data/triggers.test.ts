import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connectPool, type Sql } from '../../../core/data/sql.ts'
import type { Trigger, TriggerEvent } from '../../../core/data/triggers.ts'
import type { Feature } from '../../../core/feature.ts'
import { features } from '../../../core/features.ts'
import { freshDatabase } from '../../support/database.ts'

/** Bits of `pg_trigger.tgtype`, as PostgreSQL's `catalog/pg_trigger.h` names them. */
const BEFORE = 2
const EVENTS: Readonly<Record<TriggerEvent, number>> = { insert: 4, delete: 8, update: 16, truncate: 32 }

const declared: readonly Trigger[] = (features as readonly Feature[]).flatMap(({ triggers = [] }) => triggers)

let sql: Sql
beforeAll(async () => {
  sql = connectPool(await freshDatabase(), 2)
})
afterAll(() => sql.end())

/** Triggers of a database, those of partitions under the name of their table. */
const triggersIn = (from: Sql) =>
  from<{ table: string; name: string; type: number; called: string }[]>`
    select distinct coalesce(parent.relname, c.relname) as "table", t.tgname as name, t.tgtype as type, p.proname as called
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`

const line = (table: string, name: string, { before }: { readonly before: boolean }, on: readonly string[], called: string) =>
  `${table}.${name}: ${before ? 'before' : 'after'} ${on.toSorted().join(', ')} → ${called}`

test('triggers: the features declare exactly the triggers that the database has', async () => {
  const found = (await triggersIn(sql)).map(({ table, name, type, called }) => {
    const on = Object.entries(EVENTS).flatMap(([event, bit]) => (type & bit ? [event] : []))
    return line(table, name, { before: (type & BEFORE) !== 0 }, on, called)
  })
  const named = declared.map(({ table, name, before, on, function: called }) => line(table, name, { before: before === true }, on, called))
  expect(named.length).toBeGreaterThan(30)
  expect(named.toSorted()).toEqual(found.toSorted())
})

test('triggers: orders have one, which appends to the record of changes', () => {
  expect(declared.filter(({ table }) => table === 'orders').map(({ name }) => name)).toEqual(['records_change'])
})

test('triggers: every declaration says its rule and why a subscriber does not do', () => {
  expect(declared.filter(({ why }) => why.length < 60)).toEqual([])
})

test('triggers: no function of a trigger holds a duration of its own', async () => {
  const holding = await sql<{ name: string }[]>`
    select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and p.prosrc ~* 'interval\\s+''|''[^'']*''\\s*::\\s*interval'`
  expect([...holding]).toEqual([])
})
