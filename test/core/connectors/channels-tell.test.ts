import { afterAll, expect, test } from 'bun:test'
import { requestStaleWebhookRenewals } from '../../../core/connectors/shops/install/register-webhooks.ts'
import { requestDuePulls, requestPull } from '../../../core/connectors/shops/orders/pull-orders.ts'
import { listConnectionsToPush, listOrdersToPush, recordPushedState } from '../../../core/connectors/shops/orders/shop-orders.queries.ts'
import { listDuePulls, listStaleSubscriptions, markSubscriptionsChecked } from '../../../core/connectors/shops/shop-sync.queries.ts'
import { requestDueStatusPushes } from '../../../core/connectors/shops/stock/push-status.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { type Queryable, transaction } from '../../../core/data/sql.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { KEYS, startWoo } from '../../adapters/connector/woocommerce/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const woo = startWoo()
afterAll(() => woo.stop())
/** The shop's answer to a change of this order, and which order it concerns. */
const fault = { order: '', status: 500 }
const asked: string[] = []
const inFront = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const order = /\/orders\/(\d+)$/.exec(pathname)?.[1]
    if (request.method === 'PUT' && order !== undefined) {
      asked.push(order)
      const said = { code: 'fault', message: 'A fault', data: { status: fault.status } }
      if (order === fault.order || fault.order === 'any') return Response.json(said, { status: fault.status })
    }
    const body = request.method === 'GET' ? undefined : await request.arrayBuffer()
    return fetch(woo.url + pathname + search, { method: request.method, headers: request.headers, ...(body && { body }) })
  },
})
afterAll(() => inFront.stop(true))
const app = await startApp({ simulators: { [woo.host]: inFront.url.origin }, publicUrl: 'https://ours.example' })
const { ok, context } = app
const { sql } = context

const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })
const connecting = { platform: 'woocommerce', credentials: { ...KEYS }, settings: { shop: woo.host } }
const { data: connector } = await ok('POST', base, { as: owner.token, body: connecting })
const at = `${base}/${connector.id}`
const read = async () => (await ok('GET', base, { as: key })).data[0]
const tellAll = async () => {
  await requestDueStatusPushes(context)
  await until(async () => (await sql`select 1 from graphile_worker.jobs where task_identifier = 'connectors.pushStatus'`).length === 0)
}
const standing = () => [...woo.orders.values()].map(({ status }) => status)

test('status push: an order that the shop refuses delays no other, and is retried with growing pauses', async () => {
  const placed = [woo.place(), woo.place(), woo.place()]
  await ok('POST', `${at}/pull`, { as: key, body: { since: '2026-01-01T00:00:00Z' } })
  await until(async () => (await read()).pull.status === 'done')
  const rows = await sql<{ externalId: string; orderId: string }[]>`select external_id, order_id from connector_orders order by id`
  expect(rows).toHaveLength(placed.length)
  fault.order = rows[0]?.externalId ?? ''
  for (const { orderId } of rows) await ok('PATCH', `/v1/orders/${orderId}`, { as: key, body: { status: 'cancelled' } })
  await tellAll()
  expect(standing().toSorted()).toEqual(['cancelled', 'cancelled', 'processing'])
  const putOff = async () =>
    (
      await sql`select tell_failures as times, tell_after > now() + (2 ^ (tell_failures - 1) - 0.5) * interval '1 minute' as late
      from connector_orders where external_id = ${fault.order}`
    )[0]
  expect(await putOff()).toMatchObject({ times: 1, late: true })
  const before = asked.length
  await tellAll()
  expect(asked.length).toBe(before)
  const itIsTime = () => sql`update connector_orders set tell_after = now() where tell_after is not null`
  for (const times of [2, 3]) {
    await itIsTime()
    await tellAll()
    expect(await putOff()).toMatchObject({ times, late: true })
  }
  fault.order = ''
  await itIsTime()
  await tellAll()
  expect(standing()).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect((await sql`select 1 from connector_orders where tell_failures > 0 or tell_after is not null`).length).toBe(0)
})

test('nobody looks through orders that nothing befell: what moves one marks it until it was told', async () => {
  const marks = async () => {
    await drainChanges(context)
    return (await sql`select distinct connector_order_id from connector_marks`).length
  }
  const placed = String(woo.place().id)
  await ok('POST', `${at}/pull`, { as: key, body: { since: '2026-01-01T00:00:00Z' } })
  await until(async () => (await read()).orders.taken === 4)
  expect(await marks()).toBe(0)
  const [row] = await sql`select order_id from connector_orders where external_id = ${placed}`
  await ok('PATCH', `/v1/orders/${row?.orderId}`, { as: key, body: { status: 'confirmed' } })
  expect(await marks()).toBe(1)
  await tellAll()
  expect(await marks()).toBe(0)
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, { as: owner.token, body: { enabled: true, credentials: {}, settings: {} } })
  const sent = await ok('POST', `/v1/stores/${storeId}/orders/${row?.orderId}/carriers/sandbox/send`, { as: owner.token, body: {} })
  expect(await marks()).toBe(1)
  await tellAll()
  await sql`update parcels set tracking_id = 'another' where id = ${sent.data.parcel.id}`
  expect(await marks()).toBe(1)
  const before = asked.length
  await tellAll()
  expect([await marks(), asked.length]).toEqual([0, before + 1])
})

