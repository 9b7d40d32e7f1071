import { expect, test } from 'bun:test'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { sendAttempt } from '../../../core/platform/webhooks/delivery/attempt.ts'
import { claimDue, writeOutcomes } from '../../../core/platform/webhooks/delivery/dispatch.queries.ts'
import { startDispatcher } from '../../../core/platform/webhooks/delivery/dispatch.ts'
import { ATTEMPTS_MAX, nextDelayMs, passedNoticePercent } from '../../../core/platform/webhooks/delivery/schedule.ts'
import { emitWebhook } from '../../../core/platform/webhooks/emit.ts'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { receiver } from '../../support/receiver.ts'
import { pretend, tell as tellAll } from '../../support/tell.ts'
import { until } from '../../support/until.ts'
import { ENDPOINTS, webhooksBy } from '../../support/webhooks.ts'

const { ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator') // the first account sees everything; no test wants to be it

const { register } = webhooksBy({ ok })
type Tenant = Awaited<ReturnType<typeof shop>>
const tell = (of: Tenant, count: number, orderKey = (n: number) => `par_${n}`, from = 0) =>
  tellAll(
    sql,
    Array.from({ length: count }, (_, n) => ({
      projectId: of.projectId,
      type: 'parcel.status_changed' as const,
      orderKey: orderKey(n),
      data: { key: orderKey(n), n: n + from },
    })),
  )

test('the schedule is: at once, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, each ±10 %', () => {
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 600]
  expect(ATTEMPTS_MAX).toBe(8)
  for (const [at, expected] of minutes.entries()) {
    expect(nextDelayMs(at + 1, () => 0)).toBe(Math.round(expected * 60_000 * 0.9))
    expect(nextDelayMs(at + 1, () => 1)).toBe(Math.round(expected * 60_000 * 1.1))
  }
  expect(nextDelayMs(8)).toBeNull()
  expect([0, 49, 50, 69, 70, 90, 99, 100, 300].map((percent) => passedNoticePercent(percent * 1.2 * HOUR_MS))).toEqual([
    0, 0, 50, 50, 70, 90, 90, 100, 100,
  ])
})

test('a slow endpoint uses only its own places', byTheClock, async () => {
  const mine = await shop()
  const slow = receiver(async () => {
    await Bun.sleep(1_500)
    return new Response()
  })
  const quick = receiver()
  await register(mine, { url: slow.url })
  await register(mine, { url: quick.url })
  const started = performance.now()
  await tell(mine, 300)
  await quick.got(300, 1_400)
  expect(performance.now() - started).toBeLessThan(1_400)
  expect(slow.all.length).toBeLessThanOrEqual(8)
})

test('ordered webhooks are sent one at a time for each parcel, in order; parcels go side by side', async () => {
  const mine = await shop()
  let open = 0
  let most = 0
  const busy = new Map<string, number>()
  const hook = receiver(async ({ event }) => {
    const { key } = event.data
    busy.set(key, (busy.get(key) ?? 0) + 1)
    most = Math.max(most, busy.get(key)!)
    open += 1
    await Bun.sleep(5)
    open -= 1
    busy.set(key, busy.get(key)! - 1)
    return new Response()
  })
  const { id } = await register(mine, { url: hook.url, ordered: true })
  for (let round = 0; round < 10; round += 1) await tell(mine, 5, undefined, round * 5)
  await hook.got(50, 10_000)
  expect(most).toBe(1)
  expect(open).toBeLessThanOrEqual(5)
  const byKey = Map.groupBy(hook.all, ({ event }) => event.data.key)
  for (const events of byKey.values())
    expect(events.map(({ event }) => event.data.n)).toEqual(events.map(({ event }) => event.data.n).sort((a, b) => a - b))
  expect(byKey.size).toBe(5)
  expect((await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })).data.ordered).toBe(true)
})

