import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { receiver } from '../../support/receiver.ts'
import { tell as tellAll } from '../../support/tell.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator') // the first account sees everything; no test wants to be it

const PATH = '/v1/webhook-endpoints'
/** Sooner than an attempt without an answer is over. */
const SOON_MS = 10_000
type Tenant = Awaited<ReturnType<typeof shop>>
const register = (of: Tenant, url: string) => ok('POST', PATH, { as: of.key, body: { url, events: ['*'] } })
const tell = (of: Tenant, count: number) =>
  tellAll(
    sql,
    Array.from({ length: count }, (_, n) => ({ projectId: of.projectId, type: 'parcel.created' as const, data: { n } })),
  )
/** Endpoints of a project and of its stores, as many as there may be and more. */
const fill = (of: Tenant, count: number, url: string) => sql`
  insert into webhook_endpoints (id, project_id, url, events, all_events, event_names, topic_patterns, secrets)
  select ${`whe_${of.projectId}_`} || n, ${of.projectId}, ${url}, '{*}', true, '{}', '{}', '[]' from generate_series(1, ${count}) n`
/** It says nothing until it is let go. */
function silent() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hook = receiver(() => promise.then(() => new Response()))
  return { hook, [Symbol.dispose]: resolve }
}

test('a project has a hundred endpoints at most', async () => {
  const mine = await shop()
  await fill(mine, 99, 'http://127.0.0.1:9/')
  const { data } = await register(mine, 'http://127.0.0.1:9/')
  const refused = await call('POST', PATH, { as: mine.key, body: { url: 'http://127.0.0.1:9/', events: ['*'] } })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'limit_reached'])
  expect(refused.body.error.message).toContain('100')
  expect((await call('DELETE', `${PATH}/${data.id}`, { as: mine.key })).status).toBe(204)
  await register(mine, 'http://127.0.0.1:9/')
})

test('endpoints that never answer leave places to the others of their project', byTheClock, async () => {
  using slow = silent()
  const mine = await shop()
  const quick = receiver()
  await fill(mine, 30, slow.hook.url)
  await register(mine, quick.url)
  await tell(mine, 15)
  await quick.got(15, SOON_MS)
  await slow.hook.got(30, SOON_MS)
})

test('however many endpoints of a project never answer, those of others get what is theirs', byTheClock, async () => {
  using slow = silent()
  const [mine, other] = [await shop(), await shop()]
  const quick = receiver()
  await fill(mine, 300, slow.hook.url)
  await register(other, quick.url)
  await tell(mine, 8)
  await slow.hook.got(64, SOON_MS)
  await tell(other, 15)
  await quick.got(15, SOON_MS / 2)
  // Of all requests of a process a part only is theirs: the others would wait behind them.
  expect(slow.hook.all.length).toBeLessThanOrEqual(96)
})
