import { expect, test } from 'bun:test'
import { maintainPartitions } from '../../../core/data/partitions.ts'
import { listPartitionedTables } from '../../../core/features.ts'
import { DAY_MS, HOUR_MS } from '../../../core/lib/durations.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { emitWebhook } from '../../../core/platform/webhooks/emit.ts'
import { startApp } from '../../support/app.ts'
import { readOutbox } from '../../support/outbox.ts'
import { receiver, verify } from '../../support/receiver.ts'
import { type Pretended, pretend, tell as tellAll } from '../../support/tell.ts'
import { until } from '../../support/until.ts'
import { ENDPOINTS, webhooksBy } from '../../support/webhooks.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator') // the first account sees everything; no test wants to be it

type Tenant = Awaited<ReturnType<typeof shop>>

const { register, deliveries } = webhooksBy({ ok })
const parcelEvent = (of: Tenant, more: Partial<Pretended> = {}): Pretended => ({
  projectId: of.projectId,
  type: 'parcel.created',
  data: { n: 1 },
  ...more,
})
/** Lets time pass for what waits to be tried again. */
const passRetryTime = (id: string) =>
  sql`update webhook_deliveries set next_attempt_at = now() where endpoint_id = ${id} and status = 'pending'`

test('an event arrives signed, with its headers, once', async () => {
  const mine = await shop()
  const hook = receiver(() => new Response('thanks', { headers: { 'content-type': 'text/plain' } }))
  const endpoint = await register(mine, { url: hook.url, description: 'mine' })
  expect(endpoint).toMatchObject({
    url: hook.url,
    events: ['*'],
    enabled: true,
    description: 'mine',
    ordered: false,
    maxPerSecond: null,
  })
  expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await sql.begin((tx) => emitWebhook(tx, pretend([parcelEvent(mine, { data: { id: 'par_1', name: 'قسنطينة ✓', sequence: 1 } })])))
  const [received] = await hook.got(1)
  expect(verify(received!, endpoint.secret)).toBe(true)
  expect(verify(received!, `${endpoint.secret}x`)).toBe(false)
  const { headers, event } = received!
  expect(event).toEqual({
    id: headers.get('x-service-cloud-id'),
    type: 'parcel.created',
    createdAt: expect.any(String),
    projectId: mine.projectId,
    data: { id: 'par_1', name: 'قسنطينة ✓', sequence: 1 },
  })
  expect(event.id).toMatch(/^evt_/)
  expect(headers.get('x-service-cloud-type')).toBe('parcel.created')
  expect(headers.get('x-service-cloud-signature')).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  expect(headers.get('x-service-cloud-signature')).toStartWith(`t=${headers.get('x-service-cloud-timestamp')},`)
  expect(headers.get('content-type')).toBe('application/json')
  await until(async () => (await deliveries(mine, endpoint.id))[0].status === 'delivered')
  const [listed] = await deliveries(mine, endpoint.id)
  expect(listed).toMatchObject({
    eventId: event.id,
    attemptCount: 1,
    nextAttemptAt: null,
    request: { method: 'POST', url: hook.url, body: received!.raw },
    response: { status: 200, bodyHead: 'thanks', contentType: 'text/plain' },
  })
  expect(listed.attempts[0]).toMatchObject({
    id: headers.get('x-service-cloud-delivery'),
    status: 200,
    error: null,
    signature: headers.get('x-service-cloud-signature'),
  })
  expect(hook.all).toHaveLength(1)
})

test('the secret is shown once, and lies encrypted', async () => {
  const mine = await shop()
  const { id, secret } = await register(mine, { url: 'http://127.0.0.1:9/x' })
  const { data } = await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })
  expect(data).not.toHaveProperty('secret')
  const [row] = await sql`select secrets::text as kept from webhook_endpoints where id = ${id}`
  expect(row!.kept).not.toContain(secret)
  expect((await ok('GET', ENDPOINTS, { as: mine.key })).data.map((one: { id: string }) => one.id)).toEqual([id])
})

test('while a secret is replaced, both sign', async () => {
  const mine = await shop()
  const hook = receiver()
  const { id, secret: old } = await register(mine, { url: hook.url })
  const { data: rotated } = await ok('POST', `${ENDPOINTS}/${id}/rotate-secret`, { as: mine.key })
  expect(Date.parse(rotated.previousSecretsUntil) - Date.now()).toBeWithin(23.9 * HOUR_MS, 24.1 * HOUR_MS)
  await tellAll(sql, [parcelEvent(mine)])
  const [both] = await hook.got(1)
  expect([verify(both!, old), verify(both!, rotated.secret)]).toEqual([true, true])
  expect(both!.headers.get('x-service-cloud-signature')).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  const { data: last } = await ok('POST', `${ENDPOINTS}/${id}/rotate-secret`, { as: mine.key, body: { overlapHours: 0 } })
  await tellAll(sql, [parcelEvent(mine)])
  const [, one] = await hook.got(2)
  expect([verify(one!, old), verify(one!, rotated.secret), verify(one!, last.secret)]).toEqual([false, false, true])
})

