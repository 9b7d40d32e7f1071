import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, person, context } = await startApp()
// The first account sees everything; no test but one wants to be it.
const administrator = await person('The administrator')

test('a store is backed by one project, the same every time', async () => {
  const { owner, storeId, projectId } = await shop()
  const again = await ok('POST', `/v1/stores/${storeId}/ensure-project`, { as: owner.token })
  expect(again.data.id).toBe(projectId)
  expect(again.data.products).toEqual(['parcels', 'inventory', 'geo', 'webhooks'])
  expect(again.data.tenantId).toBeInteger()
})

test('PUT takes what POST takes; country and currency while there are no orders', async () => {
  const { storeId, owner, key } = await shop()
  const whole = { name: 'Atlas', slug: `atlas-${storeId.slice(-8)}`, countryCode: 'MA', currencyCode: 'MAD', phone: '+212600000000' }
  const put = (body: object) => call('PUT', `/v1/stores/${storeId}`, { as: owner.token, body })
  expect((await put(whole)).body.data).toMatchObject(whole)
  expect((await put({ name: 'Atlas' })).body.data).toMatchObject({ countryCode: 'MA', currencyCode: 'MAD', phone: null })
  const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 10 } })
  const destination = { country: 'MA', stateCode: 'Fès', cityName: 'Fès', address: '', deliveryType: 'home' }
  const customer = { name: 'Lina', phone: '+212600000001' }
  await ok('POST', '/v1/orders', { as: key, body: { storeId, customer, destination, items: [{ productId: product.id, quantity: 1 }] } })
  for (const change of [{ countryCode: 'DZ' }, { currencyCode: 'DZD' }])
    expect((await put({ ...whole, ...change })).body.error.code).toBe('conflict')
  expect((await put(whole)).status).toBe(200)
  const place = async (countryCode: string, currencyCode: string) => {
    const body = { name: 'Nowhere', countryCode, currencyCode }
    const { status, body: answer } = await call('POST', '/v1/stores', { as: owner.token, body })
    return [status, answer.error?.details?.[0]?.path]
  }
  expect(await place('ZZ', 'DZD')).toEqual([400, '/body/countryCode'])
  expect(await place('DZ', 'XXX')).toEqual([400, '/body/currencyCode'])
})

test('a setting that is changed leaves the others, null takes it away, at once with others none is lost; PUT replaces all of them', async () => {
  const { storeId, owner } = await shop()
  const as = owner.token
  const patch = (settings: object) => call('PATCH', `/v1/stores/${storeId}`, { as, body: { settings } })
  const settings = async () => (await ok('GET', `/v1/stores/${storeId}`, { as })).data.settings
  const deliveryPrices = { home: 400, byState: { '16': { home: 300 } } }
  await patch({ deliveryPrices, publicOrderLimits: { pieces: 5 }, inventoryNamespace: 'shelf' })
  expect((await patch({ publicOrders: false })).body.data.settings).toEqual({
    deliveryPrices,
    publicOrderLimits: { pieces: 5 },
    inventoryNamespace: 'shelf',
    publicOrders: false,
  })
  await Promise.all([patch({ publicOrders: true }), patch({ publicOrderLimits: null }), patch({ deliveryPrices: { home: 450 } })])
  expect(await settings()).toEqual({ deliveryPrices: { home: 450 }, inventoryNamespace: 'shelf', publicOrders: true })
  for (const odd of [
    { nothing: 1 },
    { publicOrders: 'no' },
    { deliveryPrices: { home: null } },
    { deliveryPrices: { byState: { '99': { home: 1 } } } },
  ])
    expect((await patch(odd)).status).toBe(400)
  const { data } = await ok('GET', `/v1/stores/${storeId}/audit`, { as })
  const told = data.map(({ what, after }: { what: string; after: object }) => [what, after])
  expect(told).toContainEqual(['store.settings_changed', { publicOrders: false }])
  await ok('PUT', `/v1/stores/${storeId}`, { as, body: { name: 'Atlas', settings: { publicOrders: false } } })
  expect(await settings()).toEqual({ publicOrders: false })
})

