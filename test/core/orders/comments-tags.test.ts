import { describe, expect, test } from 'bun:test'
import { type Person, type Shop, startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const app = await startApp()
const shop = await app.shop()
const { data: product } = await app.ok('POST', '/v1/products', {
  as: shop.key,
  body: { storeId: shop.storeId, name: 'Basket', price: 1000 },
})
let phones = 0

async function order(): Promise<string> {
  const body = {
    storeId: shop.storeId,
    customer: { name: 'Lina', phone: `0550${String(++phones).padStart(6, '0')}` },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId: product.id, quantity: 1 }],
  }
  return (await app.ok('POST', '/v1/orders', { as: shop.key, body })).data.id
}

async function member(role = 'agent', permissions: readonly string[] | null = null): Promise<Person> {
  const person = await app.person('Agent')
  await app.ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.owner.token, body: { email: person.email, role, permissions } })
  return person
}

const commentsOf = (orderId: string, of: Shop = shop) => `/v1/stores/${of.storeId}/orders/${orderId}/comments`
const tagsOf = (orderId: string, of: Shop = shop) => `/v1/stores/${of.storeId}/orders/${orderId}/tags`

describe('comments on orders', () => {
  test('a comment is written, listed newest first, and notifies whom it mentions', async () => {
    const [agent, colleague, id] = [await member(), await member(), await order()]
    const write = async (body: object) => (await app.ok('POST', commentsOf(id), { as: agent.token, body })).data
    const first = await write({ text: 'She asked for the blue one.', mentions: [colleague.id, agent.id] })
    expect(first).toMatchObject({ orderId: id, text: 'She asked for the blue one.', writtenBy: { userId: agent.id, name: 'Agent' } })
    expect(first.mentions.map(({ userId }: { userId: string }) => userId).toSorted()).toEqual([agent.id, colleague.id].toSorted())
    const second = await write({ text: 'Called again.' })
    const { data } = await app.ok('GET', commentsOf(id), { as: colleague.token })
    expect(data.map((each: { id: string }) => each.id)).toEqual([second.id, first.id])
    const { data: notified } = await app.ok('GET', '/v1/me/notifications', { as: colleague.token })
    expect(notified).toMatchObject([{ title: expect.stringMatching(/^Agent mentioned you on order /), message: first.text }])
    expect((await app.ok('GET', '/v1/me/notifications', { as: agent.token })).data).toEqual([])
  })

  test('only members who may read orders can be mentioned', async () => {
    const [packer, stranger, id] = [await member('agent', ['parcels:read']), await app.person(), await order()]
    for (const userId of [packer.id, stranger.id, 'usr_unknown']) {
      const { status, body } = await app.call('POST', commentsOf(id), {
        as: shop.owner.token,
        body: { text: 'x', mentions: [shop.owner.id, userId] },
      })
      expect([status, body.error.details[0].path]).toEqual([400, '/body/mentions/1'])
    }
    expect((await app.ok('GET', commentsOf(id), { as: shop.owner.token })).data).toEqual([])
  })

  test('a comment is deleted by its user and admins alone', async () => {
    const [agent, colleague, admin, id] = [await member(), await member(), await member('admin'), await order()]
    const write = async () => (await app.ok('POST', commentsOf(id), { as: agent.token, body: { text: 'x' } })).data.id as string
    const [one, two] = [await write(), await write()]
    const remove = async (as: string, comment: string) => (await app.call('DELETE', `${commentsOf(id)}/${comment}`, { as })).status
    expect(await remove(colleague.token, one)).toBe(403)
    expect(await remove(agent.token, one)).toBe(204)
    expect(await remove(admin.token, two)).toBe(204)
    expect(await remove(admin.token, two)).toBe(404)
  })

  test('bad input, a missing credential, a key, a viewer and strangers are refused', async () => {
    const [id, viewer, stranger] = [await order(), await member('viewer'), await app.shop()]
    const write = async (as: string | undefined, body: object, path = commentsOf(id)) =>
      (await app.call('POST', path, { body, ...(as && { as }) })).status
    expect(await write(shop.owner.token, { text: ' ' })).toBe(400)
    expect(await write(shop.owner.token, { text: 'x'.repeat(2001) })).toBe(400)
    expect(await write(undefined, { text: 'x' })).toBe(401)
    expect(await write(shop.key, { text: 'x' })).toBe(403)
    expect(await write(viewer.token, { text: 'x' })).toBe(403)
    expect(await write(stranger.owner.token, { text: 'x' })).toBe(404)
    expect(await write(stranger.owner.token, { text: 'x' }, commentsOf(id, stranger))).toBe(404)
    expect((await app.call('GET', commentsOf(id, stranger), { as: stranger.owner.token })).status).toBe(404)
  })
})

