import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'

const { call, ok, shop, origin, context } = await startApp({ rateLimitPerMinute: 30, publicRateLimitPerMinute: 40 }, { socket: true })
const mine = await shop()

test('rate limit: each credential has its own limit, and is told how long to wait', async () => {
  const { data } = await ok('POST', `/v1/projects/${mine.projectId}/api-keys`, {
    as: mine.owner.token,
    body: { name: 'busy', scopes: ['stores:read'] },
  })
  const path = `/v1/stores/${mine.storeId}`
  const first = await call('GET', path, { as: data.key })
  expect(first.headers.get('ratelimit-limit')).toBe('30')
  expect(first.headers.get('ratelimit-remaining')).toBe('29')
  expect(Number(first.headers.get('ratelimit-reset'))).toBeWithin(1, 61)
  for (let at = 1; at < 30; at += 1) expect((await call('GET', path, { as: data.key })).status).toBe(200)
  const limited = await call('GET', path, { as: data.key })
  expect([limited.status, limited.body.error.code]).toEqual([429, 'rate_limited'])
  expect(Number(limited.headers.get('retry-after'))).toBeWithin(1, 61)
  expect((await call('GET', path, { as: mine.key })).status).toBe(200)
})

test('http: the caller is authenticated before the body is read', async () => {
  for (const raw of ['{"broken', '{"unknown": 1}', '[]']) {
    expect((await call('PUT', '/v1/users/auth', { raw })).status).toBe(401)
    expect((await call('PUT', '/v1/users/auth', { raw, as: 'st_nobody' })).status).toBe(401)
    expect((await call('PUT', '/v1/users/auth', { raw, as: mine.key })).status).toBe(403)
  }
})

