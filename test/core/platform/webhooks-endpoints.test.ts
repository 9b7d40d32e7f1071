import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { receiver } from '../../support/receiver.ts'
import { tell as tellAll } from '../../support/tell.ts'
import { until } from '../../support/until.ts'

const { call, ok, shop, person, context } = await startApp()
const strict = await startApp({ allowPrivateWebhooks: false })
await person('The administrator') // the first account sees everything; no test wants to be it

const PATH = '/v1/webhook-endpoints'
const mine = await shop()
const url = 'http://127.0.0.1:9/hook'

test('no credential, a session that names no store, and a key without the scope are refused', async () => {
  expect((await call('GET', PATH)).body.error.code).toBe('unauthenticated')
  expect((await call('POST', PATH, { body: { url: 1 } })).status).toBe(401)
  expect((await call('GET', PATH, { as: mine.owner.token })).status).toBe(400)
  const { data } = await ok('POST', `/v1/projects/${mine.projectId}/api-keys`, {
    as: mine.owner.token,
    body: { name: 'small', scopes: ['parcels:read'] },
  })
  const refused = await call('GET', PATH, { as: data.key })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.headers.get('www-authenticate')).toContain('webhooks:manage')
})

test("another project's endpoint does not exist", async () => {
  const other = await shop()
  const { data } = await ok('POST', PATH, { as: other.key, body: { url, events: ['*'] } })
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['POST', '/deliveries/dlv_1/redeliver'],
  ] as const) {
    const answer = await call(method, `${PATH}/${data.id}${path}`, {
      as: mine.key,
      ...(method === 'PATCH' && { body: { enabled: false } }),
    })
    expect([method, path, answer.status, answer.body.error.code]).toEqual([method, path, 404, 'not_found'])
  }
  expect((await ok('GET', `${PATH}/${data.id}`, { as: other.key })).data.enabled).toBe(true)
})

test('bad input is a 400 that says what is wrong', async () => {
  for (const body of [
    {},
    { url },
    { url, events: [] },
    { url, events: 'parcel.created' },
    { url, events: ['*', 'parcel.created'] },
    { url: 'no address', events: ['*'] },
    { url, events: ['*'], maxPerSecond: 0 },
    { url, events: ['*'], colour: 'red' },
    { url, events: ['inventory.stock.changed:a'] },
    { url, events: ['inventory.stock.changed:a*b/c'] },
    { url, events: ['parcel.created:a/b'] },
    { url, events: ['inventory.stock.changed:/'] },
    null,
    [],
    'x',
  ]) {
    const answer = await call('POST', PATH, { as: mine.key, body })
    expect([body, answer.status, answer.body.error.code]).toEqual([body, 400, 'invalid_request'])
  }
  const answer = await call('POST', PATH, {
    as: mine.key,
    body: { url, events: ['parcel.created', 'parcel.cancelled'] },
  })
  expect(answer.body.error.details[0]).toMatchObject({
    path: '/body/events/1',
    message: expect.stringContaining('parcel.status_changed'),
  })
  expect((await call('POST', PATH, { as: mine.key, raw: '{' })).body.error.code).toBe('invalid_json')
  expect((await call('PATCH', `${PATH}/whe_none`, { as: mine.key, body: {} })).status).toBe(400)
  expect((await call('PATCH', `${PATH}/whe_none`, { as: mine.key, body: { enabled: false } })).status).toBe(404)
  expect((await call('GET', `${PATH}?cursor=x`, { as: mine.key })).status).toBe(400)
  expect((await call('GET', `${PATH}?limit=0`, { as: mine.key })).status).toBe(400)
})

test("a store's events are not for a project's endpoints", async () => {
  expect((await call('POST', PATH, { as: mine.key, body: { url, events: ['order.created'] } })).status).toBe(400)
})

test('addresses that lead inside, or are not https, are refused', async () => {
  const other = await strict.shop()
  for (const refused of [
    'http://example.com/hook',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://10.1.2.3/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://0.0.0.0/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://database/',
    'https://me:secret@example.com/',
    'https://example.com:22/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:1',
  ]) {
    const answer = await strict.call('POST', PATH, { as: other.key, body: { url: refused, events: ['*'] } })
    expect([refused, answer.status, answer.body.error?.code]).toEqual([refused, 422, 'webhook_url_refused'])
  }
  const { data } = await strict.ok('POST', PATH, {
    as: other.key,
    body: { url: 'https://example.com/hook', events: ['*'] },
  })
  expect((await strict.call('PATCH', `${PATH}/${data.id}`, { as: other.key, body: { url: 'https://10.0.0.1/' } })).status).toBe(422)
})

