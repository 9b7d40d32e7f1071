import { describe, expect, test } from 'bun:test'
import { sampleOrder } from '../../../adapters/connector/sandbox-shop/orders.ts'
import { hmacSha256 } from '../../../core/lib/crypto.ts'
import { workCallback } from '../../../core/sales/channels/callbacks.ts'
import { pullDue } from '../../../core/sales/channels/pull.ts'
import { subscribeAgain } from '../../../core/sales/channels/subscribe.ts'
import { shopOf, takeNews } from '../../../core/sales/channels/take.ts'
import { tellDue } from '../../../core/sales/channels/tell.ts'
import { connectionById } from '../../../core/shop/connections/connection.ts'
import type { ExternalOrder } from '../../../plugins/connector/index.ts'
import { type Shop, startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok, context } = app
const { sql } = context
const SECRET = 'secret-of-callbacks-0123456789'

interface Settings {
  readonly orders?: number
  readonly shop?: string
}

/** A store that is connected to a sandbox shop, and sells what that does. */
async function connected({ orders = 0, shop = 'one.example' }: Settings = {}) {
  const made: Shop = await app.shop()
  const { storeId, owner, key } = made
  const base = `/v1/stores/${storeId}/integrations/connectors`
  const body = { platform: 'sandbox-shop', name: shop, credentials: { webhookSecret: SECRET }, settings: { orders, shop, skus: 'B' } }
  const { data: connector } = await ok('POST', base, { as: owner.token, body })
  const product = await sells(made, { name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 })
  const at = `${base}/${connector.id}`
  const path = new URL(connector.webhookUrl).pathname
  /** News as the shop tells them. */
  const tell = (news: unknown, to = path, secret = SECRET) => {
    const raw = JSON.stringify(news)
    return call('POST', to, { raw, headers: { 'x-sandbox-signature': hmacSha256(secret, raw), 'x-sandbox-shop': shop } })
  }
  const told = async (...orders: ExternalOrder[]) => {
    for (const order of orders) expect((await tell({ order })).status).toBe(200)
    await worked()
  }
  const ours = async () => (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })).data
  const theirs = async (state = '') => (await ok('GET', `${at}/orders?limit=100${state && `&state=${state}`}`, { as: key })).data
  const pull = async (body?: object) => {
    await ok('POST', `${at}/pull`, { as: key, ...(body && { body }) })
    await until(async () => ['done', 'failed'].includes((await read()).pull.status))
    await worked()
    return (await read()).pull
  }
  const read = async () => (await ok('GET', base, { as: key })).data[0]
  return { ...made, base, at, path, connector, product, tell, told, ours, theirs, pull, read }
}

const sells = async ({ storeId, key }: Shop, product: object) =>
  (await ok('POST', '/v1/products', { as: key, body: { storeId, ...product } })).data

const until = async (isSo: () => Promise<boolean>) => {
  for (const end = Date.now() + 30_000; !(await isSo()); await Bun.sleep(20)) if (Date.now() > end) throw new Error('It never came to be.')
}
/** All that was told is worked, and what waits was tried again. */
const worked = () =>
  until(async () => {
    const [row] = await sql<{ left: number }[]>`select (select count(*) from channel_callbacks where worked_at is null)::int
      + (select count(*) from graphile_worker.jobs where task_identifier in ('channels.settle', 'channels.tell', 'channels.pull'))::int as left`
    return row?.left === 0
  })

let numbers = 0
const order = (change: Partial<ExternalOrder> = {}): ExternalOrder => {
  const at = '2026-11-20T10:00:00.000Z'
  const number = ++numbers
  return {
    externalId: `t-${number}`,
    number: `#${number}`,
    status: 'open',
    currency: 'DZD',
    customer: { name: 'Lina', phone: '0550 12 34 56' },
    address: { country: 'DZ', state: 'Alger', city: 'Bab Ezouar', address: '3 rue A' },
    items: [{ sku: 'B', name: 'Basket', quantity: 2, unitPrice: '2500' }],
    delivery: '400',
    total: '5100',
    updatedAt: at,
    ...change,
  }
}
const later = (one: ExternalOrder, minutes: number, change: Partial<ExternalOrder>): ExternalOrder => ({
  ...one,
  ...change,
  updatedAt: new Date(Date.parse(one.updatedAt) + minutes * 60_000).toISOString(),
})

