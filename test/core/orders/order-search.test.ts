import { beforeAll, describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import type { OrderListRequest } from '../../../core/orders/list.model.ts'
import { findOrders } from '../../../core/orders/list.queries.ts'
import { listCopyMismatches } from '../../../core/orders/search/search-rows.queries.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { explained, nodes, type Plan } from '../../support/explained.ts'
import { random } from '../../support/random.ts'
import { until } from '../../support/until.ts'

const { call, ok, shop, context } = await startApp()
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
const CITIES = [
  { cityCode: '1601', cityName: 'Alger Centre' },
  { cityCode: null, cityName: 'Cité Inconnue' },
]
const CARRIERS = ['', 'yalidine', 'sandbox']
const PARCEL_STATUSES = ['created', 'in_transit', 'cancelled']

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
    city: CITIES[draw(2)],
    deliveryType: at(['home', 'pickup'], draw(2)),
    carrier: at(CARRIERS, draw(3)),
    parcelStatus: at(PARCEL_STATUSES, draw(3)),
    isPrinted: draw(2) === 1,
    tag: at(['', 'fragile', 'été,vip'], draw(3)),
  }))
  // In one transaction: a copy that is made between two statements would lack what appends no change, such as the history.
  await transaction(sql, async (tx) => {
    await tx`insert into orders (project_id, id, reference, status, customer_name, customer_phone, destination, subtotal, delivery, discount, total, source,
        assigned_to, promo_code, payment_status, search_text, created_at, updated_at)
      select ${projectIdOf(storeId)}, r.id, 'R' || r.id, r.status, r.name, '+213550000001', template.destination || r.city || jsonb_build_object('stateCode', r.state, 'deliveryType', r."deliveryType"),
        r.total, 0, 0, r.total, r.source, nullif(r.assigned, ''), nullif(r.promo, ''), r.payment, ' ' || r.name || ' 213550000001 ',
        '2026-01-01'::timestamptz + r.minute * interval '1 minute', '2026-01-01'::timestamptz + r.minute * interval '1 minute'
      from jsonb_to_recordset(${sql.json(rows)}) r (id text, status text, source text, state text, name text, total integer, assigned text, promo text, payment text, minute integer, city jsonb, "deliveryType" text),
        (select destination from orders where project_id = ${projectIdOf(storeId)} and id = ${template}) template`
    await tx`insert into parcels (project_id, tenant_id, id, reference, status, courier_id, order_id, recipient, destination, cod_amount, declared_value, printed_at)
      select ${projectIdOf(storeId)}, p.tenant_id, 'par_' || substr(r.id, 5), 'P' || r.id, r."parcelStatus", r.carrier, r.id, '{}', '{}', 1, 1,
        case when r."isPrinted" then now() end
      from jsonb_to_recordset(${sql.json(rows)}) r (id text, carrier text, "parcelStatus" text, "isPrinted" boolean), projects p
      where p.id = ${projectIdOf(storeId)} and r.carrier <> ''`
    await tx`insert into order_tags (project_id, order_id, tag)
      select ${projectIdOf(storeId)}, r.id, unnest(string_to_array(r.tag, ',')) from jsonb_to_recordset(${sql.json(rows)}) r (id text, tag text) where r.tag <> ''`
    await tx`insert into order_status_changes (project_id, order_id, id, from_status, to_status, by_kind, by_id, created_at)
      select ${projectIdOf(storeId)}, r.id, 'osc_' || substr(r.id, 5), 'pending', r.status, 'system', '', '2026-02-01'::timestamptz + r.minute * interval '1 day'
      from jsonb_to_recordset(${sql.json(rows)}) r (id text, status text, minute integer) where r.minute > 5`
  })
  return rows
}

