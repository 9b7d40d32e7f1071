import { expect, test } from 'bun:test'
import { type Tx, transaction } from '../../../core/data/sql.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { cancelPending } from '../../../core/platform/webhooks/delivery/cancel.ts'
import { claimDue, writeOutcomes } from '../../../core/platform/webhooks/delivery/dispatch.queries.ts'
import { emitWebhook } from '../../../core/platform/webhooks/emit.ts'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { receiver } from '../../support/receiver.ts'
import { pretend, tell as tellAll } from '../../support/tell.ts'
import { until } from '../../support/until.ts'
import { ENDPOINTS, webhooksBy } from '../../support/webhooks.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator') // the first account sees everything; no test wants to be it

const by = webhooksBy({ ok })
const { register } = by
/** Shorter than the time after which a statement that waits for a row gives up. */
const SOON_MS = 10_000
type Tenant = Awaited<ReturnType<typeof shop>>
const deliveries = (of: Tenant, id: string, query = '') => by.deliveries(of, id, `?limit=100${query}`)
const event = (of: Tenant, orderKey = 'par_1', n = 0) => ({
  projectId: of.projectId,
  type: 'parcel.status_changed' as const,
  orderKey,
  data: { n },
})
const tell = (of: Tenant) => tellAll(sql, [event(of)])
const statuses = async (id: string) =>
  Object.fromEntries(
    (
      await sql<
        { status: string; count: number }[]
      >`select status, count(*)::integer as count from webhook_deliveries where endpoint_id = ${id} group by status`
    ).map((row) => [row.status, row.count]),
  )

/** Deliveries that are tried again in an hour. */
const queue = (of: Tenant, id: string, count: number) => sql`
  with told as (insert into events (id, project_id, type, body) values (${`${lowestIdAt('evt', Date.now())}${id}`}, ${of.projectId}, 'parcel.created', '{}') returning id)
  insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, next_attempt_at)
  select ${id}, ${lowestIdAt('dlv', Date.now())} || lpad(n::text, 16, '0'), ${of.projectId}, told.id, 'parcel.created', now() + interval '1 hour'
  from told, generate_series(1, ${count}) n`

/** While `work` is done nobody else can write the first that waits. */
const holding = (id: string, work: () => Promise<void>) =>
  sql.begin(async (tx) => {
    await tx`select 1 from webhook_deliveries where endpoint_id = ${id} and status = 'pending' order by id limit 1 for update`
    await work()
  })

test('an endpoint that is gone holds up no outcome, however much waits for it', async () => {
  const [mine, other] = [await shop(), await shop()]
  const [gone, hook] = [receiver(() => new Response(null, { status: 410 })), receiver()]
  const { id } = await register(mine, { url: gone.url })
  const healthy = await register(other, { url: hook.url })
  await queue(mine, id, 3)
  await holding(id, async () => {
    await tell(mine)
    await until(async () => (await ok('GET', `${ENDPOINTS}/${id}`, { as: mine.key })).data.disabledReason === 'gone', SOON_MS)
    await tell(other)
    await until(async () => (await deliveries(other, healthy.id))[0]?.status === 'delivered', SOON_MS)
    expect(await deliveries(mine, id, '&status=pending')).toEqual([])
    const cancelled = await deliveries(mine, id, '&status=cancelled')
    expect(cancelled).toHaveLength(3)
    for (const delivery of cancelled)
      expect(delivery).toMatchObject({ status: 'cancelled', nextAttemptAt: null, completedAt: expect.any(String) })
    expect((await deliveries(mine, id)).map(({ status }: { status: string }) => status).sort()).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
      'failed',
    ])
    expect((await statuses(id)).pending).toBeGreaterThan(0)
  })
  await until(async () => (await statuses(id)).cancelled === 3)
})

