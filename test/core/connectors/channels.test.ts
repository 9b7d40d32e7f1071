import { describe, expect, test } from 'bun:test'
import { sampleOrder } from '../../../adapters/connector/sandbox-shop/orders.ts'
import { processWebhook } from '../../../core/connectors/shops/inbox/process-webhook.ts'
import { retryUnprocessedWebhooks } from '../../../core/connectors/shops/inbox/replay.ts'
import { renewWebhooks, requestStaleWebhookRenewals } from '../../../core/connectors/shops/install/register-webhooks.ts'
import { requestDuePulls } from '../../../core/connectors/shops/orders/pull-orders.ts'
import { applyShopChange, findShop } from '../../../core/connectors/shops/orders/upsert-order.ts'
import { requestDueStatusPushes } from '../../../core/connectors/shops/stock/push-status.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { openNamedConnection } from '../../../core/integrations/connections/connection.ts'
import { hmacSha256 } from '../../../core/lib/crypto/crypto.ts'
import type { ExternalOrder } from '../../../plugins/connector/index.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { often } from '../../support/thorough.ts'
import { until } from '../../support/until.ts'

const app = await startApp()
const { call, ok, context } = app
const { sql } = context
const SECRET = 'secret-of-callbacks-0123456789'

interface Settings {
  readonly orders?: number
  readonly shop?: string
  /** The store, where it is not a new one. */
  readonly made?: Shop
  readonly name?: string | null
}

/** A store that is connected to a sandbox shop, and sells what that does. */
async function connected({ orders = 0, shop = 'one.example', made: standing, name = shop }: Settings = {}) {
  const made: Shop = standing ?? (await app.shop())
  const { storeId, owner, key } = made
  const base = `/v1/stores/${storeId}/integrations/connectors`
  const settings = { orders, shop, skus: 'B' }
  const body = { platform: 'sandbox-shop', ...(name !== null && { name }), credentials: { webhookSecret: SECRET }, settings }
  const { data: connector } = await ok('POST', base, { as: owner.token, body })
  const product = standing ? undefined : await sells(made, { name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 })
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
  const read = async () => (await ok('GET', base, { as: key })).data.find(({ id }: { id: string }) => id === connector.id)
  return { ...made, base, at, path, connector, product, tell, told, ours, theirs, pull, read }
}

const sells = async ({ storeId, key }: Shop, product: object) =>
  (await ok('POST', '/v1/products', { as: key, body: { storeId, ...product } })).data

