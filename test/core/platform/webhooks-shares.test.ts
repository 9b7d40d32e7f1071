import { expect, test } from 'bun:test'
import { readConfig } from '../../../core/config.ts'
import { EndpointQueue } from '../../../core/platform/webhooks/delivery/endpoint-queue.ts'
import { SendCapacity } from '../../../core/platform/webhooks/delivery/send-capacity.ts'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { receiver } from '../../support/receiver.ts'
import { tell as tellAll } from '../../support/tell.ts'
import { until } from '../../support/until.ts'
import { ENDPOINTS, webhooksBy } from '../../support/webhooks.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator') // the first account sees everything; no test wants to be it

const { register } = webhooksBy({ ok })
/** Sooner than an attempt without an answer is over. */
const SOON_MS = 10_000
type Tenant = Awaited<ReturnType<typeof shop>>
const tell = (of: Tenant, count: number) =>
  tellAll(
    sql,
    Array.from({ length: count }, (_, n) => ({ projectId: of.projectId, type: 'parcel.created' as const, data: { n } })),
  )
/** Endpoints of a project and of its stores, as many as there may be and more. */
const fill = (of: Tenant, count: number, url: string) => sql`
  insert into webhook_endpoints (id, project_id, audience, url, events, all_events, event_names, topic_patterns, secrets)
  select ${`whe_${of.projectId}_`} || n, ${of.projectId}, 'project', ${url}, '{*}', true, '{}', '{}', '[]' from generate_series(1, ${count}) n`
/** It says nothing until it is let go. */
function silent() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hook = receiver(() => promise.then(() => new Response()))
  return { hook, [Symbol.dispose]: resolve }
}

test('three quarters of the requests that a process may have under way are for webhooks, however many those are', () => {
  for (const requests of [256, 1_000]) {
    const { requestsOutMax } = readConfig({ BUN_CONFIG_MAX_HTTP_REQUESTS: String(requests) })
    const [sending, lanes] = [new SendCapacity(requestsOutMax), Array.from({ length: requests }, (_, at) => new EndpointQueue(`prj_${at}`))]
    const started = lanes.filter((lane) => sending.canStart(lane) && [sending.begin(lane)])
    expect(started.length).toBe(requests * 0.75)
    sending.end(lanes[0]!)
    expect(sending.canStart(lanes[0]!)).toBe(true)
  }
  expect(readConfig({}).requestsOutMax).toBe(256)
  for (const wrong of ['0', 'many', '65536', '1.5'])
    expect(() => readConfig({ BUN_CONFIG_MAX_HTTP_REQUESTS: wrong })).toThrow('BUN_CONFIG_MAX_HTTP_REQUESTS')
})

test('a project has a hundred endpoints at most', async () => {
  const mine = await shop()
  await fill(mine, 99, 'http://127.0.0.1:9/')
  const { id } = await register(mine, { url: 'http://127.0.0.1:9/' })
  const refused = await call('POST', ENDPOINTS, { as: mine.key, body: { url: 'http://127.0.0.1:9/', events: ['*'] } })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'limit_reached'])
  expect(refused.body.error.message).toContain('100')
  expect((await call('DELETE', `${ENDPOINTS}/${id}`, { as: mine.key })).status).toBe(204)
  await register(mine, { url: 'http://127.0.0.1:9/' })
})

test('endpoints that never answer leave places to the others of their project', byTheClock, async () => {
  using slow = silent()
  const mine = await shop()
  const quick = receiver()
  await fill(mine, 30, slow.hook.url)
  await register(mine, { url: quick.url })
  await tell(mine, 15)
  await quick.got(15, SOON_MS)
  await slow.hook.got(30, SOON_MS)
})

test('however many endpoints of a project never answer, those of others get what is theirs', byTheClock, async () => {
  using slow = silent()
  const [mine, other] = [await shop(), await shop()]
  const quick = receiver()
  await fill(mine, 300, slow.hook.url)
  await register(other, { url: quick.url })
  await tell(mine, 8)
  await slow.hook.got(64, SOON_MS)
  await tell(other, 15)
  await quick.got(15, SOON_MS / 2)
  // Of all requests of a process a part only is theirs: the others would wait behind them.
  expect(slow.hook.all.length).toBeLessThanOrEqual(96)
})

test('tests of endpoints that never answer leave the requests of the process to others', byTheClock, async () => {
  using slow = silent()
  const [mine, other] = [await shop(), await shop()]
  const quick = receiver()
  const hung = await register(mine, { url: slow.hook.url })
  const healthy = await register(other, { url: quick.url })
  const tests = Array.from({ length: 40 }, () => call('POST', `${ENDPOINTS}/${hung.id}/test`, { as: mine.key }))
  let answered = 0
  for (const one of tests) void one.then(() => (answered += 1))
  const refused = await Promise.race(tests)
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '3'])
  expect((await ok('POST', `${ENDPOINTS}/${healthy.id}/test`, { as: other.key })).data.status).toBe('delivered')
  expect(slow.hook.all.length).toBeLessThanOrEqual(4)
  // Who asks after that is answered.
  await until(() => answered === tests.length - 4)
  slow[Symbol.dispose]()
  const statuses = (await Promise.all(tests)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(4)
  expect((await ok('POST', `${ENDPOINTS}/${hung.id}/test`, { as: mine.key })).data.status).toBe('delivered')
})
