import { describe, expect, test } from 'bun:test'
import { assertCanUse, canUse, isAdmin, isKeyOfProject, ownerOf, type Principal } from '../../../core/http/auth/principal.ts'
import { type Answer, startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok } = app
const admin = await app.person('The administrator')
const mine = await app.shop()
const other = await app.shop()
const viewer = await member('viewer')
const agent = await member('agent')
const stranger = await app.person('Stranger')

async function member(role: string) {
  const person = await app.person(role)
  await ok('POST', `/v1/stores/${mine.storeId}/members`, { as: mine.owner.token, body: { email: person.email, role } })
  return person
}

const keyWith = async (...scopes: string[]): Promise<string> =>
  (await ok('POST', `/v1/projects/${mine.projectId}/api-keys`, { as: mine.owner.token, body: { name: 'narrow', scopes } })).data.key

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const said = ({ status, body }: Answer) => `${status} ${body?.error?.message ?? ''}`.trim()
const nameless = { price: 100 }
const goods = (storeId: string) => ({ storeId, name: 'Basket', price: 100, stockKeeping: false })
const destination = { country: 'DZ', stateCode: '16', cityName: 'Alger', address: '', deliveryType: 'home' }
const product = (await ok('POST', '/v1/products', { as: mine.key, body: goods(mine.storeId) })).data
const order = {
  storeId: mine.storeId,
  customer: { name: 'Amina', phone: '0550123456' },
  destination,
  items: [{ productId: product.id, quantity: 1 }],
}