describe('an order of the shop', () => {
  test('becomes one of ours at the prices of the shop, its place found in the catalogue', async () => {
    const shop = await connected()
    const one = order()
    await shop.told(one)
    const [made, ...others] = await shop.ours()
    expect(others).toEqual([])
    expect(made).toMatchObject({
      status: 'pending',
      customer: { name: 'Lina', phone: '+213550123456' },
      destination: { stateCode: '16', cityName: 'Bab Ezzouar' },
      items: [{ productId: shop.product.id, quantity: 2, unitPrice: 2500, total: 5000 }],
      totals: { subtotal: 5000, delivery: 400, discount: 300, total: 5100 },
      metadata: { channel: 'sandbox-shop', channelOrder: one.number },
    })
    expect(await shop.theirs()).toMatchObject([{ externalId: one.externalId, state: 'taken', orderId: made.id, why: null }])
  })

  test('is one, told twice, again, and out of order', async () => {
    const shop = await connected()
    const one = order()
    const changed = later(one, 5, { customer: { name: 'Lina B', phone: '0550123456' } })
    await Promise.all([one, changed, one, changed].map((each) => shop.tell({ order: each })))
    await worked()
    await shop.told(one)
    // As after a kill: what was worked is worked again.
    for (const { id } of await sql`select id from channel_callbacks where connection_id = ${shop.connector.id}`)
      await workCallback(context, id)
    expect(await shop.ours()).toMatchObject([{ customer: { name: 'Lina B' } }])
  })

  test('is followed while it is open: new goods, another address, called off, taken up again', async () => {
    const shop = await connected()
    const one = order()
    await shop.told(one)
    const [{ id }] = await shop.ours()
    await ok('PATCH', `/v1/orders/${id}`, { as: shop.key, body: { customer: { phone: '0660999999' } } })
    const more = later(one, 1, { items: [{ sku: 'B', name: 'Basket', quantity: 3, unitPrice: '2000' }], total: '6500' })
    const moved = later(more, 1, { address: { ...one.address, state: 'Oran', city: 'Bir El Djir' } })
    await shop.told(more, moved)
    const [now] = await shop.ours()
    // What a person corrected here stays; delivery elsewhere costs what the shop signed for.
    expect(now).toMatchObject({
      customer: { phone: '+213660999999' },
      items: [{ quantity: 3, unitPrice: 2000 }],
      totals: { delivery: 500, total: 6500 },
      destination: { stateCode: '31' },
    })
    await shop.told(later(moved, 1, { status: 'cancelled' }))
    expect((await shop.ours())[0].status).toBe('cancelled')
    await shop.told(later(moved, 2, { status: 'open' }))
    expect((await shop.ours())[0].status).toBe('pending')
    await shop.tell({ gone: one.externalId })
    await worked()
    expect((await shop.ours())[0].status).toBe('cancelled')
  })

  test('that a carrier has is not changed any more, and it is written down why', async () => {
    const shop = await connected()
    const one = order()
    await shop.told(one)
    const [{ id }] = await shop.ours()
    await ok('PUT', `/v1/stores/${shop.storeId}/integrations/sandbox`, {
      as: shop.owner.token,
      body: { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} },
    })
    await ok('POST', `/v1/stores/${shop.storeId}/orders/${id}/carriers/sandbox/send`, { as: shop.key })
    await shop.told(later(one, 1, { status: 'cancelled' }))
    expect((await shop.ours())[0].status).toBe('sent')
    expect(await shop.theirs()).toMatchObject([{ state: 'taken', why: 'not_followed', status: 'cancelled' }])
    expect((await shop.read()).orders).toEqual({ taken: 1, waiting: 0, notFollowed: 1 })
  })

  test.each(['returned', 'lost', 'cancelled'])('that is %s here may be called off there: it was told so', async (status) => {
    const shop = await connected()
    const one = order()
    await shop.told(one)
    await sql`update orders set status = ${status} where store_id = ${shop.storeId}`
    await shop.told(later(one, 1, { status: 'cancelled' }))
    expect(await shop.theirs()).toMatchObject([{ state: 'taken', why: null, status: 'cancelled' }])
    expect((await shop.ours())[0].status).toBe(status)
  })

  test.each([
    ['currency', { currency: 'EUR' }],
    ['phone', { customer: { name: 'Nobody' } }],
    ['refused', { customer: { name: 'Wrong', phone: '12' + '3' } }],
    ['goods', { items: [{ name: 'Something else', quantity: 1, unitPrice: '10' }], total: '10', delivery: '0' }],
  ] as const)('waits for a person: %s', async (why, change) => {
    const shop = await connected()
    await shop.told(order(change as Partial<ExternalOrder>))
    expect(await shop.ours()).toEqual([])
    expect(await shop.theirs('waiting')).toMatchObject([{ why, orderId: null }])
  })

  test('that was over before it came is none of ours', async () => {
    const shop = await connected()
    await shop.told(order({ status: 'fulfilled' }), order({ status: 'cancelled' }))
    expect([await shop.ours(), (await shop.theirs('over')).length]).toEqual([[], 2])
  })
})

