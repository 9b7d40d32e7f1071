import { expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'

const { call, ok, shop, person } = await startApp()
await person('The administrator') // the first account sees everything; no test wants to be it

test('a store is backed by one project, the same every time', async () => {
  const { owner, storeId, projectId } = await shop()
  const again = await ok('POST', `/v1/stores/${storeId}/ensure-project`, { as: owner.token })
  expect(again.data.id).toBe(projectId)
  expect(again.data.products).toEqual(['parcels', 'inventory', 'geo', 'webhooks'])
  expect(again.data.tenantId).toBeInteger()
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