test("somebody else's store does not exist", async () => {
  const mine = await shop()
  const theirs = await shop()
  for (const [method, path, body] of [
    ['GET', `/v1/stores/${theirs.storeId}`, undefined],
    ['PATCH', `/v1/stores/${theirs.storeId}`, { name: 'Mine now' }],
    ['DELETE', `/v1/stores/${theirs.storeId}`, undefined],
    ['GET', `/v1/projects/${theirs.projectId}`, undefined],
    ['GET', `/v1/projects/${theirs.projectId}/api-keys`, undefined],
  ] as const) {
    expect((await call(method, path, { as: mine.owner.token, ...(body && { body }) })).status).toBe(404)
  }
  expect((await call('GET', `/v1/stores/${theirs.storeId}`, { as: mine.key })).status).toBe(404)
  expect((await call('GET', `/v1/stores/${mine.storeId}`, { as: mine.key })).status).toBe(200)
})

test('a role decides what a member may do', async () => {
  const { owner, storeId } = await shop()
  const viewer = await person('Viewer')
  await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: viewer.email, role: 'viewer' } })
  expect((await call('GET', `/v1/stores/${storeId}`, { as: viewer.token })).status).toBe(200)
  const refused = await call('PATCH', `/v1/stores/${storeId}`, { as: viewer.token, body: { name: 'X' } })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
})

test('a revoked key is refused at once', async () => {
  const { owner, projectId, storeId } = await shop()
  const { data } = await ok('POST', `/v1/projects/${projectId}/api-keys`, {
    as: owner.token,
    body: { name: 'short', scopes: ['stores:read'] },
  })
  expect((await call('GET', `/v1/stores/${storeId}`, { as: data.key })).status).toBe(200)
  expect((await call('PATCH', `/v1/stores/${storeId}`, { as: data.key, body: { name: 'X' } })).body.error.code).toBe('insufficient_scope')
  await ok('DELETE', `/v1/projects/${projectId}/api-keys/${data.id}`, { as: owner.token })
  expect((await call('GET', `/v1/stores/${storeId}`, { as: data.key })).body.error.code).toBe('invalid_api_key')
})

test('the same Idempotency-Key makes one store', async () => {
  const owner = await person()
  const request = {
    as: owner.token,
    body: { name: 'Once', countryCode: 'DZ', currencyCode: 'DZD' },
    headers: { 'idempotency-key': 'once-1' },
  }
  const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', '/v1/stores', request)))
  const made = answers.filter((answer) => answer.status === 201)
  expect(new Set(made.map((answer) => answer.body.data.id)).size).toBe(1)
  expect(answers.every((answer) => answer.status === 201 || answer.body.error.code === 'idempotency_in_progress')).toBe(true)
  const replay = await call('POST', '/v1/stores', request)
  expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  const other = await call('POST', '/v1/stores', { ...request, body: { ...request.body, name: 'Other' } })
  expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await ok('GET', '/v1/stores', { as: owner.token })).data).toHaveLength(1)
})

test("a store's admin makes keys of this store's project, and none that reach the owner's others", async () => {
  const { owner, storeId, projectId, key } = await shop()
  const { data: other } = await ok('POST', '/v1/stores', {
    as: owner.token,
    body: { name: 'Other', countryCode: 'DZ', currencyCode: 'DZD' },
  })
  const admin = await person('Admin')
  await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: admin.email, role: 'admin' } })
  const keys = `/v1/projects/${projectId}/api-keys`
  const spanning = await call('POST', keys, { as: admin.token, body: { name: 'all', scopes: ['orders:read', 'tenants:manage'] } })
  expect([spanning.status, spanning.body.error.code]).toEqual([403, 'forbidden'])
  const { data: made } = await ok('POST', keys, { as: admin.token, body: { name: 'mine', scopes: ['orders:read', 'parcels:write'] } })
  for (const [method, path] of [
    ['GET', '/v1/projects'],
    ['GET', `/v1/projects/${other.projectId}/api-keys`],
    ['POST', `/v1/projects/${other.projectId}/api-keys`],
  ] as const) {
    const answer = await call(method, path, { as: made.key, ...(method === 'POST' && { body: { name: 'x', scopes: ['orders:read'] } }) })
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'insufficient_scope'])
  }
  for (const path of [`/v1/projects/${other.projectId}`, `/v1/projects/${other.projectId}/api-keys`])
    expect((await call('GET', path, { as: admin.token })).status).toBe(404)
  // The owner's own key reaches the whole tenant, as the owner does.
  expect((await ok('GET', '/v1/projects', { as: key })).data).toHaveLength(2)
  const { data: byKey } = await ok('POST', `/v1/projects/${other.projectId}/api-keys`, {
    as: key,
    body: { name: 'by key', scopes: ['tenants:manage'] },
  })
  expect(byKey.createdBy).toEqual({ userId: owner.id, name: 'Owner', isHere: true })
})

