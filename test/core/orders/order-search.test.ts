import { beforeAll, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { listCopyMismatches } from '../../../core/orders/search/search-rows.queries.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { random } from '../../support/random.ts'
import { until } from '../../support/until.ts'

const { ok, shop, context } = await startApp()
const { sql } = context
const mismatches = async () => [...(await listCopyMismatches(sql, 100))]
/** Holds the slot of a store's changes, as a process that hangs does, while the work is done. */
const whileStalled = <V>(storeId: string, work: () => Promise<V>) =>
  transaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(7233040, hashtext(${projectIdOf(storeId)}) & 7)`
    return work()
  })

const own = await shop()
const { key, storeId } = own
const STATUSES = ['pending', 'confirmed', 'unreachable', 'postponed', 'cancelled', 'delivered']
const at = (list: readonly string[], by: number) => list[by % list.length]!
const SOURCES = ['api', 'storefront', 'member']
const STATES = ['16', '31', '9']

/** Returns a function that places an order in a shop, and gives it. */
async function placer({ key, storeId }: Shop) {
  const { data: product } = await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: 'Basket', sku: 'B', price: 2500, initialStock: 10 },
  })
  return () =>
    ok('POST', '/v1/orders', {
      as: key,
      body: {
        storeId,
        customer: { name: 'Lina Saadi', phone: '0550123456' },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
        items: [{ productId: product.id, quantity: 1 }],
      },
    })
}
const template: string = (await (await placer(own))()).data.id

/** Orders of every kind, written past the API in one statement. */
async function fill(count: number, seed: number) {
  const draw = random(seed)
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `ord_${String(seed).padStart(2, '0')}${String(n).padStart(8, '0')}`,
    status: at(STATUSES, draw(6)),
    source: at(SOURCES, draw(3)),
    state: at(STATES, draw(3)),
    name: at(['lina', 'samir', 'nour'], draw(3)),
    total: draw(5),
    assigned: at(['usr_a', 'usr_b', ''], draw(3)),
    promo: at(['SUMMER', '', 'winter'], draw(3)),
    payment: at(['unpaid', 'paid'], draw(2)),
    minute: draw(20),
  }))
  await sql`insert into orders (project_id, id, reference, status, customer_name, customer_phone, destination, subtotal, delivery, discount, total, source,
      assigned_to, promo_code, payment_status, search_text, created_at, updated_at)
    select ${projectIdOf(storeId)}, r.id, 'R' || r.id, r.status, r.name, '+213550000001', template.destination || jsonb_build_object('stateCode', r.state),
      r.total, 0, 0, r.total, r.source, nullif(r.assigned, ''), nullif(r.promo, ''), r.payment, ' ' || r.name || ' 213550000001 ',
      '2026-01-01'::timestamptz + r.minute * interval '1 minute', '2026-01-01'::timestamptz + r.minute * interval '1 minute'
    from jsonb_to_recordset(${sql.json(rows)}) r (id text, status text, source text, state text, name text, total integer, assigned text, promo text, payment text, minute integer),
      (select destination from orders where project_id = ${projectIdOf(storeId)} and id = ${template}) template`
  return rows
}

/** Reads every page of a list. */
async function readAll(query: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const page = await ok('GET', `/v1/orders?storeId=${storeId}&limit=7&${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, {
      as: key,
    })
    ids.push(...page.data.map(({ id }: { id: string }) => id))
    if (!page.nextCursor) return ids
    cursor = page.nextCursor
  }
}

const FILTERS: Readonly<Record<string, string>> = {
  '': 'true',
  'status=pending': "status = 'pending'",
  'status=pending,confirmed,delivered': "status in ('pending', 'confirmed', 'delivered')",
  'source=storefront': "source = 'storefront'",
  'stateCode=31': "destination ->> 'stateCode' = '31'",
  'assignedTo=usr_a': "assigned_to = 'usr_a'",
  'assignedTo=none': 'assigned_to is null',
  'promoCode=Winter': "lower(promo_code) = 'winter'",
  'paymentStatus=paid': "payment_status = 'paid'",
  'q=samir': "customer_name = 'samir'",
  'status=pending,cancelled&source=api&q=nour': "status in ('pending', 'cancelled') and source = 'api' and customer_name = 'nour'",
  'phone=0550000001&status=pending,confirmed': "customer_phone = '+213550000001' and status in ('pending', 'confirmed')",
}
const SORTS = {
  createdAt: 'id',
  '-createdAt': 'id',
  updatedAt: 'updated_at',
  '-updatedAt': 'updated_at',
  total: 'total',
  '-total': 'total',
}