/** All that was told is worked, and what waits was tried again. */
const worked = () =>
  until(async () => {
    const [row] = await sql<{ left: number }[]>`select (select count(*) from connector_callbacks where worked_at is null)::int
      + (select count(*) from graphile_worker.jobs where task_identifier in ('connectors.importPending', 'connectors.pushStatus', 'connectors.pull'))::int as left`
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
    for (const { id } of await sql`select id from connector_callbacks where connection_id = ${shop.connector.id}`)
      await processWebhook(context, id)
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
    await sql`update orders set status = ${status} where project_id = ${projectIdOf(shop.storeId)}`
    await shop.told(later(one, 1, { status: 'cancelled' }))
    expect(await shop.theirs()).toMatchObject([{ state: 'taken', why: null, status: 'cancelled' }])
    expect((await shop.ours())[0].status).toBe(status)
  })

  test.each([
    ['currency', { currency: 'EUR' }],
    ['phone', { customer: { name: 'Nobody' } }],
    ['phone', { customer: { name: 'Wrong', phone: '12' + '3' } }],
    ['phone', { customer: { name: 'Short', phone: '055012345' } }],
    ['stock', { items: [{ sku: 'B', name: 'Basket', quantity: 100_000, unitPrice: '1' }], total: '100000', delivery: '0' }],
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

  test('that a poll does not find and was never imported may come later', async () => {
    const shop = await connected()
    const one = order()
    const there = await findShop(context, await openNamedConnection(context, 'connector', shop.connector.id))
    expect(await applyShopChange(context, there!, { gone: one.externalId })).toBe('same')
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

  test('that nobody knows are matched, for all that wait and all to come', async () => {
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
    await shop.told(order(strange))
    expect((await shop.ours()).map(({ items }: { items: { productId: string }[] }) => items[0]?.productId)).toEqual(
      Array.from({ length: 4 }, () => shop.product.id),
    )
    expect((await ok('GET', `${shop.at}/inbox`, { as: shop.key })).data).toEqual([])
    // What was a mistake is said anew.
    const matched = () => ok('GET', `${shop.at}/inbox?state=matched`, { as: shop.key })
    expect((await matched()).data).toMatchObject([{ id: goods[0].id, productId: shop.product.id, variantId: null }])
    expect((await match(other.id)).status).toBe(200)
    await shop.told(order(strange))
    expect((await shop.ours())[0].items).toMatchObject([{ productId: other.id }])
    expect((await matched()).data).toMatchObject([{ productId: other.id }])
  })

  test('are unknown again once what they were matched with is not on sale any more, or has other versions', async () => {
    const shop = await connected()
    const [gone, instead] = [
      await sells(shop, { name: 'Old', price: 5, initialStock: 9 }),
      await sells(shop, { name: 'New', price: 5, initialStock: 9 }),
    ]
    const strange = { items: [{ sku: 'X-9', name: 'Panier', quantity: 1, unitPrice: '1000' }], total: '1000', delivery: '0' }
    await shop.told(order(strange))
    const inbox = async () => (await ok('GET', `${shop.at}/inbox`, { as: shop.key })).data
    const [{ id }] = await inbox()
    const match = (body: object) => ok('POST', `${shop.at}/inbox/${id}/match`, { as: shop.key, body })
    await match({ productId: gone.id })
    await worked()
    expect(await inbox()).toEqual([])
    await ok('DELETE', `/v1/products/${gone.id}`, { as: shop.key })
    await shop.told(order(strange))
    expect(await shop.theirs('waiting')).toMatchObject([{ why: 'goods' }])
    expect(await inbox()).toMatchObject([{ id, productId: gone.id, waiting: 1 }])
    await match({ productId: instead.id })
    await worked()
    expect((await shop.ours())[0].items).toMatchObject([{ productId: instead.id }])
    await ok('PATCH', `/v1/products/${instead.id}`, {
      as: shop.key,
      body: { variants: [{ name: 'Red', options: { color: 'Red' } }] },
    })
    expect(await inbox()).toMatchObject([{ id, productId: instead.id }])
  })

  test('of several versions and one sku are each the version that they are', async () => {
    const shop = await connected()
    const versions = ['Red', 'Blue'].map((name) => ({ name, options: { color: name }, initialStock: 50 }))
    const shirt = await sells(shop, { name: 'Shirt', sku: 'SH', price: 1000, variants: versions })
    const line = (sku: string, variant?: string) => ({ sku, name: 'Any', quantity: 1, unitPrice: '1000', ...(variant && { variant }) })
    const sold = (...items: ReturnType<typeof line>[]) => order({ items, total: String(items.length * 1000), delivery: '0' })
    const [red, blue] = shirt.variants.map(({ id }: { id: string }) => id)
    await shop.told(sold(line('SH', 'Red'), line('SH', 'Blue')))
    expect((await shop.ours())[0].items).toMatchObject([{ variantId: red }, { variantId: blue }])

    await shop.told(sold(line('EO-7', 'Rouge')))
    const inbox = async () => (await ok('GET', `${shop.at}/inbox`, { as: shop.key })).data
    const match = (id: string, variantId: string) =>
      ok('POST', `${shop.at}/inbox/${id}/match`, { as: shop.key, body: { productId: shirt.id, variantId } })
    await match((await inbox())[0].id, red)
    await worked()
    await shop.told(sold(line('EO-7', 'Bleu')), sold(line('EO-7', 'ROUGE')))
    expect(await inbox()).toMatchObject([{ sku: 'EO-7', variant: 'Bleu', waiting: 1 }])
    expect(await shop.ours()).toMatchObject([{ items: [{ variantId: red }] }, { items: [{ variantId: red }] }, {}])

    // As it was written down when one sku was one thing.
    await shop.told(sold(line('EO-8', 'Rouge')), sold(line('EO-9')))
    await sql`update connector_goods set key = 's:' || sku, product_id = ${shirt.id}, variant_id = ${red} where sku in ('EO-8', 'EO-9')`
    await shop.told(sold(line('EO-8', 'Rouge')), sold(line('EO-8', 'Bleu')), sold(line('EO-9')))
    const made = (await shop.ours()).slice(0, 4).map(({ items }: { items: { variantId: string }[] }) => items[0]?.variantId)
    expect(made).toEqual([red, red, red, red])
    expect(await inbox()).toMatchObject([
      { sku: 'EO-8', variant: 'Bleu' },
      { sku: 'EO-7', variant: 'Bleu' },
    ])
  })
})

describe('a shop', () => {
  test('takes no other one’s place: by what it is called, or by what is said of a connection that has orders', async () => {
    const one = await connected({ shop: 'a.example', name: null })
    const told = order({ externalId: '1001', customer: { name: 'Of A', phone: '0550111111' } })
    await one.told(told)
    const other = await connected({ made: one, shop: 'b.example', name: null })
    expect([one.connector.name, other.connector.name, other.connector.id === one.connector.id]).toEqual(['a.example', 'b.example', false])
    await other.told(later(told, 5, { customer: { name: 'Of B', phone: '0660222222' } }))
    expect((await one.ours()).map(({ customer }: { customer: { name: string } }) => customer.name)).toEqual(['Of B', 'Of A'])
    const settings = { shop: 'c.example' }
    const change = (method: string, body: object, to = one) =>
      call(method, `/v1/stores/${one.storeId}/integrations/sandbox-shop?connection=${to.connector.id}`, { as: one.owner.token, body })
    const renamed = { platform: 'sandbox-shop', name: 'a.example', credentials: {}, settings }
    const answers = [
      await change('PATCH', { settings }),
      await change('PUT', { enabled: true, credentials: {}, settings }),
      await change('PUT', { enabled: true, credentials: {} }),
      await call('POST', one.base, { as: one.owner.token, body: renamed }),
    ]
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(answers.map(() => [409, 'conflict']))
    expect((await change('PATCH', { settings: { orders: 5 } })).status).toBe(200)
    // Nobody has lost anything yet.
    const empty = await connected({ made: one, shop: 'd.example' })
    expect((await change('PATCH', { settings: { shop: 'e.example' } }, empty)).status).toBe(200)
  })

  test('is connected to a store once, whatever it is called, and by two at once', async () => {
    const one = await connected({ name: null })
    const again = await connected({ made: one, name: null })
    expect(again.connector.id).toBe(one.connector.id)
    const body = (name: string, shop: string) => ({ platform: 'sandbox-shop', name, credentials: {}, settings: { shop } })
    const connect = (name: string, shop = 'one.example') => call('POST', one.base, { as: one.owner.token, body: body(name, shop) })
    expect((await connect('another')).status).toBe(409)
    const raced = await Promise.all(['x', 'y', 'z'].map((name) => connect(name, 'two.example')))
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await connected()).connector.id).not.toBe(one.connector.id)
  })

  test('that was forgotten and is connected again knows its orders, and what its goods are', async () => {
    const first = await connected()
    const strange = order({ items: [{ sku: 'X-9', name: 'Panier', quantity: 1, unitPrice: '1000' }], total: '1000', delivery: '0' })
    const [one, another] = [order({ externalId: '2001' }), order()]
    await first.told(one, strange)
    const [goods] = (await ok('GET', `${first.at}/inbox`, { as: first.key })).data
    await ok('POST', `${first.at}/inbox/${goods.id}/match`, { as: first.key, body: { productId: first.product.id } })
    await worked()
    await ok('DELETE', first.at, { as: first.owner.token })
    const second = await connected({ made: first, name: 'called otherwise' })
    expect(second.connector.id).not.toBe(first.connector.id)
    await second.told(later(one, 5, { note: 'Call before' }), another, { ...strange, externalId: 'x-2' })
    expect(await second.theirs()).toHaveLength(4)
    expect((await second.ours()).map(({ note }: { note: string }) => note).sort()).toEqual(['', '', '', 'Call before'])
    // Two of one that were made before that was so.
    await ok('DELETE', second.at, { as: first.owner.token })
    await sql`insert into connector_orders (project_id, connection_id, external_id, id, number, state, told, told_at)
      select project_id, ${first.connector.id}, external_id, 'cor_of_before', number, 'waiting', told, told_at from connector_orders
      where external_id = '2001' and connection_id = ${second.connector.id}`
    const third = await connected({ made: first, name: null })
    expect(await third.theirs()).toHaveLength(4)
    expect((await connected({ made: first, shop: 'two.example' }).then(({ theirs }) => theirs())).length).toBe(0)
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
    const [row] = await sql`select headers from connector_callbacks order by id limit 1`
    expect(Object.keys(row?.headers)).not.toContain('authorization')
  })
})