test('what is rolled back is not sent; where nobody asked nothing is written', async () => {
  const mine = await shop()
  const hook = receiver()
  await register(mine, { url: hook.url, events: ['parcel.delivered'] })
  await sql
    .begin(async (tx) => {
      await emitWebhook(tx, pretend([parcelEvent(mine, { type: 'parcel.delivered' })]))
      throw new Error('no')
    })
    .catch(() => {})
  await tellAll(sql, [parcelEvent(mine, { type: 'parcel.created' }), parcelEvent(mine, { type: 'order.created' })])
  await tellAll(sql, [])
  await Bun.sleep(200)
  expect(hook.all).toHaveLength(0)
  expect((await sql`select 1 from events where project_id = ${mine.projectId}`).length).toBe(0)
})

test('a failure is tried again on the schedule, with the same bytes and a new signature', async () => {
  const mine = await shop()
  const hook = receiver(() => new Response('x'.repeat(5000), { status: 500 }))
  const { id, secret } = await register(mine, { url: hook.url })
  await tellAll(sql, [parcelEvent(mine)])
  for (const [index, seconds] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
    await hook.got(index + 1)
    await until(async () => (await deliveries(mine, id))[0].attemptCount === index + 1)
    const [listed] = await deliveries(mine, id)
    const [{ waits }] =
      (await sql`select extract(epoch from next_attempt_at - (select max((a->>'at')::timestamptz) from jsonb_array_elements(attempts) a))::float8 as waits from webhook_deliveries where id = ${listed.id}`) as unknown as [
        { waits: number },
      ]
    expect(listed.status).toBe('pending')
    expect(waits).toBeWithin(seconds * 0.9 - 0.1, seconds * 1.1 + 1)
    await passRetryTime(id)
  }
  await hook.got(8)
  await until(async () => (await deliveries(mine, id))[0].status === 'failed')
  const [listed] = await deliveries(mine, id)
  expect(listed.attempts).toHaveLength(8)
  expect(listed.response).toMatchObject({ status: 500, bodyHead: 'x'.repeat(1024) })
  expect(new Set(hook.all.map(({ raw }) => raw)).size).toBe(1)
  expect(new Set(hook.all.map(({ headers }) => headers.get('x-service-cloud-id'))).size).toBe(1)
  expect(new Set(hook.all.map(({ headers }) => headers.get('x-service-cloud-delivery'))).size).toBe(8)
  expect(hook.all.every((one) => verify(one, secret))).toBe(true)
  expect(await deliveries(mine, id, '?status=failed')).toHaveLength(1)
  expect(await deliveries(mine, id, '?status=delivered')).toHaveLength(0)
  expect(await deliveries(mine, id, '?eventType=parcel.created')).toHaveLength(1)
}, 120_000)

test('redirects are not followed, and no connection is a failure like any other', async () => {
  const mine = await shop()
  const target = receiver()
  const hook = receiver(() => Response.redirect(target.url, 302))
  const moved = await register(mine, { url: hook.url })
  const nobody = await register(mine, { url: 'http://127.0.0.1:9/' })
  await tellAll(sql, [parcelEvent(mine)])
  await until(
    async () => (await deliveries(mine, moved.id))[0].attemptCount === 1 && (await deliveries(mine, nobody.id))[0].attemptCount === 1,
  )
  expect((await deliveries(mine, moved.id))[0]).toMatchObject({ status: 'pending', response: { status: 302 } })
  expect((await deliveries(mine, nobody.id))[0]).toMatchObject({
    status: 'pending',
    response: null,
    attempts: [{ status: null, error: 'The connection was refused.' }],
  })
  expect(target.all).toHaveLength(0)
})