describe('a principal', () => {
  const person: Principal = {
    credentialId: 'ses_1',
    person: { id: 'usr_1', isAdmin: false },
    project: null,
    scopes: null,
    personId: 'usr_1',
  }
  const key: Principal = {
    credentialId: 'key_1',
    person: null,
    project: { id: 'prj_1', tenantId: 1, products: ['inventory'], requestsPerMinute: null },
    scopes: ['orders:read', 'inventory:read', 'parcels:read'],
    personId: 'usr_1',
  }

  test('may what its scopes say and its project has enabled; a person is limited by none', () => {
    expect([canUse(key, 'orders:read'), canUse(key, 'orders:write'), canUse(key, 'inventory:read'), canUse(key, 'parcels:read')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect([canUse(person, 'orders:write'), canUse(person, 'parcels:write')]).toEqual([true, true])
    expect(() => assertCanUse(key, 'orders:write')).toThrow('This needs the scope orders:write')
    expect(() => assertCanUse(key, 'parcels:read')).toThrow('has not enabled the product parcels')
  })

  test('of an app that acts for a user has no more rights than the user granted', () => {
    expect(canUse({ ...person, scopes: ['orders:read'] }, 'orders:write')).toBe(false)
  })

  test('acts for one project or for itself, and owns what it makes', () => {
    expect([isKeyOfProject(key, 'prj_1'), isKeyOfProject(key, 'prj_2'), isKeyOfProject(person, 'prj_1')]).toEqual([true, false, false])
    expect([ownerOf(key), ownerOf(person)]).toEqual(['prj_1', 'usr_1'])
    expect([isAdmin(key), isAdmin(person), isAdmin({ ...person, person: { id: 'usr_1', isAdmin: true } })]).toEqual([false, false, true])
  })
})

describe('refusals come in one order', () => {
  test('no credential, scope, shape, and only then whose the store is', async () => {
    const narrow = await keyWith('orders:read')
    const post = (body: object, as?: string) => call('POST', '/v1/products', { body, ...(as && { as }) })
    expect(outcome(await post({ ...nameless, storeId: other.storeId }))).toBe('401 unauthenticated')
    expect(outcome(await post({ ...nameless, storeId: other.storeId }, narrow))).toBe('403 insufficient_scope')
    for (const as of [mine.key, stranger.token, viewer.token])
      expect(outcome(await post({ ...nameless, storeId: other.storeId }, as))).toBe('400 invalid_request')
    for (const as of [mine.key, stranger.token, viewer.token])
      expect(said(await post(goods(other.storeId), as))).toBe('404 The store was not found.')
    expect(said(await post(goods(mine.storeId), agent.token))).toBe(
      '403 This needs the role admin in the store; you are agent. Ask its owner for it.',
    )
  })

  test('a user without a role in the store learns nothing of its products', async () => {
    const shop = await app.shop()
    await ok('PATCH', `/v1/projects/${shop.projectId}`, { as: shop.owner.token, body: { products: ['inventory'] } })
    const send = (as: string) => call('POST', `/v1/stores/${shop.storeId}/orders/ord_x/carriers/sandbox/send`, { as, body: {} })
    expect(outcome(await send(shop.owner.token))).toBe('403 product_not_enabled')
    expect(outcome(await send(shop.key))).toBe('403 product_not_enabled')
    expect(outcome(await send(stranger.token))).toBe('404 not_found')
    expect(outcome(await send(other.key))).toBe('404 not_found')
  })
})

describe('the store a request is about', () => {
  test('is the one of the body, whatever a query says that nobody asked for', async () => {
    const post = (inBody: string, inQuery: string) => call('POST', `/v1/products?storeId=${inQuery}`, { as: mine.key, body: goods(inBody) })
    expect((await post(mine.storeId, other.storeId)).body.data.storeId).toBe(mine.storeId)
    expect(outcome(await post(other.storeId, mine.storeId))).toBe('404 not_found')
  })

  test('may be left out by a key, in lists; a person has to say it', async () => {
    const { data } = await ok('GET', '/v1/products', { as: mine.key })
    expect(data.map(({ id }: { id: string }) => id)).toContain(product.id)
    const lost = await call('GET', '/v1/products', { as: mine.owner.token })
    expect([outcome(lost), lost.body.error.details]).toEqual([
      '400 invalid_request',
      [{ path: '/query/storeId', message: 'Name the store: send storeId.' }],
    ])
    expect(outcome(await call('GET', `/v1/products?storeId=${other.storeId}`, { as: mine.key }))).toBe('404 not_found')
  })

  test('is found by what it has; of what another store has the answer is that of nothing', async () => {
    const { data: made } = await ok('POST', '/v1/orders', { as: mine.key, body: order })
    const read = (id: string, as: string) => call('GET', `/v1/orders/${id}`, { as })
    for (const as of [mine.key, viewer.token, mine.owner.token, admin.token]) expect((await read(made.id, as)).status).toBe(200)
    expect(said(await read('ord_nothing', mine.key))).toBe('404 The order was not found.')
    for (const as of [other.key, stranger.token]) expect(outcome(await read(made.id, as))).toBe('404 not_found')
    expect(outcome(await call('PATCH', `/v1/orders/${made.id}`, { as: viewer.token, body: { note: 'x' } }))).toBe('403 forbidden')
    expect(outcome(await call('DELETE', `/v1/orders/${made.id}`, { as: agent.token }))).toBe('403 forbidden')
  })
})

describe('a route for members only', () => {
  test('takes no key, no smaller role and no stranger', async () => {
    const ensure = (as: string) => call('POST', `/v1/stores/${mine.storeId}/ensure-project`, { as })
    expect(said(await ensure(mine.key))).toBe('403 This is for a signed-in person; an API key cannot do it.')
    expect(outcome(await ensure(agent.token))).toBe('403 forbidden')
    expect(outcome(await ensure(stranger.token))).toBe('404 not_found')
    for (const as of [mine.owner.token, admin.token]) expect((await ensure(as)).body.data.id).toBe(mine.projectId)
  })
})

describe('a store that anybody may come to', () => {
  test('knows its keys and members from its public', async () => {
    let phones = 0
    const sourceFor = async (as?: string) => {
      const customer = { ...order.customer, phone: `055012300${phones++}` }
      return (await ok('POST', '/v1/orders', { body: { ...order, customer }, ...(as && { as }) })).data.source
    }
    expect(await sourceFor(mine.key)).toBe('api')
    for (const as of [agent.token, mine.owner.token, admin.token]) expect(await sourceFor(as)).toBe('member')
    for (const as of [undefined, stranger.token, other.owner.token]) expect(await sourceFor(as)).toBe('storefront')
  })

  test('takes keys and members by right only: they are no public', async () => {
    const ask = (as: string) => call('POST', '/v1/orders', { as, body: order })
    expect(outcome(await ask(other.key))).toBe('404 not_found')
    expect(outcome(await ask(await keyWith('orders:read')))).toBe('403 insufficient_scope')
    expect(outcome(await ask(viewer.token))).toBe('403 forbidden')
  })

  test('may close to its public', async () => {
    const shop = await app.shop({ settings: { publicOrders: false } })
    const body = { ...order, storeId: shop.storeId }
    for (const as of [undefined, stranger.token])
      expect(outcome(await call('POST', '/v1/orders', { body, ...(as && { as }) }))).toBe('401 unauthenticated')
    expect(outcome(await call('POST', '/v1/orders', { body: { ...body, storeId: 'sto_nothing' } }))).toBe('404 not_found')
  })
})

describe('a project', () => {
  test('is steered by the owner of its tenant, admins of its store and keys of the tenant', async () => {
    const boss = await member('admin')
    const read = (as: string) => call('GET', `/v1/projects/${mine.projectId}`, { as })
    for (const as of [mine.owner.token, boss.token, admin.token, mine.key]) expect((await read(as)).body.data.id).toBe(mine.projectId)
    for (const as of [agent.token, stranger.token, other.key]) expect(said(await read(as))).toBe('404 The project was not found.')
  })

  test('has things of its own, which another project never finds', async () => {
    const { data: endpoint } = await ok('POST', '/v1/webhook-endpoints', {
      as: mine.key,
      body: { url: 'http://127.0.0.1:9/hook', events: ['parcel.created'] },
    })
    const read = (as: string) => call('GET', `/v1/webhook-endpoints/${endpoint.id}`, { as })
    expect((await read(mine.key)).body.data.id).toBe(endpoint.id)
    expect(outcome(await read(other.key))).toBe('404 not_found')
    expect(outcome(await read(mine.owner.token))).toBe('400 invalid_request')
    const named = (storeId: string) => call('GET', `/v1/webhook-endpoints/${endpoint.id}?storeId=${storeId}`, { as: mine.owner.token })
    expect((await named(mine.storeId)).body.data.id).toBe(endpoint.id)
    expect(outcome(await named(other.storeId))).toBe('404 not_found')
  })
})
