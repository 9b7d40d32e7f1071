import { beforeAll, describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { findCallerOrders } from '../../../core/orders/search/caller-orders.queries.ts'
import { searchStore } from '../../../core/orders/store-search/search-store.ts'
import { type Person, type Shop, startApp } from '../../support/app.ts'
import { explained, nodes, type Plan } from '../../support/explained.ts'
import { until } from '../../support/until.ts'

const app = await startApp()
const { call, ok, context } = app
const { sql } = context
const shop = await app.shop()
let product: string
let sent: { readonly id: string; readonly reference: string }

const search = async (q: string, as = shop.owner.token) =>
  (await ok('GET', `/v1/stores/${shop.storeId}/search?${new URLSearchParams({ q })}`, { as })).data

async function order(name: string, phone: string, phoneAlt: string | null = null, of: Shop = shop) {
  const body = {
    storeId: of.storeId,
    customer: { name, phone, phoneAlt },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId: product, quantity: 1 }],
  }
  return (await ok('POST', '/v1/orders', { as: of.key, body })).data as { readonly id: string; readonly reference: string }
}

async function member(role: string, permissions: readonly string[] | null): Promise<Person> {
  const person = await app.person('Samira Agent')
  await ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.owner.token, body: { email: person.email, role, permissions } })
  return person
}

beforeAll(async () => {
  const body = { storeId: shop.storeId, name: 'Panier tressé', sku: 'PAN-7', price: 1000, initialStock: 100 }
  product = (await ok('POST', '/v1/products', { as: shop.key, body })).data.id
  sent = await order('Lina Saadi', '0550123456')
  await order('Karim Haddad', '0661998877', '0770445566')
  await sql`insert into parcels (project_id, tenant_id, id, reference, status, courier_id, tracking_id, order_id, recipient, destination, cod_amount, declared_value)
    select ${shop.projectId}, tenant_id, 'par_search', 'P-1', 'in_transit', 'sandbox', 'YAL-4455667', ${sent.id}, '{}', '{}', 1, 1
    from projects where id = ${shop.projectId}`
})

describe('search in a store', () => {
  test('a name, the end of a phone number and a reference find the order and its customer', async () => {
    for (const q of ['saadi', '3456', '0550 12 34 56', sent.reference]) {
      const found = await search(q)
      expect([q, found.orders.map(({ id }: { id: string }) => id), found.incomplete]).toEqual([q, [sent.id], []])
    }
    expect((await search('saadi')).customers).toMatchObject([{ name: 'Lina Saadi', phone: '+213550123456' }])
  })

  test('a scanned tracking number leads to its order, in any case of its letters', async () => {
    for (const q of ['YAL-4455667', 'yal-4455667']) {
      const { parcels, orderId } = await search(q)
      expect([parcels, orderId]).toEqual([
        [{ id: 'par_search', orderId: sent.id, reference: 'P-1', trackingId: 'YAL-4455667', status: 'in_transit' }],
        sent.id,
      ])
    }
    expect((await search(sent.reference.toLowerCase())).orderId).toBe(sent.id)
    expect((await search('YAL-44556')).orderId).toBeNull()
  })

  test('products and members are found', async () => {
    expect((await search('panier')).products).toMatchObject([{ id: product, name: 'Panier tressé', sku: 'PAN-7' }])
    const agent = await member('agent', null)
    expect((await search('samira')).people).toMatchObject([{ userId: agent.id, name: 'Samira Agent', role: 'agent' }])
  })

  test('a member finds what their role and permissions show, and nothing else', async () => {
    const packer = await member('agent', ['parcels:read'])
    const seen = await search('YAL-4455667', packer.token)
    expect([seen.parcels.length, seen.orders, seen.customers]).toEqual([1, [], []])
    const empty = await search('saadi', packer.token)
    expect([empty.orders, empty.customers, empty.products, empty.people]).toEqual([[], [], [], []])
    const viewer = await member('viewer', null)
    const found = await search('samira', viewer.token)
    expect([found.people, (await search('saadi', viewer.token)).orders.length]).toEqual([[], 1])
  })

  test('each group has a limit', async () => {
    for (let at = 0; at < 8; at += 1) await order(`Numerous ${at}`, `0555${String(at).padStart(6, '0')}`)
    const { orders, customers } = await search('numerous')
    expect([orders.length, customers.length]).toEqual([6, 6])
  })

  test('store search: long descriptions leave no product out', async () => {
    for (let at = 0; at < 6; at += 1)
      await ok('POST', '/v1/products', { as: shop.key, body: { storeId: shop.storeId, name: `Bulky ${at}`, price: 1 } })
    await sql`update products set description = (select string_agg(md5(n::text), '') from generate_series(1, 10000) n) where name like 'Bulky%'`
    const { products } = await search('bulky')
    expect(products.map(({ name }: { name: string }) => name)).toEqual([5, 4, 3, 2, 1, 0].map((at) => `Bulky ${at}`))
  })

  test('store search: searches of a store wait for each other, and one whose caller leaves is dropped', async () => {
    const person = { ...shop.owner, isAdmin: false }
    const find = (signal?: AbortSignal) => searchStore(sql, person, shop.storeId, 'panier', signal)
    const leaving = new AbortController()
    const waiting = await transaction(sql, async (tx) => {
      await tx`lock table products in access exclusive mode`
      const running = [find(), find()]
      await until(async () => (await sql`select 1 from pg_locks where not granted and relation = 'products'::regclass`).length === 2)
      const dropped = find(leaving.signal)
      const next = find()
      await Bun.sleep(100)
      leaving.abort(new Error('The caller left.'))
      await expect(dropped).rejects.toThrow('The caller left.')
      expect((await Promise.all(running)).map(({ incomplete }) => incomplete)).toEqual([['products'], ['products']])
      return { next }
    })
    expect(await waiting.next).toMatchObject({ products: [{ id: product }], incomplete: [] })
  })

  test('bad input, no credential, a key and strangers are refused', async () => {
    const path = `/v1/stores/${shop.storeId}/search`
    const owner = shop.owner.token
    const stranger = await app.shop()
    const status = async (query: string, as?: string) => (await call('GET', path + query, as === undefined ? {} : { as })).status
    expect(await status('', owner)).toBe(400)
    expect(await status('?q=a', owner)).toBe(400)
    expect(await status(`?q=${'a'.repeat(101)}`, owner)).toBe(400)
    expect(await status('?q=saadi')).toBe(401)
    expect(await status('?q=saadi', 'sk_wrong')).toBe(401)
    expect(await status('?q=saadi', shop.key)).toBe(403)
    expect(await status('?q=saadi', stranger.owner.token)).toBe(404)
  })

  test('nothing of another store is found', async () => {
    const other = await app.shop()
    const found = (await ok('GET', `/v1/stores/${other.storeId}/search?q=saadi`, { as: other.owner.token })).data
    expect([found.orders, found.customers, found.parcels, found.orderId]).toEqual([[], [], [], null])
  })
})