test('the same Idempotency-Key registers one endpoint', async () => {
  const other = await shop()
  const request = { as: other.key, body: { url, events: ['parcel.created'] }, headers: { 'idempotency-key': 'hook-1' } }
  const first = await call('POST', PATH, request)
  const second = await call('POST', PATH, request)
  expect([first.status, second.status, second.body.data.id]).toEqual([201, 201, first.body.data.id])
  expect((await ok('GET', PATH, { as: other.key })).data).toHaveLength(1)
})

test('changes and deletion count for the next event', async () => {
  const other = await shop()
  const [hook, next] = [receiver(), receiver()]
  const { data } = await ok('POST', PATH, { as: other.key, body: { url: hook.url, events: ['parcel.created'] } })
  await ok('PATCH', `${PATH}/${data.id}`, {
    as: other.key,
    body: { url: next.url, events: ['parcel.deleted'], maxPerSecond: 50, ordered: true },
  })
  expect((await ok('GET', `${PATH}/${data.id}`, { as: other.key })).data).toMatchObject({
    url: next.url,
    events: ['parcel.deleted'],
    maxPerSecond: 50,
    ordered: true,
  })
  const tell = (type: 'parcel.created' | 'parcel.deleted') => tellAll(context.sql, [{ projectId: other.projectId, type, data: {} }])
  await tell('parcel.created')
  await tell('parcel.deleted')
  await next.got(1)
  await ok('PATCH', `${PATH}/${data.id}`, { as: other.key, body: { enabled: false } })
  await tell('parcel.deleted')
  expect((await call('DELETE', `${PATH}/${data.id}`, { as: other.key })).status).toBe(204)
  expect((await call('GET', `${PATH}/${data.id}`, { as: other.key })).status).toBe(404)
  await tell('parcel.deleted')
  await Bun.sleep(100)
  expect([hook.all.length, next.all.length]).toEqual([0, 1])
  await until(async () => (await context.sql`select 1 from webhook_deliveries where endpoint_id = ${data.id}`).length === 0)
})

test('topic patterns choose stock by namespace and key', async () => {
  const other = await shop()
  const topics = ['main/sku.1', 'main/skuX1', 'other/sku.1', 'main/a/b', 'main/', 'main/a/sku.1', '5% off/a_\\b', '50 off/aXb']
  const cases = {
    'inventory.stock.changed:main/sku.1': ['main/sku.1'],
    'inventory.stock.changed:main/*': ['main/sku.1', 'main/skuX1', 'main/a/b', 'main/', 'main/a/sku.1'],
    'inventory.stock.changed:*/sku.1': ['main/sku.1', 'other/sku.1'],
    'inventory.stock.changed:ma*/sku*': ['main/sku.1', 'main/skuX1'],
    'inventory.stock.changed': topics,
    'inventory.stock.changed:5%*/a_\\*': ['5% off/a_\\b'],
    'inventory.stock.changed:main/a/s*': ['main/a/sku.1'],
    'inventory.operation.posted': [],
  }
  const hooks = Object.entries(cases).map(([pattern, expected]) => ({ pattern, expected, hook: receiver() }))
  for (const { pattern, hook } of hooks) await ok('POST', PATH, { as: other.key, body: { url: hook.url, events: [pattern] } })
  await tellAll(
    context.sql,
    topics.map((topic) => ({
      projectId: other.projectId,
      type: 'inventory.stock.changed' as const,
      topic,
      data: { topic },
    })),
  )
  await hooks[4]!.hook.got(topics.length)
  await Bun.sleep(100)
  for (const { pattern, expected, hook } of hooks)
    expect([pattern, hook.all.map(({ event }) => event.data.topic).sort()]).toEqual([pattern, [...expected].sort()])
})

test('however many topics are asked for, what changes the stock is written soon', byTheClock, async () => {
  const other = await shop()
  const events = (at: number) => Array.from({ length: 100 }, (_, n) => `inventory.stock.changed:shelf-${at}*/sku-${n}*`)
  for (let at = 0; at < 30; at += 1) await ok('POST', PATH, { as: other.key, body: { url, events: events(at) } })
  const legs = Array.from({ length: 100 }, (_, n) => ({ namespace: 'main', key: `key ${n}`, quantity: 1 }))
  const began = performance.now()
  await ok('POST', '/v1/inventory/operations', { as: other.key, body: { type: 'receive', legs } })
  expect(performance.now() - began).toBeLessThan(5_000)
})
