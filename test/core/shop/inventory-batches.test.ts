import { expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { lockBalances } from '../../../core/shop/inventory/balances.queries.ts'
import { adjustToCount } from '../../../core/shop/inventory/operations/adjust-to-count.ts'
import { startApp } from '../../support/app.ts'
import { findDrift } from '../../support/checks.ts'

const { call, shop, context } = await startApp()
await shop() // the first account sees everything; no test wants to be it
const { key: as, projectId } = await shop()

const post = (type: string, legs: object[]) => call('POST', '/v1/inventory/operations', { as, body: { type, legs } })
const reserve = (legs: object[]) => call('POST', '/v1/inventory/reservations', { as, body: { legs } })
const code = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body?.error?.code ?? ''}`.trim()
const batch = (at: number) => `b${String(at).padStart(4, '0')}`
const onHand = async (namespace: string, key: string) => {
  const [sum] = await context.sql`select coalesce(sum(on_hand), 0)::int as sum from inventory_balances
    where project_id = ${projectId} and namespace = ${namespace} and key = ${key}`
  return sum?.sum
}

/** So many batches of one each, the oldest first. */
async function receive(key: string, count: number) {
  for (let at = 0; at < count; at += 200) {
    const legs = Array.from({ length: Math.min(200, count - at) }, (_, leg) => ({
      namespace: 'main',
      key,
      batch: batch(at + leg),
      quantity: 1,
    }))
    expect((await post('receive', legs)).status).toBe(201)
  }
}
const take = (key: string, quantity: number, more: object = {}) => ({ namespace: 'main', key, quantity, ...more })

test('of an item in many batches the oldest alone are held: who has the others is not waited for', async () => {
  await receive('held', 100)
  const ended = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const held = transaction(context.sql, async (tx) => {
    await tx`select 1 from inventory_balances where project_id = ${projectId} and key = 'held' and batch >= ${batch(60)} for update`
    holding.resolve()
    await ended.promise
  })
  await holding.promise
  const answers = Promise.all([
    post('fulfill', [take('held', -3)]),
    reserve([take('held', 5)]),
    post('transfer', [take('held', -2), take('held', 2, { namespace: 'shop' })]),
  ])
  const came = await Promise.race([answers.then((all) => all.map(code)), Bun.sleep(8_000).then(() => 'nothing')])
  ended.resolve()
  await held
  await answers
  expect(came).toEqual(['201', '201', '201'])
}, 60_000)

test('an operation, and a reservation, take from as many batches as they can tell of, and no more', async () => {
  await receive('many', 1_200)
  const sold = await post('fulfill', [take('many', -150)])
  expect(sold.body.data.movements.map((movement: { batch: string }) => movement.batch)).toEqual(
    Array.from({ length: 150 }, (_, at) => batch(at)),
  )
  for (const answer of [
    await post('fulfill', [take('many', -1_001)]),
    await reserve([take('many', 1_001)]),
    await post('transfer', [take('many', -1_001), take('many', 1_001, { namespace: 'shop' })]),
  ])
    expect(code(answer)).toBe('422 limit_reached')
  expect(code(await post('fulfill', [take('many', -900)]))).toBe('201')
  expect(code(await post('fulfill', [take('many', -151)]))).toBe('422 reserved_stock_conflict')
  expect(code(await post('fulfill', [take('many', -1), take('many', -2, { batch: batch(1_100) })]))).toBe('422 reserved_stock_conflict')
  expect([await onHand('main', 'many'), await onHand('shop', 'many')]).toEqual([150, 0])
}, 60_000)

test('many at once take all that there is in many batches, and no more', async () => {
  await receive('hot', 120)
  const answers = await Promise.all(
    Array.from({ length: 70 }, (_, at) => (at % 2 ? post('pos_sale', [take('hot', -2)]) : reserve([take('hot', 2)]))),
  )
  const counts = Object.fromEntries([...Map.groupBy(answers.map(code), (each) => each)].map(([each, of]) => [each, of.length]))
  expect(counts).toEqual({ '201': 60, '422 reserved_stock_conflict': 10 })
})

test('of an item in very many batches, most of them empty, no more is read than may be taken', async () => {
  const { projectId: another } = await shop()
  await context.sql`insert into inventory_balances (project_id, namespace, key, batch, on_hand, created_at)
    select ${another}, 'main', 'long', lpad(n::text, 6, '0'), case when n > 20000 then 1 else 0 end, now() + n * interval '1 second' from generate_series(1, 50000) n`
  await context.sql`analyze inventory_balances`
  const wanted = { namespace: 'main', key: 'long', batch: null, quantity: 30_000n }
  await transaction(context.sql, async (tx) => {
    const rowsRead = async () => {
      const [read] =
        await tx`select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'inventory_balances'`
      return Number(read?.rows)
    }
    const before = await rowsRead()
    const { balances, itemsWithMore: cut } = await lockBalances(tx, another, [wanted], [])
    expect([...balances.values()].map(({ batch: each }) => Number(each))).toEqual(Array.from({ length: 23 }, (_, at) => 20_001 + at))
    expect(cut.size).toBe(1)
    expect((await rowsRead()) - before).toBeLessThan(2_000)
  })
})

const count = (key: string, counted: bigint) =>
  transaction(context.sql, (tx) =>
    adjustToCount(tx, projectId, { namespace: 'main', key }, { counted: counted * 10_000n, note: 'count', reference: 'c', field: [] }),
  )

test('a count reaches all batches', async () => {
  await receive('counted', 60)
  await count('counted', 45n)
  expect(await onHand('main', 'counted')).toBe(45)
})

test('who counts the same at once counts it once, whether it was ever used or not', async () => {
  await receive('more', 3)
  for (const key of ['more', 'never']) {
    await Promise.all([7n, 7n, 7n, 7n].map((counted) => count(key, counted)))
    expect([key, await onHand('main', key)]).toEqual([key, 7])
  }
})

test('after all that every counter agrees with its lines', async () => {
  expect(await findDrift(context.sql, projectId)).toEqual([])
})
