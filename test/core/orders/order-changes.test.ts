import { afterAll, beforeEach, expect, test } from 'bun:test'
import { connectPool, expectOne, type Sql } from '../../../core/data/sql.ts'
import { registerSubscribers } from '../../../core/data/subscribers.ts'
import type { OrderChange } from '../../../core/orders/changes/changes.model.ts'
import { startChangesLoop } from '../../../core/orders/changes/changes-loop.ts'
import { drainChanges, drainSlot, drainStore } from '../../../core/orders/changes/drain-changes.ts'
import { freshDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

const sql = connectPool(await freshDatabase(), 6)
afterAll(() => sql.end())
await sql`insert into users (id, name, email, password_hash) values ('usr_a', 'A', 'a@example.dz', '')`
await sql`insert into tenants (name) values ('T')`
for (const name of ['a', 'b']) {
  await sql`insert into projects (id, tenant_id, name) select ${`prj_${name}`}, id, 'P' from tenants`
  await sql`insert into stores (id, project_id, owner_id, name, slug, country_code, currency_code)
    values (${`sto_${name}`}, ${`prj_${name}`}, 'usr_a', 'S', ${name}, 'DZ', 'DZD')`
}

const errors: unknown[] = []
const log = { error: (what: unknown) => errors.push(what), warn: () => {}, info: () => {} } as never
const seen: OrderChange[] = []
let fails: (change: OrderChange) => boolean = () => false
registerSubscribers([
  {
    async 'orders.changed'(_, { changes }) {
      if (changes.some(fails)) throw new Error('A reader failed.')
      seen.push(...changes)
    },
  },
])
let made = 0
beforeEach(async () => {
  await sql`delete from order_changes`
  seen.length = 0
  errors.length = 0
  fails = () => false
})

const place = async (count: number, project = 'prj_a', by: Pick<Sql, 'unsafe'> | Sql = sql) => {
  const from = made
  made += count
  const rows = await (by as Sql)<{ id: string }[]>`
    insert into orders (project_id, reference, status, customer_name, customer_phone, destination, subtotal, delivery, discount, total, source, id)
    select ${project}, 'R' || n, 'pending', 'A', '0550', '{}', 1, 0, 0, 1, 'api', 'ord_' || lpad(n::text, 8, '0') from generate_series(${from}::integer, ${made - 1}) n
    returning id`
  return rows.map(({ id }) => id)
}
const waiting = async () => expectOne(await sql<{ count: number }[]>`select count(*)::int as count from order_changes`).count
const idsSeen = () => seen.map(({ orderId }) => orderId)

test('changes: a new order, its changed columns and its statuses are published once, in their order', async () => {
  const [id] = (await place(1)) as [string]
  await sql`update orders set status = 'confirmed', note = 'N' where id = ${id}`
  await sql`update orders set updated_at = updated_at where id = ${id}`
  await drainChanges({ sql, log })
  expect(seen.map(({ orderId, changed, fromStatus, toStatus }) => [orderId, changed, fromStatus, toStatus])).toEqual([
    [id, null, null, 'pending'],
    [id, ['status', 'note'], 'pending', 'confirmed'],
  ])
  await drainChanges({ sql, log })
  expect([seen.length, await waiting()]).toEqual([2, 0])
})

test('changes: a change that commits after a later one is not skipped', async () => {
  const early = Promise.withResolvers<void>()
  const inserted = Promise.withResolvers<string>()
  const slow = sql.begin(async (tx) => {
    const [id] = await place(1, 'prj_a', tx as never)
    inserted.resolve(id!)
    await early.promise
  })
  const first = await inserted.promise
  const [second] = await place(1)
  await drainChanges({ sql, log })
  expect(idsSeen()).toEqual([second!])
  early.resolve()
  await slow
  await drainChanges({ sql, log })
  expect(idsSeen()).toEqual([second!, first])
})

test('changes: a transaction that fails after its readers leaves its changes for the next one', async () => {
  const ids = await place(3)
  fails = () => true
  await expect(drainStore(sql, 'sto_a')).rejects.toThrow('A reader failed.')
  expect(await waiting()).toBe(3)
  fails = () => false
  await drainStore(sql, 'sto_a')
  expect(idsSeen()).toEqual(ids)
})

test('changes: several processes publish each change once', async () => {
  const ids = [...(await place(1200)), ...(await place(700, 'prj_b'))]
  const loops = await Promise.all(Array.from({ length: 3 }, () => startChangesLoop({ sql, log })))
  await until(async () => (await waiting()) === 0)
  await Promise.all(loops.map((loop) => loop.stop()))
  expect(idsSeen().toSorted()).toEqual(ids.toSorted())
  for (const project of ['prj_a', 'prj_b']) {
    const inTurn = seen.filter(({ projectId }) => projectId === project).map(({ id }) => Number(id))
    expect(inTurn).toEqual(inTurn.toSorted((a, b) => a - b))
  }
})

test('changes: one that always fails is put off with those of its order, and does not block the others', async () => {
  const ids = await place(800)
  const broken = ids[300]!
  await sql`update orders set note = 'N' where id = ${broken}`
  fails = ({ orderId }) => orderId === broken
  await drainChanges({ sql, log })
  expect(idsSeen().toSorted()).toEqual(ids.filter((id) => id !== broken).toSorted())
  expect([await waiting(), errors.length]).toEqual([2, 1])
  fails = () => false
  await drainChanges({ sql, log })
  expect(await waiting()).toBe(2)
  await sql`update order_changes set due_at = now()`
  await drainChanges({ sql, log })
  expect(seen.filter(({ orderId }) => orderId === broken).map(({ changed }) => changed)).toEqual([null, ['note']])
})

test('changes: a caller waits for a batch that is being published, and for one slot only', async () => {
  const [id] = (await place(1)) as [string]
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7233040, (hashtext('prj_a') & 7))`
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const [{ slot } = { slot: 0 }] = await sql<{ slot: number }[]>`select slot from order_changes`
  expect(await drainSlot({ sql, log }, slot, { waits: false })).toBe(false)
  const drained = drainStore(sql, 'sto_a')
  await Bun.sleep(50)
  expect(seen).toEqual([])
  held.resolve()
  await Promise.all([holder, drained])
  expect(idsSeen()).toEqual([id])
})