test('status push: a mark that commits after a push is kept, and its order is pushed again', async () => {
  const [row] = await sql`select id, order_id from connector_orders order by id desc limit 1`
  const mark = (of: Queryable) =>
    of`insert into connector_marks (project_id, connection_id, connector_order_id) values (${projectIdOf(storeId)}, ${connector.id}, ${row?.id})`
  const seen = await transaction(sql, async (tx) => {
    await mark(tx)
    await mark(sql)
    return listOrdersToPush(sql, { projectId: projectIdOf(storeId), id: connector.id }, '', 10)
  })
  expect(seen.map(({ id, marks }) => [id, marks.length])).toEqual([[row?.id, 1]])
  for (const one of seen) await recordPushedState(sql, one, one.pushed!)
  expect(
    (await listOrdersToPush(sql, { projectId: projectIdOf(storeId), id: connector.id }, '', 10)).map(({ id, marks }) => [id, marks.length]),
  ).toEqual([[row?.id, 1]])
  await tellAll()
})

test('keys that may not write end neither reading nor being called back', async () => {
  await ok('POST', `${at}/webhooks`, { as: owner.token })
  woo.place()
  await ok('POST', `${at}/pull`, { as: key, body: { since: '2026-01-01T00:00:00Z' } })
  await until(async () => (await read()).orders.taken === 5)
  const [order] = (await ok('GET', `/v1/orders?storeId=${storeId}&status=pending`, { as: key })).data
  Object.assign(fault, { order: 'any', status: 403 })
  await ok('PATCH', `/v1/orders/${order.id}`, { as: key, body: { status: 'cancelled' } })
  await requestDueStatusPushes(context)
  const state = async () => (await ok('GET', `/v1/stores/${storeId}/integrations/woocommerce`, { as: owner.token })).data.state
  await until(async () => (await state()) === 'needs_attention')
  const before = (await read()).pull
  await sql`update connectors set next_pull_at = now() - interval '1 hour', subscribed_at = now() - interval '1 day'`
  const isAsked = async (job: string) => (await sql`select 1 from graphile_worker.jobs where task_identifier = ${job}`).length > 0
  await requestDuePulls(context)
  await until(async () => (await read()).pull.startedAt !== before.startedAt && (await read()).pull.status === 'done')
  await requestStaleWebhookRenewals(context)
  await until(async () => !(await isAsked('connectors.registerWebhooks')))
  const { webhooks } = await read()
  expect(Date.parse(webhooks.subscribedAt)).toBeGreaterThan(Date.now() - 60_000)
  // What reading itself is refused for is not asked again until somebody has seen to it.
  await sql`update integrations set attention_operation = 'pull' where id = ${connector.id}`
  await sql`update connectors set next_pull_at = now() - interval '1 hour'`
  await requestDuePulls(context)
  const [waits] = await sql`select next_pull_at < now() as due from connectors where connection_id = ${connector.id}`
  expect(waits).toEqual({ due: true })
})

test('status push: removed shops with pending orders delay no other shop', async () => {
  const [placed] = [woo.place()]
  await ok('POST', `${at}/pull`, { as: key, body: { since: '2026-01-01T00:00:00Z' } })
  await until(async () => (await read()).pull.status === 'done')
  await sql`insert into integrations select (jsonb_populate_record(null::integrations, to_jsonb(i) ||
    jsonb_build_object('id', 'gone_' || n, 'name', 'gone ' || n, 'enabled', false, 'deleted_at', now()))).*
    from integrations i, generate_series(1, 3000) n where i.id = ${connector.id}`
  await sql`insert into connector_orders select (jsonb_populate_record(null::connector_orders, to_jsonb(c) ||
    jsonb_build_object('id', c.id || '_' || n, 'connection_id', 'gone_' || n, 'state', 'waiting', 'order_id', null, 'why', 'goods',
    'pushed', null))).* from (select * from connector_orders where connection_id = ${connector.id} limit 1) c, generate_series(1, 3000) n`
  const { data } = await ok('GET', `${at}/orders?limit=100`, { as: key })
  const [ours] = data.filter(({ externalId }: { externalId: string }) => externalId === String(placed?.id))
  Object.assign(fault, { order: '' })
  await ok('PATCH', `/v1/orders/${ours.orderId}`, { as: key, body: { status: 'cancelled' } })
  expect([...(await listConnectionsToPush(sql, 500))]).toMatchObject([{ connectionId: connector.id }])
  await tellAll()
  expect(asked).toContain(String(placed?.id))
  await sql`delete from connector_orders where connection_id like 'gone_%'`
})

test('status push: when there are more shops than slots, those that wait longest come first', async () => {
  const { storeId: another, owner: other } = await app.shop()
  const { data: second } = await ok('POST', `/v1/stores/${another}/integrations/connectors`, { as: other.token, body: connecting })
  await ok('POST', `/v1/stores/${another}/integrations/connectors/${second.id}/webhooks`, { as: other.token })
  await sql`update integrations set attention = null, attention_operation = null, attention_since = null`
  const ids = [connector.id, second.id]
  // Neither shop answers, however often it is asked.
  const asked: string[] = []
  await sql`update connectors set subscribed_at = now() - interval '2 days', subscribe_asked_at = null`
  for (const _ of [1, 2, 3, 4])
    for (const stale of await listStaleSubscriptions(sql, 20, 1)) {
      asked.push(stale.id)
      await markSubscriptionsChecked(sql, [stale])
    }
  expect(asked).toEqual([...ids, ...ids])
  // A reading that goes on has had its turn.
  await sql`update connectors set pull_status = 'running', pull_since = '2026-01-01T00:00:00Z', next_pull_at = now() - interval '1 minute'`
  await sql`update connectors set next_pull_at = now() - interval '1 hour' where connection_id = ${second.id}`
  const read: string[] = []
  for (const _ of [1, 2, 3])
    for (const due of await listDuePulls(sql, 1)) {
      read.push(due.id)
      await transaction(sql, (tx) => requestPull(tx, due))
    }
  expect(read).toEqual(ids.toReversed())
})
