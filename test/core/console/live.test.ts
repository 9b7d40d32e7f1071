import { afterAll, describe, expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { type AuditEntry, recordAudit } from '../../../core/platform/audit/record-audit.ts'
import { serve } from '../../../core/serve.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { external } from '../../support/database.ts'
import { type LiveClient, openLiveClient } from '../../support/live.ts'
import { until } from '../../support/until.ts'

const app = await startApp({}, { socket: true })
const first = await app.person('The administrator')
const shop = await app.shop()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const clients: LiveClient[] = []
afterAll(() => {
  for (const client of clients) client.leave()
})

async function listen(token: string, storeId = shop.storeId) {
  const client = await openLiveClient(app.origin, storeId, bearer(token))
  clients.push(client)
  return client
}

let phones = 0
const products = new Map<string, string>()

async function productOf({ owner, storeId }: Shop): Promise<string> {
  const known = products.get(storeId)
  if (known) return known
  const { data } = await app.ok('POST', '/v1/products', { as: owner.token, body: { storeId, name: 'Basket', price: 3500 } })
  products.set(storeId, data.id)
  return data.id
}

const newOrder = async (of: Shop) => ({
  storeId: of.storeId,
  customer: { name: 'Amina Benali', phone: `0550${String(++phones).padStart(6, '0')}` },
  destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
  items: [{ productId: await productOf(of), quantity: 1 }],
})

const order = async (of = shop): Promise<string> =>
  (await app.ok('POST', '/v1/orders', { as: of.owner.token, body: await newOrder(of) })).data.id

async function member(permissions: readonly string[] | null = null, role = 'agent') {
  const person = await app.person('Agent')
  await app.ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.owner.token, body: { email: person.email, role, permissions } })
  return person
}

const removeMember = (id: string) => app.ok('DELETE', `/v1/stores/${shop.storeId}/members/${id}`, { as: shop.owner.token })

await productOf(shop)