test('switching off answers at once, and what waited is cancelled for good, slice by slice', byTheClock, async () => {
  const mine = await shop()
  const hook = receiver()
  const { id } = await register(mine, { url: hook.url })
  await queue(mine, id, 2_500)
  const patch = async (enabled: boolean) => (await ok('PATCH', `${ENDPOINTS}/${id}`, { as: mine.key, body: { enabled } })).data.enabled
  await holding(id, async () => {
    const began = performance.now()
    expect(await patch(false)).toBe(false)
    expect(performance.now() - began).toBeLessThan(SOON_MS)
    expect(await deliveries(mine, id, '&status=pending')).toEqual([])
    expect(await deliveries(mine, id, '&status=cancelled')).toHaveLength(100)
    expect(await patch(true)).toBe(true)
    expect(await deliveries(mine, id, '&status=pending')).toEqual([])
    await tell(mine)
    await hook.got(1, SOON_MS)
  })
  await until(async () => (await statuses(id)).cancelled === 2_500)
  expect(await statuses(id)).toEqual({ cancelled: 2_500, delivered: 1 })
  expect(hook.all).toHaveLength(1)
})

test('what was called off is neither sent, nor waited for, nor tried again', async () => {
  const mine = await shop()
  const { id, projectId } = await register(mine, { url: 'http://127.0.0.1:9/', ordered: true })
  const claim = (tx: Tx) => claimDue(tx, { total: 100, others: 30, byEndpoint: new Map() }, context.processes.number)
  await sql.begin(async (tx) => {
    await emitWebhook(tx, pretend([event(mine, 'par_1', 1)]))
    const [underWay] = await claim(tx)
    await emitWebhook(tx, pretend([event(mine, 'par_2', 2), event(mine, 'par_2', 3)]))
    await cancelPending(tx, [{ id, projectId }])
    await emitWebhook(tx, pretend([event(mine, 'par_1', 4), event(mine, 'par_2', 5)]))
    const numbers = (await claim(tx)).map(({ body }) => JSON.parse(body).data.n)
    // The one of the first parcel waits for that which is under way.
    expect(numbers).toEqual([5])
    await writeOutcomes(tx, [{ ...underWay!, status: 'pending', delayMs: 5_000, attempt: {} as never }])
    const [row] = await tx`select status, completed_at from webhook_deliveries where id = ${underWay!.id}`
    expect(row).toMatchObject({ status: 'cancelled', completedAt: expect.any(String) })
    await tx`delete from webhook_endpoints where id = ${id}`
  })
})

test('deleting answers at once, and what was delivered follows', byTheClock, async () => {
  const mine = await shop()
  const hook = receiver()
  const { id } = await register(mine, { url: hook.url })
  await tell(mine)
  await hook.got(1)
  await queue(mine, id, 2_500)
  await holding(id, async () => {
    const began = performance.now()
    expect((await call('DELETE', `${ENDPOINTS}/${id}`, { as: mine.key })).status).toBe(204)
    expect(performance.now() - began).toBeLessThan(SOON_MS)
    expect((await call('GET', `${ENDPOINTS}/${id}/deliveries`, { as: mine.key })).status).toBe(404)
  })
  await until(async () => Object.keys(await statuses(id)).length === 0)
})

test("what cannot be written of one project's outcomes holds up no other's", async () => {
  const [mine, other] = [await shop(), await shop()]
  const [broken, hook] = [receiver(), receiver()]
  const [bad, good] = [await register(mine, { url: broken.url }), await register(other, { url: hook.url })]
  await sql.unsafe(`
    create function refuse_outcomes() returns trigger language plpgsql as $$ begin
      if new.project_id = tg_argv[0] and new.attempt_count > old.attempt_count then raise 'It is refused.'; end if;
      return new;
    end $$;
    create trigger refused before update on webhook_deliveries for each row execute function refuse_outcomes('${mine.projectId}')`)
  await tell(mine)
  await broken.got(1)
  await tell(other)
  await until(async () => (await deliveries(other, good.id))[0]?.status === 'delivered', SOON_MS)
  expect((await deliveries(mine, bad.id))[0].status).toBe('pending')
  // The dispatcher works on the table meanwhile; a deadlock with it is tried again.
  await transaction(sql, (tx) => tx.unsafe('drop trigger refused on webhook_deliveries; drop function refuse_outcomes'))
  await until(async () => (await deliveries(mine, bad.id))[0].status === 'delivered')
  expect(broken.all).toHaveLength(1)
})