describe('look-up of a customer who calls', () => {
  const find = async (phone: string, as = shop.key) =>
    (await ok('GET', `/v1/orders/confirmation/callers?${new URLSearchParams({ storeId: shop.storeId, phone })}`, { as })).data.map(
      ({ customerName }: { customerName: string }) => customerName,
    )

  test('the last digits of either number find the order, in any notation', async () => {
    await drainChanges(context)
    for (const phone of ['3456', '0550123456', '+213 550 12 34 56', '550-123-456'])
      expect([phone, await find(phone)]).toEqual([phone, ['Lina Saadi']])
    expect(await find('5566')).toEqual(['Karim Haddad'])
    expect(await find('9999')).toEqual([])
  })

  test('an order is found at once, and not once a carrier has it', async () => {
    await transaction(sql, async (tx) => {
      await tx`select pg_advisory_xact_lock(7233040, hashtext(${projectIdOf(shop.storeId)}) & 7)`
      const { id } = await order('Nour Benali', '0699112233')
      expect(await find('2233')).toEqual(['Nour Benali'])
      await sql`update orders set status = 'sent' where id = ${id}`
      expect(await find('2233')).toEqual([])
    })
    await drainChanges(context)
    expect(await find('2233')).toEqual([])
  })

  test('among many orders that wait, it reads the index of the ends of numbers', async () => {
    await sql`insert into order_search select (jsonb_populate_record(null::order_search, to_jsonb(s) || jsonb_build_object('project_id', 'prj_many', 'id', 'ord_' || n,
        'phone_end', reverse('+2135500' || lpad(n::text, 5, '0'))))).*
      from (select * from order_search where waiting_since is not null limit 1) s, generate_series(1, 2000) n`
    await sql`analyze order_search`
    const plans: Plan[] = []
    await findCallerOrders(explained(sql, plans), 'sto_many', '01234', 20)
    const read = plans.flatMap(nodes).filter((node) => node['Relation Name'] === 'order_search')
    expect(read.map((node) => node['Index Name']).toSorted()).toEqual(['order_search_phone', 'order_search_phone_alt'])
    expect(Math.max(...read.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))).toBe(1)
  })

  test('bad input, no credential, a viewer and strangers are refused', async () => {
    const status = async (phone: string, as?: string) =>
      (
        await call(
          'GET',
          `/v1/orders/confirmation/callers?${new URLSearchParams({ storeId: shop.storeId, phone })}`,
          as === undefined ? {} : { as },
        )
      ).status
    for (const phone of ['', '345', 'lina', '1'.repeat(21), '%%%%']) expect([phone, await status(phone, shop.key)]).toEqual([phone, 400])
    expect(await status('3456')).toBe(401)
    expect(await status('3456', (await member('viewer', null)).token)).toBe(403)
    expect(await status('3456', (await app.shop()).key)).toBe(404)
  })
})

describe('risk of a customer', () => {
  test('a customer is a risk once half of at least three deliveries came back', async () => {
    const phone = '0777000111'
    const orders: string[] = []
    for (let at = 0; at < 4; at += 1) orders.push((await order('Fatima Zohra', phone)).id)
    const read = async () => (await ok('GET', `/v1/stores/${shop.storeId}/customers?phone=${phone}`, { as: shop.key })).data[0]
    expect((await read()).risk).toEqual({ level: 'unknown', ended: 0, refused: 0, refusedShare: null })
    const set = (at: number, status: string) => sql`update orders set status = ${status} where id = ${orders[at] ?? ''}`
    await set(0, 'delivered')
    await set(1, 'returned')
    expect((await read()).risk).toEqual({ level: 'unknown', ended: 2, refused: 1, refusedShare: 0.5 })
    await set(2, 'delivered')
    expect((await read()).risk).toMatchObject({ level: 'low', ended: 3, refused: 1, refusedShare: 0.333 })
    await set(3, 'returning')
    const customer = await read()
    expect([customer.risk, customer.outcomes]).toEqual([
      { level: 'high', ended: 4, refused: 2, refusedShare: 0.5 },
      expect.objectContaining({ orders: 4, delivered: 2, returned: 1, returning: 1, open: 1 }),
    ])
  })
})