test('410 disables at once and tells the owner; enabling starts anew', async () => {
  const mine = await shop()
  const hook = receiver(() => new Response(null, { status: 410 }))
  const { id } = await register(mine, { url: hook.url })
  await tellAll(sql, [parcelEvent(mine)])
  await until(async () => !(await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })).data.enabled)
  expect((await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })).data.disabledReason).toBe('gone')
  const [delivery] = await deliveries(mine, id)
  expect(delivery.status).toBe('failed')
  const [told] = await sql`select id, kind, percent from webhook_notices where endpoint_id = ${id}`
  expect(told).toMatchObject({ kind: 'disabled_gone', percent: 100 })
  const letters = async () =>
    (await readOutbox(context.config.dataDir)).filter(({ to, subject }) => to === mine.owner.email && !subject.includes('Confirm'))
  await until(async () => (await letters()).length === 1)
  expect((await letters())[0]).toMatchObject({
    subject: 'A webhook endpoint was disabled',
    text: expect.stringContaining(`${id} (${hook.url})`),
  })
  await tellAll(sql, [parcelEvent(mine)])
  const refused = await call('POST', `${ENDPOINTS}/${id}/deliveries/${delivery.id}/redeliver`, { as: mine.key })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'webhook_endpoint_disabled'])
  hook.reply(() => new Response())
  expect((await ok('PATCH', `${ENDPOINTS}/${id}`, { as: mine.key, body: { enabled: true } })).data).toMatchObject({
    enabled: true,
    disabledReason: null,
  })
  await Bun.sleep(100)
  expect(hook.all).toHaveLength(1)
  await ok('POST', `${ENDPOINTS}/${id}/deliveries/${delivery.id}/redeliver`, { as: mine.key })
  await hook.got(2)
})

test('failing for five days disables, with notices on the way, and a success forgives', async () => {
  const mine = await shop()
  const hook = receiver(() => new Response(null, { status: 500 }))
  const { id } = await register(mine, { url: hook.url })
  let sent = 0
  const failAfter = async (hours: number) => {
    await sql`update webhook_endpoints set failing_since = now() - ${hours} * interval '1 hour', last_failed_at = now() - interval '1 hour' where id = ${id}`
    await tellAll(sql, [parcelEvent(mine)])
    await hook.got(++sent)
    await until(async () => (await sql`select 1 from webhook_deliveries where endpoint_id = ${id} and attempt_count = 0`).length === 0)
  }
  const percents = async () =>
    (await sql<{ percent: number }[]>`select percent from webhook_notices where endpoint_id = ${id} order by id`).map((row) => row.percent)
  await failAfter(59)
  expect(await percents()).toEqual([])
  await failAfter(61)
  await failAfter(62)
  expect(await percents()).toEqual([50])
  await failAfter(85)
  await failAfter(109)
  expect(await percents()).toEqual([50, 70, 90])
  hook.reply(() => new Response())
  await tellAll(sql, [parcelEvent(mine)])
  sent += 1
  await until(async () => (await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })).data.failingSince === null)
  hook.reply(() => new Response(null, { status: 503 }))
  await failAfter(121)
  expect((await percents()).at(-1)).toBe(100)
  expect((await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })).data).toMatchObject({
    enabled: false,
    disabledReason: 'failing',
  })
  expect(await deliveries(mine, id, '?status=pending')).toHaveLength(0)
  expect((await deliveries(mine, id, '?status=cancelled&limit=100')).length).toBeGreaterThan(0)
}, 120_000)

test('an endpoint that is tried once a week, and never works, is disabled like one that is tried every minute', async () => {
  const mine = await shop()
  const hook = receiver(() => new Response(null, { status: 500 }))
  const { id } = await register(mine, { url: hook.url })
  await tellAll(sql, [parcelEvent(mine)])
  await until(async () => (await deliveries(mine, id))[0].attemptCount === 1)
  expect((await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })).data.enabled).toBe(true)
  await sql`update webhook_endpoints set failing_since = now() - interval '8 days', last_failed_at = now() - interval '7 days' where id = ${id}`
  await tellAll(sql, [parcelEvent(mine)])
  await until(async () => (await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })).data.disabledReason === 'failing')
})

test('a redelivery that succeeded ends the retries of the delivery that it repeats', async () => {
  const mine = await shop()
  let works = false
  const hook = receiver(() => new Response(null, { status: works ? 200 : 500 }))
  const { id } = await register(mine, { url: hook.url })
  await tellAll(sql, [parcelEvent(mine)])
  await until(async () => (await deliveries(mine, id))[0].attemptCount === 1)
  const [first] = await deliveries(mine, id)
  const redeliver = async (of: string) => (await ok('POST', `${ENDPOINTS}/${id}/deliveries/${of}/redeliver`, { as: mine.key })).data.id
  const second = await redeliver(first.id)
  const stateOf = async (one: string) => {
    const { status, attemptCount, nextAttemptAt } = (await ok('GET', `${ENDPOINTS}/${id}/deliveries?limit=10`, { as: mine.key })).data.find(
      (row: { id: string }) => row.id === one,
    )
    return [status, attemptCount, nextAttemptAt === null]
  }
  await until(async () => (await stateOf(second))[1] === 1)
  expect(await stateOf(first.id)).toEqual(['pending', 1, false])
  works = true
  const third = await redeliver(second)
  await until(async () => (await stateOf(third))[0] === 'delivered')
  expect([await stateOf(first.id), await stateOf(second)]).toEqual([
    ['cancelled', 1, true],
    ['cancelled', 1, true],
  ])
  await passRetryTime(id)
  await Bun.sleep(300)
  expect(hook.all.length).toBe(3)
})