describe('live: hints', () => {
  test('a change is told within 5 s of its answer, and holds no data', async () => {
    const client = await listen(shop.owner.token)
    const id = await order()
    const answered = performance.now()
    const hint = await until(() => client.events.find(({ event, data }) => event === 'hint' && data.id === id))
    expect(hint.at - answered).toBeLessThan(5_000)
    expect(hint.data).toEqual({ topic: 'order', id })
    client.leave()
  })

  test.skipIf(!external.redisUrl)('a change of another process is told too', async () => {
    const { connection } = app.context.database as unknown as { connection: Parameters<typeof serve>[1]['connection'] }
    const other = await serve({ ...app.context.config, port: 0 }, { socket: false, ...(connection && { connection }) })
    afterAll(() => other.stop())
    const client = await listen(shop.owner.token)
    const response = await other.handle(
      new Request('http://localhost/v1/orders', {
        method: 'POST',
        headers: { ...bearer(shop.owner.token), 'content-type': 'application/json' },
        body: JSON.stringify(await newOrder(shop)),
      }),
    )
    const { data } = (await response.json()) as { data: { id: string } }
    await until(() => client.hints().includes(`order ${data.id}`), 5_000)
    client.leave()
  })

  test('nothing is told of a transaction that is rolled back', async () => {
    const client = await listen(shop.owner.token)
    const entry = { what: 'order.changed', thing: 'ord_undone', after: { fields: ['notes'] } } as const
    const undone = transaction(app.context.sql, async (tx) => {
      await recordAudit(tx, { storeId: shop.storeId }, entry)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await transaction(app.context.sql, (tx) => recordAudit(tx, { storeId: shop.storeId }, { ...entry, thing: 'ord_done' }))
    await until(() => client.hints().includes('order ord_done'))
    expect(client.hints()).not.toContain('order ord_undone')
    client.leave()
  })

  test("another store's changes are never told", async () => {
    const [client, stranger] = [await listen(shop.owner.token), await app.shop()]
    const foreign = await order(stranger)
    const own = await order()
    await until(() => client.hints().includes(`order ${own}`))
    expect(JSON.stringify(client.events)).not.toContain(foreign)
    client.leave()
  })

  test('a member hears only of what they may read', async () => {
    const packer = await member(['parcels:read', 'parcels:write'])
    const [mine, owners] = [await listen(packer.token), await listen(shop.owner.token)]
    const id = await order()
    await until(() => owners.hints().includes(`order ${id}`))
    expect(mine.hints()).toEqual([])
    mine.leave()
    owners.leave()
  })

  test('payouts are told to members who may read cash, and to no others', async () => {
    const accountant = await listen((await member(['cash:read'])).token)
    const cashier = await listen((await member(['orders:read', 'parcels:read'])).token)
    const record = (entry: AuditEntry) => transaction(app.context.sql, (tx) => recordAudit(tx, { storeId: shop.storeId }, entry))
    await record({ what: 'payout_line.accepted', thing: 'pol_1', after: { outcome: 'paid' } })
    await record({ what: 'order.changed', thing: 'ord_after', after: { fields: ['notes'] } })
    await until(() => accountant.hints().length > 0 && cashier.hints().length > 0)
    expect(accountant.hints()).toEqual(['cash pol_1'])
    expect(cashier.hints()).toEqual(['order ord_after'])
    accountant.leave()
    cashier.leave()
  })

  test('a leased call, a product and a notification of the user are told', async () => {
    const admin = await app.person('Admin of the platform')
    await app.context.sql`update users set is_admin = true where id = ${admin.id}`
    const client = await listen(shop.owner.token)
    await order()
    const { data: call } = await app.ok('POST', '/v1/orders/confirmation/next', { as: shop.owner.token, body: { storeId: shop.storeId } })
    await until(() => client.hints().includes(`confirmation ${call.order.id}`))
    const product = { storeId: shop.storeId, name: 'Lamp', price: 3500 }
    const { data } = await app.ok('POST', '/v1/products', { as: shop.owner.token, body: product })
    await until(() => client.hints().includes(`product ${data.id}`))
    const body = { userIds: [shop.owner.id], title: 'Hello', message: 'You' }
    await app.ok('POST', '/v1/admins/send-notification', { as: admin.token, body })
    await until(() => client.hints().includes('notification null'))
    client.leave()
  })
})

describe('live: access', () => {
  test('it needs a session of a member', async () => {
    const stranger = await app.person()
    expect((await openLiveClient(app.origin, shop.storeId, {})).status).toBe(401)
    expect((await openLiveClient(app.origin, shop.storeId, bearer('st_unknown'))).status).toBe(401)
    expect((await openLiveClient(app.origin, shop.storeId, bearer(shop.key))).status).toBe(403)
    expect((await openLiveClient(app.origin, shop.storeId, bearer(stranger.token))).status).toBe(404)
    expect((await openLiveClient(app.origin, 'sto_unknown', bearer(stranger.token))).status).toBe(404)
  })

  test('the cookie of the console counts', async () => {
    const person = await member()
    const answer = await app.call('POST', '/console/session', {
      headers: { 'x-serai-console': '1', origin: app.origin },
      body: { isOwnDevice: true, password: { email: person.email, password: 'correct horse' } },
    })
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const client = await openLiveClient(app.origin, shop.storeId, { cookie })
    expect(client.status).toBe(200)
    await app.ok('DELETE', '/console/session', { headers: { cookie, 'x-serai-console': '1', origin: app.origin } })
    expect(await client.closed()).toBe('access_changed')
  })

  test('it ends when the member is removed, and nothing is told after it', async () => {
    const person = await member()
    const client = await listen(person.token)
    await removeMember(person.id)
    expect(await client.closed()).toBe('access_changed')
    const told = client.events.length
    await order()
    expect(client.events).toHaveLength(told)
    expect((await listen(person.token)).status).toBe(404)
  })

  test("it ends when the member's permissions change, and other streams continue", async () => {
    const [person, other] = [await member(), await member()]
    const [client, others] = [await listen(person.token), await listen(other.token)]
    const body = { role: 'agent', permissions: ['orders:read'] }
    await app.ok('PUT', `/v1/stores/${shop.storeId}/members/${person.id}`, { as: shop.owner.token, body })
    expect(await client.closed()).toBe('access_changed')
    expect(others.hasEnded()).toBe(false)
    others.leave()
  })

  test('it ends when the user is no longer an administrator of the platform', async () => {
    const admin = await app.person('Second administrator')
    await app.context.sql`update users set email_verified = true where id = ${admin.id}`
    await app.ok('POST', '/v1/admins', { as: first.token, body: { email: admin.email } })
    const client = await listen(admin.token)
    await app.ok('DELETE', `/v1/admins/${admin.id}`, { as: first.token })
    expect(await client.closed()).toBe('access_changed')
    expect((await listen(admin.token)).status).toBe(404)
  })

  test('it ends when the session is signed out', async () => {
    const person = await member()
    const client = await listen(person.token)
    await app.ok('POST', '/v1/users/auth/signout', { as: person.token })
    expect(await client.closed()).toBe('access_changed')
  })

  test('a HEAD is answered at once, with the same refusals', async () => {
    const head = (token: string) => fetch(`${app.origin}/v1/stores/${shop.storeId}/live`, { method: 'HEAD', headers: bearer(token) })
    const { status, headers } = await head(shop.owner.token)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect((await head((await app.person()).token)).status).toBe(404)
  })
})

describe('live: bounds', () => {
  test('a user has at most 10 open streams, and room again after leaving one', async () => {
    const person = await member()
    const open = await Promise.all(Array.from({ length: 10 }, () => listen(person.token)))
    expect(open.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await openLiveClient(app.origin, shop.storeId, bearer(person.token))).status).toBe(429)
    open[0]?.leave()
    await until(async () => (await listen(person.token)).status === 200, 5_000)
    for (const client of clients) client.leave()
  })

  test('100 listeners and 60 changes at once: each hears of all, in few pieces', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => member()))
    const all = (await Promise.all(people.map(({ token }) => Promise.all(Array.from({ length: 10 }, () => listen(token)))))).flat()
    expect(all.map(({ status }) => status)).toEqual(Array(100).fill(200))
    const ids = await Promise.all(Array.from({ length: 60 }, () => order()))
    await until(() =>
      all.every((client) => ids.every((id) => client.hints().includes(`order ${id}`)) || client.hints().includes('order null')),
    )
    for (const client of all) {
      const hints = client.hints().filter((hint) => hint.startsWith('order'))
      // A window of 200 ms names an order once, whatever happened to it.
      expect(hints.length).toBeLessThanOrEqual(ids.length * 2)
      client.leave()
    }
  }, 60_000)
})

test('live: a process that stops ends its streams at once and says so', async () => {
  const stopping = await startApp({}, { socket: true })
  const { owner, storeId } = await stopping.shop()
  const client = await openLiveClient(stopping.origin, storeId, bearer(owner.token))
  const began = performance.now()
  await stopping.stop()
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(await client.closed()).toBe('shutdown')
})