describe('an order that was thrown away', () => {
  test('stays so, whatever is told late of how it was; and is one of ours again where it was taken up after that', async () => {
    const shop = await connected()
    const [known, unknown] = [order(), order()]
    const changed = later(known, 5, { customer: { name: 'Lina B', phone: '0550123456' } })
    await shop.told(known)
    for (const { externalId } of [known, unknown]) expect((await shop.tell({ gone: externalId })).status).toBe(200)
    await worked()
    await shop.told(changed, unknown)
    expect(await shop.ours()).toMatchObject([{ status: 'cancelled', customer: { name: 'Lina' } }])
    expect(await shop.theirs('over')).toMatchObject([{ externalId: unknown.externalId, status: 'cancelled', items: [] }])
    await shop.told({ ...unknown, updatedAt: new Date().toISOString() })
    expect((await shop.ours()).map(({ status }: { status: string }) => status).sort()).toEqual(['cancelled', 'pending'])
  })

  test('and that a reading does not find, having never been told, may come later', async () => {
    const shop = await connected()
    const one = order()
    const there = await shopOf(context, await connectionById(context, 'connector', shop.connector.id))
    expect(await takeNews(context, there!, { gone: one.externalId })).toBe('same')
    await shop.told(one)
    expect(await shop.ours()).toHaveLength(1)
  })
})

describe('goods', () => {
  test('are found by name, whatever its accents; and by the name of a version', async () => {
    const shop = await connected()
    await sells(shop, { name: 'Crème hydratante', sku: 'C', price: 100 })
    await shop.told(
      order({ items: [{ sku: 'OTHER', name: 'CREME  Hydratante', quantity: 1, unitPrice: '90' }], total: '90', delivery: '0' }),
    )
    expect(await shop.ours()).toMatchObject([{ items: [{ sku: 'C', unitPrice: 90 }] }])
  })

  test('that nobody knows are matched once, for all that wait and all to come', async () => {
    const shop = await connected()
    const strange = { items: [{ sku: 'X-9', name: 'Panier', quantity: 1, unitPrice: '1000' }], total: '1000', delivery: '0' }
    await shop.told(order(strange), order(strange))
    const { data: goods } = await ok('GET', `${shop.at}/inbox`, { as: shop.key })
    expect(goods).toMatchObject([{ sku: 'X-9', name: 'Panier', waiting: 2 }])
    const match = (productId: string) => call('POST', `${shop.at}/inbox/${goods[0].id}/match`, { as: shop.key, body: { productId } })
    expect((await match('prd_nobody')).status).toBe(400)
    const other = await sells(shop, { name: 'Other', sku: 'O', price: 5 })
    const answers = await Promise.all([match(shop.product.id), match(shop.product.id), shop.tell({ order: order(strange) })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await match(other.id)).status).toBe(409)
    await shop.told(order(strange))
    expect((await shop.ours()).map(({ items }: { items: { productId: string }[] }) => items[0]?.productId)).toEqual(
      Array.from({ length: 4 }, () => shop.product.id),
    )
    expect((await ok('GET', `${shop.at}/inbox`, { as: shop.key })).data).toEqual([])
  })
})