/** Reads every page of a list. */
async function readAll(query: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const page = await ok('GET', `/v1/orders?storeId=${storeId}&limit=11&${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, {
      as: key,
    })
    ids.push(...page.data.map(({ id }: { id: string }) => id))
    if (!page.nextCursor) return ids
    cursor = page.nextCursor
  }
}

/** Begins a condition on the newest parcel of an order. */
const PARCEL = `exists (select 1 from parcels p where p.order_id = orders.id and p.status <> 'cancelled' and p`

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
  'carrier=yalidine': `${PARCEL}.courier_id = 'yalidine')`,
  'carrier=yalidine,sandbox&status=pending': `${PARCEL}.courier_id in ('yalidine', 'sandbox')) and status = 'pending'`,
  'parcelStatus=in_transit': `${PARCEL}.status = 'in_transit')`,
  'parcelStatus=none,created': `(not ${PARCEL}.id is not null) or ${PARCEL}.status = 'created'))`,
  'printed=yes': `${PARCEL}.printed_at is not null)`,
  'printed=no&source=api': `${PARCEL}.printed_at is null) and source = 'api'`,
  'deliveryType=pickup': "destination ->> 'deliveryType' = 'pickup'",
  'deliveryType=pickup,home&minTotal=2': 'total >= 2',
  'cityCode=1601': "destination ->> 'cityCode' = '1601'",
  'cityCode=alger centre': "destination ->> 'cityCode' = '1601'",
  'cityCode=cite inconnue,1601': "(destination ->> 'cityCode' = '1601' or destination ->> 'cityName' = 'Cité Inconnue')",
  'tag=fragile': "id in (select order_id from order_tags where tag = 'fragile')",
  'tag=vip,fragile': "id in (select order_id from order_tags where tag in ('fragile', 'vip'))",
  'minTotal=2&maxTotal=3': 'total between 2 and 3',
  'waitingSince=2026-02-10T00:00:00.000Z':
    "status in ('pending', 'confirmed', 'unreachable', 'postponed') and coalesce((select max(c.created_at) from order_status_changes c where c.order_id = orders.id), created_at) <= '2026-02-10'",
  'phone=0550000001&carrier=sandbox&tag=vip': `customer_phone = '+213550000001' and ${PARCEL}.courier_id = 'sandbox') and id in (select order_id from order_tags where tag = 'vip')`,
}
const SORTS = {
  createdAt: 'id',
  '-createdAt': 'id',
  updatedAt: 'updated_at',
  '-updatedAt': 'updated_at',
  total: 'total',
  '-total': 'total',
}

/** Every list, against the orders themselves, with some of the sorts. */
async function expectEveryList(sorts = Object.entries(SORTS)) {
  for (const [query, where] of Object.entries(FILTERS))
    for (const [sort, column] of sorts) {
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
  await expectEveryList(Object.entries(SORTS).slice(0, 2))
  await whileStalled(storeId, async () => {
    const rows = await fill(15, 2)
    const ids = [...rows.slice(0, 5).map(({ id }) => id), 'ord_0100000003', 'ord_0100000004', 'ord_0100000005']
    await sql`update orders set status = 'confirmed', updated_at = '2026-01-01T00:05:00Z', total = 3, subtotal = 3, assigned_to = 'usr_a' where id = any (${ids})`
    await sql`update parcels set status = 'in_transit', printed_at = now() where order_id in ('ord_0100000003', 'ord_0100000007', 'ord_0100000008')`
    await sql`delete from parcels where order_id in ('ord_0100000010', 'ord_0100000011')`
    await sql`delete from order_tags where order_id in ('ord_0100000001', 'ord_0100000002', 'ord_0100000003')`
    await sql`update orders set deleted_at = now() where id in ('ord_0100000006', 'ord_0200000009')`
    await expectEveryList()
  })
  await until(async () => (await sql`select 1 from order_changes`).length === 0)
  expect(await mismatches()).toEqual([])
  await expectEveryList(Object.entries(SORTS).slice(4))
}, 300_000)

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
  await sql`insert into order_search
    select (jsonb_populate_record(s, '{"project_id": "prj_gone"}')).* from order_search s where s.id = 'ord_0100000003'`
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

test('order search: the change of a parcel is in a filtered list at once, for its writer and for everybody', async () => {
  const mine = await shop()
  const place = await placer(mine)
  const { data: order } = await place()
  const found = async (query: string) => {
    const { data } = await ok('GET', `/v1/orders?storeId=${mine.storeId}&${query}`, { as: mine.key })
    return data.map(({ id }: { id: string }) => id)
  }
  await drainChanges(context)
  await whileStalled(mine.storeId, async () => {
    expect(await found('parcelStatus=none')).toEqual([order.id])
    await sql`insert into parcels (project_id, tenant_id, id, reference, status, courier_id, order_id, recipient, destination, cod_amount, declared_value)
      select id, tenant_id, 'par_mine', 'P', 'created', 'sandbox', ${order.id}, '{}', '{}', 1, 1 from projects where id = ${mine.projectId}`
    expect([await found('carrier=sandbox'), await found('printed=no'), await found('parcelStatus=none')]).toEqual([
      [order.id],
      [order.id],
      [],
    ])
    await sql`update parcels set printed_at = now(), status = 'delivered' where id = 'par_mine'`
    expect([await found('printed=yes'), await found('printed=no'), await found('parcelStatus=delivered,lost')]).toEqual([
      [order.id],
      [],
      [order.id],
    ])
    await ok('PATCH', `/v1/stores/${mine.storeId}/orders/${order.id}/tags`, { as: mine.key, body: { add: ['fragile'] } })
    expect([await found('tag=fragile'), await found('tag=vip,fragile')]).toEqual([[order.id], [order.id]])
  })
  await drainChanges(context)
  expect([await found('printed=yes&tag=fragile&carrier=sandbox'), await mismatches()]).toEqual([[order.id], []])
  await sql`delete from parcels where id = 'par_mine'`
  expect(await found('parcelStatus=none')).toEqual([order.id])
})

describe('order search: a common tag', () => {
  const COUNT = 2_100
  const dayOf = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString()
  let tagged: Shop
  const idOf = (n: number) => `${lowestIdAt('ord', Date.parse(dayOf(n)))}x`

  /** Lists orders with the tag, and returns their ids, and how many rows of `table` were read for the page. */
  async function listTagged(table: string, filter: OrderListRequest['filter'], after: string | null = null) {
    const plans: Plan[] = []
    const page = { sortColumn: null, isDescending: true, after: after === null ? null : { id: after, value: null }, limit: 5 }
    const asked = { filter: { tag: 'common', ...filter }, q: undefined, page }
    const rows = await findOrders(explained(sql, plans), tagged.storeId, asked, { tags: ['common'] })
    const read = plans.flatMap(nodes).filter((node) => node['Relation Name'] === table)
    const rowsOf = (node: Plan) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
    return { ids: rows.map(({ id }) => id), read: read.reduce((sum, node) => sum + rowsOf(node), 0) }
  }

  beforeAll(async () => {
    tagged = await shop()
    const { data: one } = await (await placer(tagged))()
    const rows = Array.from({ length: COUNT }, (_, n) => ({ id: idOf(n), created_at: dayOf(n), status: n === 7 ? 'confirmed' : 'pending' }))
    await sql`insert into orders select (jsonb_populate_record(o, r || jsonb_build_object('reference', r ->> 'id'))).*
      from orders o, jsonb_array_elements(${sql.json(rows)}) r where o.id = ${one.id}`
    await sql`insert into order_tags (project_id, order_id, tag) select project_id, id, 'common' from orders
      where project_id = ${tagged.projectId} and id <> ${one.id}`
    await drainChanges(context)
    await sql`analyze orders, order_tags, order_search, order_changes`
  })

  test('alone, its newest orders and those of the next page are read', async () => {
    const first = await listTagged('order_tags', {})
    expect(first.ids).toEqual([1, 2, 3, 4, 5].map((back) => idOf(COUNT - back)))
    const later = await listTagged('order_tags', {}, idOf(100))
    expect(later.ids).toEqual([99, 98, 97, 96, 95].map(idOf))
    expect([first.read < 50, later.read < 50]).toEqual([true, true])
  })

  test('between two moments, only the orders of that time are read', async () => {
    const between = await listTagged('order_tags', { from: dayOf(20), to: dayOf(23) })
    expect([between.ids, between.read < 50]).toEqual([[22, 21, 20].map(idOf), true])
  })

  test('with a status that few orders have, those orders are read, and not all that have the tag', async () => {
    const confirmed = await listTagged('order_tags', { status: 'confirmed' })
    expect([confirmed.ids, confirmed.read < 50]).toEqual([[idOf(7)], true])
  })
})

test('order search: rows show tags and the number of comments', async () => {
  const mine = await shop()
  const { data: order } = await (await placer(mine))()
  const of = `/v1/stores/${mine.storeId}/orders/${order.id}`
  await ok('PATCH', `${of}/tags`, { as: mine.key, body: { add: ['vip', 'fragile'] } })
  await ok('POST', `${of}/comments`, { as: mine.owner.token, body: { text: 'Call in the evening.' } })
  const { data } = await ok('GET', `/v1/orders?storeId=${mine.storeId}`, { as: mine.key })
  expect(data).toMatchObject([{ id: order.id, tags: ['fragile', 'vip'], comments: 1 }])
})

test('order search: values that a filter does not know are refused', async () => {
  const wrong = [
    'parcelStatus=gone',
    'parcelStatus=cancelled',
    'printed=maybe',
    'deliveryType=drone',
    'carrier=A B',
    'carrier=a,,b',
    'tag=',
    'tag=a,',
    'cityCode=',
    'minTotal=-1',
    'minTotal=many',
    'maxTotal=1e12',
    'waitingSince=yesterday',
    `carrier=${Array(21).fill('a').join()}`,
  ]
  for (const query of wrong) {
    const { status, body } = await call('GET', `/v1/orders?storeId=${storeId}&${query}`, { as: key })
    expect([query, status, body.error?.code]).toEqual([query, 400, 'invalid_request'])
  }
})