describe('the status of an order', () => {
  test('is pushed to the shop once per change, with the tracking number', async () => {
    const shop = await connected()
    await shop.told(order())
    const [{ id }] = await shop.ours()
    const pushed = async () =>
      (await sql`select value from adapter_storage where connection_id = ${shop.connector.id} and key like 'pushed:%'`)[0]?.value
    const tellAll = async () => {
      await requestDueStatusPushes(context)
      await worked()
    }
    await tellAll()
    expect(await pushed()).toBeUndefined()
    await ok('PATCH', `/v1/orders/${id}`, { as: shop.key, body: { status: 'confirmed' } })
    await tellAll()
    expect(await pushed()).toEqual({ status: 'confirmed', told: ['confirmed'] })
    await ok('PUT', `/v1/stores/${shop.storeId}/integrations/sandbox`, {
      as: shop.owner.token,
      body: { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} },
    })
    await ok('POST', `/v1/stores/${shop.storeId}/orders/${id}/carriers/sandbox/send`, { as: shop.key })
    await tellAll()
    expect(await pushed()).toEqual({ status: 'sent', carrier: 'sandbox', trackingId: expect.any(String), told: ['confirmed', 'sent'] })
    await sql`update adapter_storage set value = '{}' where connection_id = ${shop.connector.id} and key like 'pushed:%'`
    await tellAll()
    expect(await pushed()).toEqual({})
  })
})

