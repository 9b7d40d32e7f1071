import { expect, test } from 'bun:test'
import { withCustomPlan } from '../../../core/data/keyset-page.ts'
import { afterCommit, connectPool, type Queryable, RetryTransaction, savepoint, transaction } from '../../../core/data/sql.ts'
import { freshDatabase } from '../../support/database.ts'

const BEFORE_FULL = 110

test("sql: pipelined queries never run in another caller's transaction", async () => {
  const sql = connectPool(await freshDatabase(), 1)
  await sql`create table written (id integer)`
  let strays = 0
  const stray = async () => {
    const [row] = await sql<{ inside: boolean }[]>`select pg_current_xact_id_if_assigned() is not null as inside`
    if (row!.inside) strays += 1
  }
  const write = (id: number) =>
    transaction(sql, async (tx) => {
      await tx`insert into written (id) values (${id})`
      await tx`select 1`
    })
  // The driver sends queries ahead until its socket or its pipeline is full: the transaction's first is each of those once.
  for (let ahead = 0; ahead < BEFORE_FULL; ahead += 1) {
    await Promise.all([...Array.from({ length: ahead }, stray), write(ahead), ...Array.from({ length: 30 }, stray)])
  }
  expect(strays).toBe(0)
  const [row] = await sql<{ count: number }[]>`select count(distinct id)::int as count from written`
  expect(row!.count).toBe(BEFORE_FULL)
  await sql.end()
})

test('a transaction that loses a deadlock is tried again', async () => {
  const sql = connectPool(await freshDatabase(), 4)
  await sql`create table counters (id integer primary key, n integer not null)`
  await sql`insert into counters values (1, 0), (2, 0)`
  const both = (first: number, second: number) =>
    transaction(sql, async (tx) => {
      await tx`update counters set n = n + 1 where id = ${first}`
      await Bun.sleep(20)
      await tx`update counters set n = n + 1 where id = ${second}`
    })
  await Promise.all([both(1, 2), both(2, 1)])
  expect([...(await sql`select n from counters order by id`)]).toEqual([{ n: 2 }, { n: 2 }])
  await sql.end()
})

test('custom plans: each statement of a read is planned for its own values, also those that are sent together', async () => {
  const sql = connectPool(await freshDatabase(), 1)
  const count = async (on: Queryable, name: string) => {
    await Promise.all([on`select count(*) from pg_class where relname = ${name}`, on`select count(*) from pg_type where typname = ${name}`])
  }
  const genericPlans = async () => {
    const rows = await sql<
      { plans: number }[]
    >`select generic_plans as plans from pg_prepared_statements where statement like '%count(*) from pg_%'
      and statement not like '%prepared%' order by statement`
    return rows.map(({ plans }) => plans)
  }
  // PostgreSQL chooses a generic plan from the sixth time on.
  for (let at = 0; at < 9; at += 1) await count(sql, 'pg_class')
  const before = await genericPlans()
  expect(before).toEqual([4, 4])
  for (let at = 0; at < 9; at += 1) await withCustomPlan(sql, (tx) => count(tx, 'pg_class'))
  expect(await genericPlans()).toEqual(before)
  await sql.end()
})

test('work after a commit runs once the transaction has committed, with its pool, and never after a rollback', async () => {
  const sql = connectPool(await freshDatabase(), 2)
  const done: string[] = []
  const isSeen = async (name: string) => (await sql`select 1 from pg_namespace where nspname = ${name}`).length > 0
  await transaction(sql, async (tx) => {
    await tx`create schema committed`
    afterCommit(tx, (pool) => done.push(`committed ${pool === sql}`))
    expect([done, await isSeen('committed')]).toEqual([[], false])
  })
  expect([done, await isSeen('committed')]).toEqual([['committed true'], true])
  const failing = transaction(sql, async (tx) => {
    afterCommit(tx, () => done.push('rolled back'))
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  let attempts = 0
  await transaction(sql, async (tx) => {
    attempts += 1
    afterCommit(tx, () => done.push(`attempt ${attempts}`))
    if (attempts === 1) throw new RetryTransaction('once more')
  })
  expect(done).toEqual(['committed true', 'attempt 2'])
  await sql.end()
})

test('work after a commit that was asked for in a savepoint is dropped with the savepoint, and else runs with the transaction', async () => {
  const sql = connectPool(await freshDatabase(), 1)
  const done: string[] = []
  await transaction(sql, async (tx) => {
    await savepoint(tx, async (inner) => {
      afterCommit(inner, () => done.push('kept'))
      await savepoint(inner, async (deeper) => afterCommit(deeper, () => done.push('deeper')))
    })
    const undone = savepoint(tx, async (inner) => {
      afterCommit(inner, () => done.push('dropped'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(done).toEqual([])
  })
  expect(done).toEqual(['kept', 'deeper'])
  await sql.end()
})