test('each redelivery is a delivery of its own, as often as it is asked', async () => {
  const mine = await shop()
  const [hook, other] = [receiver(), receiver()]
  const { id } = await register(mine, { url: hook.url })
  await register(mine, { url: other.url })
  await tellAll(sql, [parcelEvent(mine)])
  await hook.got(1)
  const [first] = await deliveries(mine, id)
  const again = await Promise.all([1, 2].map(() => call('POST', `${ENDPOINTS}/${id}/deliveries/${first.id}/redeliver`, { as: mine.key })))
  expect(again.map(({ status }) => status)).toEqual([201, 201])
  const ids = new Set([first.id, ...again.map(({ body }) => body.data.id)])
  expect(ids.size).toBe(3)
  expect(again[0]!.body.data).toMatchObject({ redeliveryOf: first.id, eventId: first.eventId })
  await hook.got(3)
  expect(new Set(hook.all.map(({ event }) => event.id)).size).toBe(1)
  const keyed = { as: mine.key, headers: { 'idempotency-key': 'again' } }
  const [one, same] = [
    await ok('POST', `${ENDPOINTS}/${id}/deliveries/${first.id}/redeliver`, keyed),
    await ok('POST', `${ENDPOINTS}/${id}/deliveries/${first.id}/redeliver`, keyed),
  ]
  expect(one.data.id).toBe(same.data.id)
  await hook.got(4)
  await Bun.sleep(100)
  expect([hook.all.length, other.all.length]).toEqual([4, 1])
  expect((await call('POST', `${ENDPOINTS}/${id}/deliveries/dlv_none/redeliver`, { as: mine.key })).status).toBe(404)
  const pages = [await ok('GET', `${ENDPOINTS}/${id}/deliveries?limit=3`, { as: mine.key })]
  pages.push(await ok('GET', `${ENDPOINTS}/${id}/deliveries?limit=3&cursor=${pages[0].nextCursor}`, { as: mine.key }))
  expect(new Set(pages.flatMap(({ data }) => data.map((row: { id: string }) => row.id))).size).toBe(4)
  expect(pages[1].nextCursor).toBeNull()
})

test('a test event answers its outcome and is listed', async () => {
  const mine = await shop()
  const hook = receiver(() => new Response('no', { status: 418 }))
  const { id, secret } = await register(mine, { url: hook.url, enabled: false })
  const failed = await ok('POST', `${ENDPOINTS}/${id}/test`, { as: mine.key })
  expect(failed.data).toMatchObject({
    eventType: 'webhook.test',
    status: 'failed',
    response: { status: 418, bodyHead: 'no' },
  })
  hook.reply(() => new Response())
  const worked = await ok('POST', `${ENDPOINTS}/${id}/test`, { as: mine.key })
  expect(worked.data).toMatchObject({ status: 'delivered', response: { status: 200 } })
  expect(hook.all.every((one) => verify(one, secret))).toBe(true)
  expect(await deliveries(mine, id)).toHaveLength(2)
})

test('deliveries are listed for thirty days, and go with their partition a few days later; their events after them', async () => {
  const mine = await shop()
  const hook = receiver()
  const { id } = await register(mine, { url: hook.url })
  await tellAll(sql, [parcelEvent(mine), parcelEvent(mine), parcelEvent(mine)])
  await hook.got(3)
  await until(async () => (await deliveries(mine, id, '?status=delivered')).length === 3)
  const [oldest] = await sql`select id, event_id from webhook_deliveries where endpoint_id = ${id} order by id limit 1`
  await sql`update webhook_deliveries set id = ${`${lowestIdAt('dlv', Date.now() - 30.1 * DAY_MS)}x`} where id = ${oldest!.id}`
  expect(await deliveries(mine, id)).toHaveLength(2)
  const kept = async () => [
    (await sql`select 1 from webhook_deliveries where endpoint_id = ${id}`).length,
    (await sql`select 1 from events where id = ${oldest!.eventId}`).length,
  ]
  const after = (days: number) => maintainPartitions(sql, listPartitionedTables(), context.log, Date.now() + days * DAY_MS)
  await after(29)
  expect(await kept()).toEqual([3, 1])
  await after(40)
  expect(await kept()).toEqual([0, 0])
})