describe('a callback', () => {
  test('without its proof is nothing, whatever it names', async () => {
    const shop = await connected({ shop: 'proof.example' })
    const all = '/v1/integrations/connectors/sandbox-shop/webhook'
    const own = `/v1/stores/${shop.storeId}/integrations/sandbox-shop/webhook`
    for (const to of [shop.path, all, own]) expect([to, (await shop.tell({ order: order() }, to, 'wrong')).status]).toEqual([to, 401])
    const other = await connected({ shop: 'other.example' })
    const foreign = shop.path.replace(shop.connector.id, other.connector.id)
    expect((await shop.tell({ order: order() }, foreign)).status).toBe(404)
    for (const to of [all, own]) expect([to, (await shop.tell({ order: order() }, to)).status]).toEqual([to, 200])
    await worked()
    expect((await shop.ours()).length).toBe(2)
    expect(await other.ours()).toEqual([])
    const [row] = await sql`select headers from channel_callbacks order by id limit 1`
    expect(Object.keys(row?.headers)).not.toContain('authorization')
  })
})

describe('what became of an order', () => {
  test('is told to the shop, each change once, with the number of its parcel', async () => {
    const shop = await connected()
    await shop.told(order())
    const [{ id }] = await shop.ours()
    const pushed = async () =>
      (await sql`select value from adapter_memory where connection_id = ${shop.connector.id} and key like 'pushed:%'`)[0]?.value
    const tellAll = async () => {
      await tellDue(context)
      await worked()
    }
    await tellAll()
    expect(await pushed()).toBeUndefined()
    await ok('PATCH', `/v1/orders/${id}`, { as: shop.key, body: { status: 'confirmed' } })
    await tellAll()
    expect(await pushed()).toEqual({ status: 'confirmed' })
    await ok('PUT', `/v1/stores/${shop.storeId}/integrations/sandbox`, {
      as: shop.owner.token,
      body: { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} },
    })
    await ok('POST', `/v1/stores/${shop.storeId}/orders/${id}/carriers/sandbox/send`, { as: shop.key })
    await tellAll()
    expect(await pushed()).toEqual({ status: 'sent', carrier: 'sandbox', trackingId: expect.any(String) })
    await sql`update adapter_memory set value = '{}' where connection_id = ${shop.connector.id} and key like 'pushed:%'`
    await tellAll()
    expect(await pushed()).toEqual({})
  })
})