test('bodies: broken ones, ones of another type, too large ones and ones with a typo are refused', async () => {
  const put = (raw: string, headers = {}) => call('PUT', '/v1/users/auth', { as: mine.owner.token, raw, headers })
  expect((await put('{"name":')).body.error.code).toBe('invalid_json')
  expect((await put('name=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
  const large = await put(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }))
  expect([large.status, large.body.error.code]).toEqual([413, 'payload_too_large'])
  const typo = await put('{"nmae":"x"}')
  expect([typo.status, typo.body.error.code]).toEqual([400, 'invalid_request'])
  expect(typo.body.error.details).toContainEqual({ path: '/body/nmae', message: expect.any(String) })
  expect(typo.body.error.requestId).toBe(typo.headers.get('x-request-id'))
})

test.each([
  ['lat=136&lon=3', { path: '/query/lat', message: 'Expected number to be less or equal to 90' }],
  ['lat=1&lon=2&limit=0', { path: '/query/limit', message: 'Expected integer to be greater or equal to 1' }],
  // Which of them it was Elysia does not tell.
  ['lat=200&lon=200', { path: '/query', message: 'Expected number to be less or equal to 90' }],
])('a number of a query that is out of bounds is told by its name: %s', async (query, detail) => {
  const { status, body } = await call('GET', `/v1/geo/nearby?${query}`, { as: mine.key })
  expect([status, body.error.details]).toEqual([400, [detail]])
})

test('validation: a wrong enum value is answered with the allowed ones, and a wrong nullable value with its real fault', async () => {
  const details = async (method: string, path: string, body?: unknown) =>
    (await call(method, path, { as: mine.key, ...(body !== undefined && { body }) })).body.error.details
  const inBody = (city: unknown) => details('POST', '/v1/geo/resolve', { country: 'DZ', state: '16', city })
  expect(await details('GET', '/v1/geo/nearby?lat=x&lon=3')).toEqual([{ path: '/query/lat', message: 'Expected number' }])
  expect(await details('GET', '/v1/geo/nearby?lat=1&lon=3&kind=town')).toEqual([
    { path: '/query/kind', message: 'Expected one of: city, pickup' },
  ])
  expect(await inBody('x'.repeat(5000))).toEqual([{ path: '/body/city', message: expect.stringMatching(/^Expected string length less/) }])
  expect(await inBody(7)).toEqual([{ path: '/body/city', message: 'Expected string' }])
})

test('http: a valid request id is kept, and any other is replaced', async () => {
  expect((await call('GET', '/health/check', { headers: { 'x-request-id': 'from-the-caller-1' } })).headers.get('x-request-id')).toBe(
    'from-the-caller-1',
  )
  const made = (await call('GET', '/nowhere', { headers: { 'x-request-id': 'a b' } })).headers.get('x-request-id')
  expect(made).toMatch(/^[0-9a-f-]{36}$/)
})

test('a browser of another origin may ask', async () => {
  const preflight = await fetch(`${origin}/v1/orders`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  const answer = await call('GET', '/v1/orders', { headers: { origin: 'https://shop.example' } })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
})

test('a cursor of another making is refused', async () => {
  const answer = await call('GET', '/v1/stores?cursor=bm9wZQ', { as: mine.owner.token })
  expect([answer.status, answer.body.error.details[0].path]).toEqual([400, '/query/cursor'])
})

test('an account that exists and one that does not are answered alike', byTheClock, async () => {
  const ask = async (email: string) => {
    const began = performance.now()
    const { status, body } = await call('POST', '/v1/users/auth/signin', { body: { email, password: 'not the password' } })
    const { requestId: _, ...error } = body.error
    return { status, error, took: performance.now() - began }
  }
  await ask('warm@example.dz')
  const turns = await Array.fromAsync(Array(4), async () => [await ask(mine.owner.email), await ask('nobody@example.dz')] as const)
  for (const [there, nobody] of turns) expect({ ...there, took: 0 }).toEqual({ ...nobody, took: 0 })
  // The quickest of some, asked in turns: others work on this machine.
  const [there, nobody] = [Math.min(...turns.map(([each]) => each.took)), Math.min(...turns.map(([, each]) => each.took))]
  expect(nobody).toBeGreaterThan(there / 3)
})

test('rate limit: behind a proxy each address is counted by itself, and no client can claim another', async () => {
  const behind = await startApp({ publicRateLimitPerMinute: 2, trustedProxies: 1 })
  const from = async (forwarded: string) => (await behind.call('GET', '/v1/orders', { headers: { 'x-forwarded-for': forwarded } })).status
  expect([await from('10.0.0.1'), await from('10.0.0.1'), await from('10.0.0.1')]).toEqual([401, 401, 429])
  expect(await from('10.0.0.2')).toBe(401)
  expect(await from('10.9.9.9, 10.0.0.1')).toBe(429)
})

test('rate limit: a valid key is served from an address with many anonymous requests, but not from one that guesses keys', async () => {
  const behind = await startApp({ publicRateLimitPerMinute: 3, trustedProxies: 1 })
  const store = await behind.shop()
  const from = async (address: string, as?: string) =>
    (await behind.call('GET', `/v1/stores/${store.storeId}`, { headers: { 'x-forwarded-for': address }, ...(as && { as }) })).status
  for (let at = 0; at < 4; at += 1) await from('10.0.0.1')
  expect([await from('10.0.0.1'), await from('10.0.0.1', store.key)]).toEqual([429, 200])
  const { data } = await behind.ok('POST', `/v1/projects/${store.projectId}/api-keys`, {
    as: store.owner.token,
    body: { name: 'another', scopes: ['stores:read'] },
  })
  for (let at = 0; at < 4; at += 1) await from('10.0.0.2', 'sk_guessed')
  expect([await from('10.0.0.2', 'sk_guessed'), await from('10.0.0.2', data.key), await from('10.0.0.1', data.key)]).toEqual([
    429, 429, 200,
  ])
})

test('http: a database error caused by the server is answered as a server error, not as a conflict', async () => {
  const { storeId, owner, key } = await shop()
  await context.sql`create unique index odd on products (project_id, name)`
  const product = { storeId, name: 'Basket', price: 10 }
  await ok('POST', '/v1/products', { as: key, body: product })
  const answer = await call('POST', '/v1/products', { as: key, body: product })
  expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error'])
  // Where two callers want one thing it is one.
  const promo = { storeId, code: 'TEN', kind: 'percent', value: 10 }
  const both = await Promise.all([1, 2].map(() => call('POST', '/v1/promos', { as: owner.token, body: promo })))
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
})