test('ordered: a later one waits for one that fails, at most ten minutes', async () => {
  const mine = await shop()
  const hook = receiver(({ event }) => new Response(null, { status: event.data.n === 0 ? 500 : 200 }))
  const { id } = await register(mine, { url: hook.url, ordered: true })
  await tell(mine, 1, () => 'par_a')
  await hook.got(1)
  await tell(mine, 1, () => 'par_a', 1)
  await tell(mine, 1, () => 'par_b', 2)
  await hook.got(2)
  await Bun.sleep(700)
  expect(hook.all.map(({ event }) => event.data.n)).toEqual([0, 2])
  await sql`update webhook_deliveries set created_at = now() - interval '11 minutes' where endpoint_id = ${id} and attempt_count = 1 and status = 'pending'`
  await hook.got(3)
  expect(hook.all.map(({ event }) => event.data.n)).toEqual([0, 2, 1])
})

test('no second sees more than maxPerSecond', async () => {
  const mine = await shop()
  for (const perSecond of [5, 40]) {
    const hook = receiver()
    const { id } = await register(mine, { url: hook.url, maxPerSecond: perSecond })
    await tell(mine, perSecond * 2)
    await hook.got(perSecond * 2, 5_000)
    const times = hook.all.map(({ at }) => at)
    // Between two that are `perSecond` apart lies a second, but for what the way to the receiver takes.
    for (let at = perSecond; at < times.length; at += 1) expect(times[at]! - times[at - perSecond]!).toBeGreaterThan(950)
    await ok('DELETE', `${ENDPOINTS}/${id}`, { as: mine.key })
  }
}, 120_000)

test('a lease holds until its time is over, and no longer than its process lives', async () => {
  const mine = await shop()
  const hook = receiver()
  const { id } = await register(mine, { url: hook.url })
  await ok('PATCH', `${ENDPOINTS}/${id}`, { as: mine.key, body: { enabled: false } })
  const lock = (seconds: number, by = context.processes.number) => sql`
    with told as (insert into events (id, project_id, type, body) values ('evt_' || gen_random_uuid(), ${mine.projectId}, 'parcel.created', '{}') returning *)
    insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, locked_until, locked_by)
    select ${id}, ${lowestIdAt('dlv', Date.now())} || gen_random_uuid(), project_id, id, type, now() + ${seconds} * interval '1 second', ${by} from told`
  await lock(1)
  await sql`update webhook_endpoints set enabled = true where id = ${id}`
  await Bun.sleep(600)
  expect(hook.all).toHaveLength(0)
  await hook.got(1)
  await lock(60)
  await Bun.sleep(100)
  expect(hook.all).toHaveLength(1)
  await lock(60, 0)
  await hook.got(2)
})

test('two claims never give the same delivery; an outcome of a lost lease does not count twice', async () => {
  const mine = await shop()
  const { id } = await register(mine, { url: 'http://127.0.0.1:9/' })
  const room = { total: 1_000, others: 30, byEndpoint: new Map() }
  await sql.begin(async (tx) => {
    await emitWebhook(
      tx,
      pretend(Array.from({ length: 50 }, (_, n) => ({ projectId: mine.projectId, type: 'parcel.created', data: { n } }))),
    )
    // The other tests leave deliveries that are tried again.
    const claim = async () => (await claimDue(tx, room, context.processes.number)).filter(({ endpointId }) => endpointId === id)
    const [first, second, third] = [await claim(), await claim(), await claim()]
    expect([first.length, second.length, third.length]).toEqual([30, 20, 0])
    expect(new Set([...first, ...second].map((one) => one.id)).size).toBe(50)
    const made = await sendAttempt(async () => ({ status: 500, headers: new Headers(), body: new Uint8Array() }), {
      ...first[0]!,
      secrets: ['s'],
    })
    const outcome = {
      projectId: mine.projectId,
      endpointId: id,
      id: first[0]!.id,
      attemptCount: 0,
      holder: first[0]!.holder,
      status: 'pending' as const,
      delayMs: 5_000,
      attempt: made,
    }
    await writeOutcomes(tx, [{ ...outcome, holder: 0 }])
    await writeOutcomes(tx, [outcome])
    await writeOutcomes(tx, [outcome])
    const [row] =
      await tx`select attempt_count, jsonb_array_length(attempts) as attempts from webhook_deliveries where id = ${first[0]!.id}`
    expect(row).toMatchObject({ attemptCount: 1, attempts: 1 })
    await tx`delete from webhook_endpoints where id = ${id}`
  })
})