/** Every list, against the orders themselves. */
async function expectEveryList() {
  for (const [query, where] of Object.entries(FILTERS))
    for (const [sort, column] of Object.entries(SORTS)) {
      const direction = sort.startsWith('-') ? 'desc' : 'asc'
      const expected = await sql.unsafe<{ id: string }[]>(
        `select id from orders where project_id = $1 and deleted_at is null and ${where} order by ${column} ${direction}, id ${direction}`,
        [projectIdOf(storeId)],
      )
      const asked = `${query}&sort=${sort}`
      expect([asked, await readAll(asked)]).toEqual([asked, expected.map(({ id }) => id)])
    }
}

beforeAll(async () => {
  await fill(40, 1)
})

test('order search: every filter with every sort shows each order once, whether its copy is made, stale, missing or left over', async () => {
  await drainChanges(context)
  expect(await mismatches()).toEqual([])
  await expectEveryList()
  await whileStalled(storeId, async () => {
    const rows = await fill(15, 2)
    const ids = [...rows.slice(0, 5).map(({ id }) => id), 'ord_0100000003', 'ord_0100000004', 'ord_0100000005']
    await sql`update orders set status = 'confirmed', updated_at = '2026-01-01T00:05:00Z', total = 3, subtotal = 3, assigned_to = 'usr_a' where id = any (${ids})`
    await sql`update orders set deleted_at = now() where id in ('ord_0100000006', 'ord_0200000009')`
    await expectEveryList()
  })
  await until(async () => (await sql`select 1 from order_changes`).length === 0)
  expect(await mismatches()).toEqual([])
  await expectEveryList()
}, 120_000)

test('order search: pages stay whole while the orders between them are copied', async () => {
  const expected = await readAll('source=api&sort=total')
  const seen: string[] = []
  await whileStalled(storeId, async () => {
    await sql`update orders set note = note || 'n', version = version + 1 where project_id = ${projectIdOf(storeId)}`
    const page = await ok('GET', `/v1/orders?storeId=${storeId}&limit=5&source=api&sort=total`, { as: key })
    seen.push(...page.data.map(({ id }: { id: string }) => id), page.nextCursor)
  })
  await drainChanges(context)
  for (let cursor = seen.pop(); cursor; ) {
    const page = await ok('GET', `/v1/orders?storeId=${storeId}&limit=5&source=api&sort=total&cursor=${encodeURIComponent(cursor)}`, {
      as: key,
    })
    seen.push(...page.data.map(({ id }: { id: string }) => id))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(expected)
})

test('order search: a change is in a filtered list at once, and an order that was deleted is in none', async () => {
  const mine = await shop()
  const place = await placer(mine)
  const found = async (query: string) => {
    const { data } = await ok('GET', `/v1/orders?storeId=${mine.storeId}&${query}`, { as: mine.key })
    return data.map(({ id }: { id: string }) => id)
  }
  await whileStalled(mine.storeId, async () => {
    const { data: order } = await place()
    expect([await found('source=api'), await found('q=saadi'), await found(`q=${order.reference}`)]).toEqual([
      [order.id],
      [order.id],
      [order.id],
    ])
    await ok('PATCH', `/v1/orders/${order.id}`, { as: mine.key, body: { status: 'confirmed' } })
    expect([await found('status=confirmed&sort=updatedAt'), await found('status=pending&sort=updatedAt')]).toEqual([[order.id], []])
    await ok('DELETE', `/v1/orders/${order.id}`, { as: mine.key })
    expect([await found('source=api'), await found('q=saadi')]).toEqual([[], []])
  })
  await drainChanges(context)
  expect(await sql`select id from order_search where project_id = ${projectIdOf(mine.storeId)}`).toHaveLength(0)
})

test('order search: the check finds a copy that is missing, wrong or left over, and says nothing of one that is awaited', async () => {
  await drainChanges(context)
  await sql`delete from order_search where id = 'ord_0100000001'`
  await sql`update order_search set status = 'lost' where id = 'ord_0100000002'`
  await sql`insert into order_search select 'prj_gone', id, reference, status, assigned_to, promo_code, source, connector_id, external_id, payment_status,
    state_code, current_state_code, city_code, total, search_text, created_at, updated_at from order_search where id = 'ord_0100000003'`
  const found = (await mismatches()).map(({ orderId, says }) => [orderId, says]).toSorted()
  expect(found).toEqual([
    ['ord_0100000001', 'no copy'],
    ['ord_0100000002', 'other values'],
    ['ord_0100000003', 'no order'],
  ])
  await sql`delete from order_search where project_id = 'prj_gone'`
  await whileStalled(storeId, async () => {
    await sql`update orders set version = version + 1 where id in ('ord_0100000001', 'ord_0100000002')`
    expect(await mismatches()).toEqual([])
  })
  await drainChanges(context)
  expect(await mismatches()).toEqual([])
})