describe('a connector', () => {
  test('shows how far it is, reads on from where it ended, and is forgotten', async () => {
    const shop = await connected({ orders: 120 })
    // What was there before it was connected is not brought over unasked.
    await requestDuePulls(context)
    await until(async () => (await shop.read()).pull.status === 'done')
    expect(await shop.ours()).toEqual([])
    expect(await shop.pull({ since: '2026-01-01T00:00:00Z' })).toMatchObject({ status: 'done', seen: 120, changed: 120, total: 120 })
    expect(await shop.pull({ since: '2026-01-01T00:00:00Z' })).toMatchObject({ seen: 120, changed: 0 })
    const { data } = await ok('POST', `${shop.at}/webhooks`, { as: shop.owner.token })
    expect(data.webhooks).toMatchObject({ subscribedAt: expect.any(String), message: null })
    const note = async () => [
      ...(await sql`select value from adapter_storage where connection_id = ${shop.connector.id} and key = 'subscription'`),
    ]
    await sql`update adapter_storage set value = value || '{"isOn": false}' where connection_id = ${shop.connector.id} and key = 'subscription'`
    await renewWebhooks(context, shop.connector.id)
    expect(await note()).toMatchObject([{ value: { isOn: true, address: data.webhookUrl } }])
    await ok('DELETE', shop.at, { as: shop.owner.token })
    expect([await note(), (await call('POST', `${shop.at}/pull`, { as: shop.key })).status]).toEqual([[], 404])
    expect((await shop.tell({ order: order() })).status).toBe(404)
  })

  test('is told to call no more, whichever way it is forgotten, and also where its store goes', async () => {
    const note = async ({ connector: { id } }: { connector: { id: string } }) =>
      (await sql`select 1 from adapter_storage where connection_id = ${id} and key = 'subscription'`).length
    const shops = [await connected(), await connected(), await connected()] as const
    for (const shop of shops) await ok('POST', `${shop.at}/webhooks`, { as: shop.owner.token })
    const [one, other, last] = shops
    const ofStore = ({ storeId }: Shop) => `/v1/stores/${storeId}`
    const gone = await call('DELETE', `${ofStore(one)}/integrations/sandbox-shop?connection=${one.connector.id}`, { as: one.owner.token })
    expect([gone.status, await note(one)]).toEqual([204, 0])
    expect((await call('DELETE', ofStore(other), { as: other.owner.token })).status).toBe(204)
    await until(async () => (await note(other)) === 0)
    // Of another store nothing is ended.
    expect(await note(last)).toBe(1)
  })

  test('reads on from where it stopped when nobody was let in, and from where the last reading ended when the shop said no', async () => {
    const shop = await connected({ orders: 120 })
    const stopped = (since: string | null) =>
      sql`update connectors set pull_status = 'failed', pull_since = ${since}, pull_cursor = null where connection_id = ${shop.connector.id}`
    await shop.pull()
    await stopped('2026-01-01T00:00:00Z')
    expect(await shop.pull()).toMatchObject({ status: 'done', since: '2026-01-01T00:00:00.000Z', changed: 120 })
    await stopped(null)
    expect(await shop.pull()).toMatchObject({ status: 'done', seen: 0 })
  })

  test('that is read from a later time is read from where the last reading ended all the same; no time to come is taken', async () => {
    const shop = await connected({ orders: 10 })
    await sql`update connectors set pulled_until = '2026-01-01T08:00:00Z' where connection_id = ${shop.connector.id}`
    expect(await shop.pull({ since: '2026-01-01T08:06:30Z' })).toMatchObject({ changed: 4 })
    expect(await shop.pull()).toMatchObject({ changed: 6 })
    expect(await shop.pull()).toMatchObject({ seen: 0 })
    for (const since of [new Date(Date.now() + 60_000).toISOString(), '9999-12-31T23:59:59-14:00'])
      expect([since, (await call('POST', `${shop.at}/pull`, { as: shop.key, body: { since } })).status]).toEqual([since, 400])
    expect(await shop.pull({ since: '0001-01-01T00:00:00Z' })).toMatchObject({ since: '1970-01-01T00:00:00.000Z', seen: 10 })
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

describe('a stored callback', () => {
  test('is processed again after a failure, and on request', async () => {
    const shop = await connected()
    const one = order()
    await shop.told(one)
    const callbacks = () => sql`select id, worked_at from connector_callbacks where connection_id = ${shop.connector.id} order by id`
    const [{ workedAt: first } = { workedAt: null }] = await callbacks()
    await sql`delete from connector_orders where connection_id = ${shop.connector.id}`
    await ok('POST', `${shop.at}/pull`, { as: shop.key, body: { since: new Date().toISOString(), callbacks: true } })
    await until(async () => (await shop.read()).pull.status === 'done')
    expect(await shop.theirs()).toEqual([])
    await ok('POST', `${shop.at}/pull`, { as: shop.key, body: { callbacks: true } })
    await until(async () => (await shop.theirs()).length === 1)
    await worked()
    expect((await callbacks())[0]?.workedAt).not.toBe(first)
    // Nobody works it any more.
    const ago = (
      minutes: number,
    ) => sql`update connector_callbacks set worked_at = null, received_at = now() - ${minutes} * interval '1 minute'
      where connection_id = ${shop.connector.id}`
    await ago(30)
    await retryUnprocessedWebhooks(context, new AbortController().signal)
    expect((await callbacks())[0]?.workedAt).toBeNull()
    await ago(90)
    await retryUnprocessedWebhooks(context, new AbortController().signal)
    await worked()
    expect((await callbacks())[0]?.workedAt).not.toBeNull()
  })
})

test('work for shops runs in the queue of their project, whichever request starts it', async () => {
  await sql`create table begun (task text, owner text)`
  await sql`create function note_begun() returns trigger language plpgsql as $$ begin
    insert into begun select t.identifier, jsonb_object_keys(coalesce(new.flags, '{"nobody": true}'))
      from graphile_worker._private_tasks t where t.id = new.task_id and t.identifier like 'connectors.%' and t.identifier !~ 'Due|Missing';
    return new; end $$`
  await sql`create trigger note_begun after insert on graphile_worker._private_jobs for each row execute function note_begun()`
  const shop = await connected({ orders: 2 })
  await ok('POST', `${shop.at}/webhooks`, { as: shop.owner.token })
  await shop.pull({ since: '2026-01-01T00:00:00Z' })
  await shop.told(order())
  const [{ id } = { id: '' }] = await shop.ours()
  await ok('PATCH', `/v1/orders/${id}`, { as: shop.key, body: { status: 'cancelled' } })
  // By nobody, when it is time.
  await sql`update connectors set next_pull_at = now() - interval '1 minute', subscribed_at = now() - interval '2 days'
    where connection_id = ${shop.connector.id}`
  await sql`update connector_callbacks set worked_at = null, received_at = now() - interval '2 hours' where connection_id = ${shop.connector.id}`
  await sql`delete from begun`
  await requestDuePulls(context)
  await requestStaleWebhookRenewals(context)
  await requestDueStatusPushes(context)
  await retryUnprocessedWebhooks(context, new AbortController().signal)
  await worked()
  const { projectId } = (await sql<{ projectId: string }[]>`select project_id from stores where id = ${shop.storeId}`)[0] ?? {}
  const begun = await sql<{ task: string; owner: string }[]>`select distinct task, owner from begun order by task`
  expect(begun.filter(({ owner }) => owner === projectId).map(({ task }) => task)).toEqual([
    'connectors.importPending',
    'connectors.processWebhook',
    'connectors.pull',
    'connectors.pushStatus',
    'connectors.registerWebhooks',
  ])
  expect(begun.filter(({ owner }) => owner === 'nobody')).toEqual([])
  await sql`drop trigger note_begun on graphile_worker._private_jobs`
})

/** The same for the same seed. */
function dice(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const ORDERS = often({ quick: 80, thorough: 300 })

test(`${ORDERS} orders, told twice, out of order, by callbacks and by readings at once: each is one of ours, as it was told last`, async () => {
  const shop = await connected({ orders: ORDERS })
  const chance = dice(20261123)
  const settings = { shop: '', orders: ORDERS, skus: 'B', currency: 'DZD' }
  const last = new Map<string, ExternalOrder>()
  const news: ExternalOrder[] = []
  for (let number = 1; number <= ORDERS; number += 1) {
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
  const rows = await sql`select o.metadata, o.note, o.total from orders o where o.project_id = ${projectIdOf(shop.storeId)}`
  expect(rows.length).toBe(ORDERS)
  const numbersOf = rows.map(({ metadata }) => metadata.channelOrder)
  expect(new Set(numbersOf).size).toBe(ORDERS)
  const notes = new Map(rows.map(({ metadata, note, total }) => [metadata.channelOrder, [note, Number(total)]]))
  for (const one of last.values()) expect([one.number, notes.get(one.number)]).toEqual([one.number, [one.note ?? '', Number(one.total)]])
  expect(await shop.read()).toMatchObject({ orders: { taken: ORDERS, waiting: 0, notFollowed: 0 }, pull: { status: 'done', changed: 0 } })
}, 120_000)