test('outcomes are found one by one in a long queue that the planner knows nothing of', byTheClock, async () => {
  const mine = await shop()
  const { id } = await register(mine, { url: 'http://127.0.0.1:9/' })
  const prefix = lowestIdAt('dlv', Date.now())
  await sql.begin(async (tx) => {
    await tx`insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, locked_until, locked_by)
      select ${id}, ${prefix} || lpad(n::text, 16, '0'), ${mine.projectId}, 'evt_0', 't', now() + interval '1 minute', 1 from generate_series(0, 19999) n`
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      projectId: mine.projectId,
      endpointId: id,
      id: prefix + String(n * 20).padStart(16, '0'),
      attemptCount: 0,
      holder: 1,
      status: 'delivered' as const,
      delayMs: 0,
      attempt: {} as never,
    }))
    const began = performance.now()
    await writeOutcomes(tx, rows)
    // Each found by reading all that wait took some ten seconds.
    expect(performance.now() - began).toBeLessThan(2_000)
    const [found] =
      await tx`select count(*)::integer as delivered from webhook_deliveries where endpoint_id = ${id} and status = 'delivered'`
    expect(found).toEqual({ delivered: 1_000 })
    await tx`delete from webhook_deliveries where endpoint_id = ${id}`
    await tx`delete from webhook_endpoints where id = ${id}`
  })
})

test('stopping lets what is under way finish, and gives back what is not', async () => {
  const mine = await shop()
  const hook = receiver(async () => {
    await Bun.sleep(400)
    return new Response()
  })
  const { id } = await register(mine, { url: hook.url, enabled: false })
  const other = await startDispatcher(context)
  await sql`update webhook_endpoints set enabled = true where id = ${id}`
  await tell(mine, 20)
  await hook.got(8)
  await other.stop()
  await until(async () => (await sql`select 1 from webhook_deliveries where endpoint_id = ${id} and status = 'delivered'`).length === 20)
  expect(new Set(hook.all.map(({ event }) => event.id)).size).toBe(20)
  expect(hook.all).toHaveLength(20)
})

test('an answer that never comes is a failure in time', byTheClock, async () => {
  const hook = receiver(() => new Promise<Response>(() => {}))
  const made = await sendAttempt(
    context.webhookOutbound,
    { url: hook.url, secrets: ['whsec_x'], eventId: 'evt_1', eventType: 'parcel.created', body: '{}' },
    200,
  )
  expect(made).toMatchObject({ status: null, error: 'No answer in time.' })
  expect(made.durationMs).toBeWithin(190, 1_000)
})

test('a long, broken or binary answer is still an answer', async () => {
  const send = (url: string) =>
    sendAttempt(context.webhookOutbound, { url, secrets: ['whsec_x'], eventId: 'evt_1', eventType: 'parcel.created', body: '{}' }, 2_000)
  const long = await send(receiver(() => new Response('é'.repeat(2_000_000))).url)
  expect([long.status, long.responseHead?.length, long.error]).toEqual([200, 512, null])
  const binary = await send(receiver(() => new Response(new Uint8Array([0, 255, 0, 65]))).url)
  expect([binary.status, binary.responseHead]).toEqual([200, '\uFFFD\uFFFD\uFFFDA'])
})

test('many at once arrive each exactly once, with two processes that send', async () => {
  const second = await startDispatcher(context)
  const mine = await shop()
  const hooks = [receiver(), receiver(), receiver()]
  for (const hook of hooks) await register(mine, { url: hook.url })
  await Promise.all(Array.from({ length: 20 }, () => tell(mine, 20)))
  for (const hook of hooks) {
    await hook.got(400, 10_000)
    expect(new Set(hook.all.map(({ event }) => event.id)).size).toBe(400)
  }
  await until(
    async () => (await sql`select 1 from webhook_deliveries where project_id = ${mine.projectId} and status <> 'delivered'`).length === 0,
  )
  expect(hooks.map((hook) => hook.all.length)).toEqual([400, 400, 400])
  await second.stop()
})