describe('tags of orders', () => {
  const change = async (orderId: string, body: object) => (await app.ok('PATCH', tagsOf(orderId), { as: shop.key, body })).data.tags

  test('tags are added, removed and listed for the store, each once', async () => {
    const [one, other] = [await order(), await order()]
    expect(await change(one, { add: ['VIP', 'gift  wrap', 'urgent'] })).toEqual(['VIP', 'gift wrap', 'urgent'])
    expect(await change(one, { add: ['VIP', 'هدية'], remove: ['urgent', 'absent'] })).toEqual(['VIP', 'gift wrap', 'هدية'])
    await change(other, { add: ['VIP', 'zone 2'] })
    const { data } = await app.ok('GET', tagsOf(one), { as: shop.owner.token })
    expect(data).toEqual({ orderId: one, tags: ['VIP', 'gift wrap', 'هدية'] })
    const page = await app.ok('GET', `/v1/stores/${shop.storeId}/order-tags?limit=3`, { as: shop.owner.token })
    expect(page.data).toEqual([{ tag: 'VIP' }, { tag: 'gift wrap' }, { tag: 'zone 2' }])
    const next = await app.ok('GET', `/v1/stores/${shop.storeId}/order-tags?cursor=${page.nextCursor}`, { as: shop.owner.token })
    expect(next).toEqual({ data: [{ tag: 'هدية' }], nextCursor: null })
    const stranger = await app.shop()
    expect((await app.ok('GET', `/v1/stores/${stranger.storeId}/order-tags`, { as: stranger.owner.token })).data).toEqual([])
  })

  test('tags: those that earlier versions stored are removed, one by one and in a job, and not added', async () => {
    const [one, other] = [await order(), await order()]
    // Earlier versions accepted commas, control characters, and letters that take more characters in NFC.
    const old = ['late, call first', 'a\u0001b', '\ufb2c'.repeat(40).normalize('NFC')]
    const { sql } = app.context
    await sql`insert into order_tags (project_id, order_id, tag)
      select ${shop.projectId}, id, tag from unnest(${[one, other]}::text[]) id, unnest(${old}::text[]) tag`
    for (const tag of old) {
      const refused = await app.call('PATCH', tagsOf(one), { as: shop.key, body: { add: [tag] } })
      expect([tag, refused.status]).toEqual([tag, 400])
    }
    expect(await change(one, { remove: old.slice(0, 2) })).toEqual(old.slice(2))
    expect(await change(one, { remove: old.slice(2) })).toEqual([])
    const body = { storeId: shop.storeId, ids: [other], action: { type: 'tag', remove: old } }
    const { data: job } = await app.ok('POST', '/v1/orders/bulk', { as: shop.key, body })
    await until(async () => (await app.ok('GET', `/v1/orders/bulk/${job.id}`, { as: shop.key })).data.status === 'completed')
    expect(await change(other, { add: ['seen'] })).toEqual(['seen'])
  })

  test('an order has at most 20, also when several add at once', async () => {
    const id = await order()
    const tags = (from: number) => Array.from({ length: 8 }, (_, nth) => `t${from + nth}`)
    const answers = await Promise.all([0, 8, 16].map((from) => app.call('PATCH', tagsOf(id), { as: shop.key, body: { add: tags(from) } })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422])
    expect((await app.ok('GET', tagsOf(id), { as: shop.key })).data.tags).toHaveLength(16)
  })

  test('bad input, a missing credential, a viewer and strangers are refused', async () => {
    const [id, viewer, stranger] = [await order(), await member('viewer'), await app.shop()]
    const call = async (as: string | undefined, body: object, path = tagsOf(id)) =>
      (await app.call('PATCH', path, { body, ...(as && { as }) })).status
    for (const bad of [{}, { add: [''] }, { add: [' x'] }, { add: ['x'.repeat(41)] }, { add: ['a\nb'] }, { add: ['a', 'a'] }])
      expect([bad, await call(shop.key, bad)]).toEqual([bad, 400])
    expect(await call(undefined, { add: ['x'] })).toBe(401)
    expect(await call(viewer.token, { add: ['x'] })).toBe(403)
    expect(await call(stranger.key, { add: ['x'] })).toBe(404)
    expect(await call(stranger.key, { add: ['x'] }, tagsOf(id, stranger))).toBe(404)
    expect((await app.call('GET', tagsOf(id, stranger), { as: stranger.key })).status).toBe(404)
  })
})