test('keys of an admin who left are shown to the owner, and those that reach beyond the store end', async () => {
  const { owner, storeId, projectId } = await shop()
  const { data: other } = await ok('POST', '/v1/stores', {
    as: owner.token,
    body: { name: 'Other', countryCode: 'DZ', currencyCode: 'DZD' },
  })
  const admin = await person('Admin')
  const join = (role: string) => ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: admin.email, role } })
  const keys = `/v1/projects/${projectId}/api-keys`
  for (const leave of ['DELETE', 'PUT', 'POST'] as const) {
    await join('admin')
    const { data: plain } = await ok('POST', keys, { as: admin.token, body: { name: leave, scopes: ['stores:read'] } })
    const { data: beyond } = await ok('POST', keys, { as: admin.token, body: { name: `${leave} beyond`, scopes: ['stores:read'] } })
    // As one that was made before keys were held to their maker's right.
    await context.sql`update api_keys set scopes = '{stores:read,tenants:manage}' where id = ${beyond.id}`
    expect((await call('GET', `/v1/projects/${other.projectId}`, { as: beyond.key })).status).toBe(200)
    const member = `/v1/stores/${storeId}/members/${admin.id}`
    if (leave === 'POST') await join('viewer')
    else await ok(leave, member, { as: owner.token, ...(leave === 'PUT' && { body: { role: 'agent' } }) })
    if (leave === 'POST') await Bun.sleep(1_100)
    const ended = await call('GET', `/v1/projects/${other.projectId}`, { as: beyond.key })
    expect([leave, ended.status, ended.body.error?.code]).toEqual([leave, 401, 'invalid_api_key'])
    expect((await call('GET', `/v1/stores/${storeId}`, { as: plain.key })).status).toBe(200)
    const { data: listed } = await ok('GET', keys, { as: owner.token })
    expect(listed.find(({ id }: { id: string }) => id === plain.id).createdBy).toEqual({ userId: admin.id, name: 'Admin', isHere: false })
    expect((await call('GET', keys, { as: admin.token })).status).toBe(404)
  }
})

test('a right that is taken away while a key is made is no right', async () => {
  const { owner, storeId, projectId } = await shop()
  const admin = await person('Admin')
  await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: admin.email, role: 'admin' } })
  const creation = { as: admin.token, body: { name: 'late', scopes: ['stores:read'] } }
  const making = await context.sql.begin(async (tx) => {
    await tx`delete from store_members where store_id = ${storeId} and user_id = ${admin.id}`
    const made = call('POST', `/v1/projects/${projectId}/api-keys`, creation)
    // It is past its first look, and waits for who holds the membership.
    expect(await Promise.race([made, Bun.sleep(300).then(() => 'waits')])).toBe('waits')
    return { made }
  })
  expect((await making.made).status).toBe(404)
})

test('an administrator of the platform reads projects as stores', async () => {
  const { projectId } = await shop()
  expect((await ok('GET', `/v1/projects/${projectId}`, { as: administrator.token })).data.id).toBe(projectId)
  expect((await ok('GET', `/v1/projects/${projectId}/api-keys`, { as: administrator.token })).data).toHaveLength(1)
})

test('a key that is revoked while it is used is not remembered', async () => {
  const { owner, projectId, storeId } = await shop()
  for (let round = 0; round < 40; round += 1) {
    const { data } = await ok('POST', `/v1/projects/${projectId}/api-keys`, {
      as: owner.token,
      body: { name: 'short', scopes: ['stores:read'] },
    })
    const using = Array.from({ length: 6 }, async () => {
      await Bun.sleep(Math.random() * 6)
      return call('GET', `/v1/stores/${storeId}`, { as: data.key })
    })
    await Bun.sleep(Math.random() * 4)
    await ok('DELETE', `/v1/projects/${projectId}/api-keys/${data.id}`, { as: owner.token })
    await Promise.all(using)
    expect((await call('GET', `/v1/stores/${storeId}`, { as: data.key })).status).toBe(401)
  }
})