describe('a connector', () => {
  test('shows how far it is, reads on from where it ended, and is forgotten', async () => {
    const shop = await connected({ orders: 120 })
    // What was there before it was connected is not brought over unasked.
    await pullDue(context)
    await until(async () => (await shop.read()).pull.status === 'done')
    expect(await shop.ours()).toEqual([])
    expect(await shop.pull({ since: '2026-01-01T00:00:00Z' })).toMatchObject({ status: 'done', seen: 120, changed: 120, total: 120 })
    expect(await shop.pull({ since: '2026-01-01T00:00:00Z' })).toMatchObject({ seen: 120, changed: 0 })
    const { data } = await ok('POST', `${shop.at}/webhooks`, { as: shop.owner.token })
    expect(data.webhooks).toMatchObject({ subscribedAt: expect.any(String), message: null })
    const note = async () => [
      ...(await sql`select value from adapter_memory where connection_id = ${shop.connector.id} and key = 'subscription'`),
    ]
    await sql`update adapter_memory set value = value || '{"isOn": false}' where connection_id = ${shop.connector.id} and key = 'subscription'`
    await subscribeAgain(context, shop.connector.id)
    expect(await note()).toMatchObject([{ value: { isOn: true, address: data.webhookUrl } }])
    await ok('DELETE', shop.at, { as: shop.owner.token })
    expect([await note(), (await call('POST', `${shop.at}/pull`, { as: shop.key })).status]).toEqual([[], 404])
    expect((await shop.tell({ order: order() })).status).toBe(404)
  })

  test('reads on from where it stopped when nobody was let in, and from where the last reading ended when the shop said no', async () => {
    const shop = await connected({ orders: 120 })
    const stopped = (since: string | null) =>
      sql`update channels set pull_status = 'failed', pull_since = ${since}, pull_cursor = null where connection_id = ${shop.connector.id}`
    await shop.pull()
    await stopped('2026-01-01T00:00:00Z')
    expect(await shop.pull()).toMatchObject({ status: 'done', since: '2026-01-01T00:00:00.000Z', changed: 120 })
    await stopped(null)
    expect(await shop.pull()).toMatchObject({ status: 'done', seen: 0 })
  })

  test('is of its store alone', async () => {
    const [one, other] = [await connected(), await connected()]
    const foreign = `${other.base}/${one.connector.id}`
    for (const [method, path] of [
      ['POST', `${foreign}/pull`],
      ['GET', `${foreign}/inbox`],
      ['GET', `${foreign}/orders`],
      ['DELETE', foreign],
    ] as const)
      expect([path, (await call(method, path, { as: other.owner.token })).status]).toEqual([path, 404])
    expect((await call('GET', `${other.base}/sandbox-shop/install-url?shop=a.example`, { as: other.owner.token })).status).toBe(404)
    expect((await call('GET', '/v1/integrations/connectors/mobile-result?outcome=denied')).body).toContain('Permission was not given')
  })
})

/** The same for the same seed. */
function dice(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

test('300 orders, told twice, out of order, by callbacks and by readings at once: each is one of ours, as it was told last', async () => {
  const shop = await connected({ orders: 300 })
  const chance = dice(20261123)
  const settings = { shop: '', orders: 300, skus: 'B', currency: 'DZD' }
  const last = new Map<string, ExternalOrder>()
  const news: ExternalOrder[] = []
  for (let number = 1; number <= 300; number += 1) {
    const first = sampleOrder({ settings }, number)
    const newest = chance() < 0.2 ? later(first, 1, { note: `Changed ${number}` }) : first
    last.set(first.externalId, newest)
    const told = newest === first ? [first] : chance() < 0.1 ? [newest, first] : [first, newest]
    news.push(...told, ...(chance() < 0.05 ? told : []))
  }
  const pulling = shop.pull({ since: '2026-01-01T00:00:00Z' })
  const batches = Array.from({ length: Math.ceil(news.length / 20) }, (_, at) => news.slice(at * 20, at * 20 + 20))
  await Promise.all(batches.map((batch) => shop.tell(batch.map((each) => ({ order: each })))))
  await pulling
  await worked()
  await shop.pull({ since: '2026-01-01T00:00:00Z' })
  const rows = await sql`select o.metadata, o.note, o.total from orders o where o.store_id = ${shop.storeId}`
  expect(rows.length).toBe(300)
  const numbersOf = rows.map(({ metadata }) => metadata.channelOrder)
  expect(new Set(numbersOf).size).toBe(300)
  const notes = new Map(rows.map(({ metadata, note, total }) => [metadata.channelOrder, [note, Number(total)]]))
  for (const one of last.values()) expect([one.number, notes.get(one.number)]).toEqual([one.number, [one.note ?? '', Number(one.total)]])
  expect(await shop.read()).toMatchObject({ orders: { taken: 300, waiting: 0, notFollowed: 0 }, pull: { status: 'done', changed: 0 } })
}, 120_000)
