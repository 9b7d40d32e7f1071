import { afterAll, describe, expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../../core/lib/durations.ts'
import type { PollState } from '../../../core/logistics/parcels/polls.ts'
import { enqueueDuePolls } from '../../../core/logistics/tracking/poll-carriers.ts'
import { nextPollTime } from '../../../core/logistics/tracking/poll-schedule.ts'
import { startYalidine } from '../../adapters/carrier/yalidine/simulator.ts'
import { startApp } from '../../support/app.ts'
import { allOf } from '../../support/pages.ts'
import { untilValue } from '../../support/until.ts'

const simulator = startYalidine({})
afterAll(() => simulator.stop())
const { call, ok, shop, person, context } = await startApp({ simulators: { 'api.yalidine.app': simulator.url } })
await person('The administrator')
const { storeId, owner, key } = await shop()
const base = `/v1/stores/${storeId}/integrations/yalidine`
await ok('PUT', base, {
  as: owner.token,
  body: { enabled: true, credentials: { ...simulator.credentials }, settings: { fromStateCode: '16' } },
})
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 2500 } })

async function sent(phone = '0550123456') {
  const { data: order } = await ok('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Lina B', phone },
      items: [{ productId: product.id, quantity: 1 }],
      destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home' },
    },
  })
  const { data } = await ok('POST', `/v1/stores/${storeId}/orders/${order.id}/carriers/yalidine/send`, { as: owner.token, body: {} })
  return data.parcel as { id: string; trackingId: string }
}

const parcelOf = async (id: string) => (await ok('GET', `/v1/parcels/${id}`, { as: key })).data
const eventsOf = async (id: string) =>
  (await ok('GET', `/v1/parcels/${id}/events?limit=100`, { as: key })).data as { source: string; to?: string }[]
/** After what the carrier wrote down when it took the parcel. */
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** Questions for news, apart from others of the same account. */
const asked = () => simulator.requests.filter(({ path }) => path.includes('tracking=')).length

const pollAt = async (id: string) =>
  (await context.sql<{ pollAt: string | null }[]>`select poll_at from parcels where id = ${id}`)[0]!.pollAt
const makeDue = (id: string) => context.sql`update parcels set poll_at = now() - interval '1 second' where id = ${id}`

describe('the poller', () => {
  test('asks for what is due, and what it hears moves parcels with the source "poller"', async () => {
    const parcels = await Promise.all([sent(), sent(), sent()])
    for (const { id, trackingId } of parcels) {
      expect(Date.parse((await pollAt(id))!)).toBeGreaterThan(Date.now() + 15 * 60_000)
      simulator.advance(trackingId, 'Expédié')
      await makeDue(id)
    }
    simulator.advance(parcels[0]!.trackingId, 'Sorti en livraison')
    const before = asked()
    await enqueueDuePolls(context)
    await untilValue(
      () => parcelOf(parcels[2]!.id),
      ({ status }) => status === 'in_transit',
    )
    await untilValue(
      () => parcelOf(parcels[0]!.id),
      ({ status }) => status === 'out_for_delivery',
    )
    expect((await eventsOf(parcels[2]!.id)).map(({ source }) => source)).toContain('poller')
    // One call for all three.
    expect(asked() - before).toBe(1)
    await untilValue(
      () => pollAt(parcels[0]!.id),
      (at) => Date.parse(at!) > Date.now() + 60 * 60_000,
    )
    await enqueueDuePolls(context)
    expect(asked() - before).toBe(1)
  })

  test('stops asking when the parcel is at its end, and after sixty days without news', async () => {
    const [returned, silent] = [await sent(), await sent()]
    simulator.advance(returned.trackingId, 'Retourné au vendeur')
    await context.sql`update parcels set submitted_at = now() - interval '61 days', last_report_at = now() - interval '61 days' where id = ${silent.id}`
    for (const step of simulator.parcels().find(({ tracking }) => tracking === silent.trackingId)!.history)
      Object.assign(step, { at: step.at - 61 * DAY_MS })
    await makeDue(returned.id)
    await makeDue(silent.id)
    await enqueueDuePolls(context)
    await untilValue(
      () => parcelOf(returned.id),
      ({ status }) => status === 'returned',
    )
    expect(
      await untilValue(
        () => pollAt(silent.id),
        (at) => at === null,
      ),
    ).toBeNull()
    expect(await pollAt(returned.id)).toBeNull()
  })

  test('a connection that is off is not asked', async () => {
    const parcel = await sent()
    await makeDue(parcel.id)
    await ok('POST', `${base}/enable`, { as: owner.token, body: { enabled: false } })
    const before = asked()
    await enqueueDuePolls(context)
    await Bun.sleep(200)
    expect(asked()).toBe(before)
    await ok('POST', `${base}/enable`, { as: owner.token, body: { enabled: true } })
  })

  const watched: PollState = { status: 'in_transit', cashStatus: 'none', codAmount: '2500.0000', submittedAt: null, lastReportAt: null }
  const now = Date.parse('2026-05-01T00:00:00Z')
  const hours = (change: Partial<PollState>, silentHours: number, { callsBack = false }: { readonly callsBack?: boolean } = {}) => {
    const lastReportAt = new Date(now - silentHours * HOUR_MS).toISOString()
    const at = nextPollTime({ ...watched, lastReportAt, ...change }, { callsBack }, now)
    return at === null ? null : (at - now) / HOUR_MS
  }

  test('the longer it is silent the more seldom it is asked for', () => {
    for (const [silent, every] of [
      [1, 1 / 3],
      [12, 1],
      [48, 2],
      [100, 6],
      [400, 12],
      [1200, 24],
    ] as const) {
      expect(hours({}, silent)! / every).toBeGreaterThanOrEqual(0.9)
      expect(hours({}, silent)! / every).toBeLessThanOrEqual(1.1)
    }
    expect(hours({}, 60 * 24 + 1)).toBeNull()
    expect(hours({}, 1, { callsBack: true })!).toBeGreaterThan(1.7)
  })

  test('a delivered parcel is asked for until its money came', () => {
    expect(hours({ status: 'delivered', cashStatus: 'collected' }, 1)!).toBeGreaterThan(1.7)
    expect(hours({ status: 'delivered', cashStatus: 'paid_out' }, 1)).toBeNull()
    expect(hours({ status: 'delivered', codAmount: '0.0000' }, 1)).toBeNull()
    expect(hours({ status: 'cancelled' }, 1)).toBeNull()
  })
})

describe('raw statuses that nobody knows', () => {
  const inbox = async () =>
    (await ok('GET', `${base}/statuses/unknown`, { as: owner.token })).data as { raw: string; count: number; sampleParcelId: string }[]
  const sync = async () => {
    await ok('POST', `${base}/sync`, { as: owner.token })
    await untilValue(
      async () => (await ok('GET', `${base}/sync/status`, { as: owner.token })).data.status as string,
      (status) => status === 'done' || status === 'failed',
    )
  }

  test('wait in an inbox, are mapped once, and move what waits for them in its own order of time', async () => {
    const [waiting, overtaken] = [await sent(), await sent()]
    for (const { trackingId } of [waiting, overtaken]) simulator.advance(trackingId, 'Déposé chez le voisin', { at: inMinutes(1) })
    await sync()
    expect((await parcelOf(waiting.id)).status).toBe('submitted')
    const [row] = await inbox()
    expect(row).toMatchObject({ raw: 'Déposé chez le voisin', count: 2 })
    expect([waiting.id, overtaken.id]).toContain(row!.sampleParcelId)
    // Newer news of the second comes before anybody looks into the inbox.
    simulator.advance(overtaken.trackingId, 'Retour vers vendeur', { at: inMinutes(2) })
    await sync()

    const mapped = await ok('PUT', `${base}/statuses`, {
      as: owner.token,
      body: { raw: 'DEPOSE chez  le voisin', status: 'delivered', cash: 'collected' },
    })
    expect(mapped.data).toMatchObject({ status: 'delivered', cash: 'collected', flag: null })
    const moved = await untilValue(
      () => parcelOf(waiting.id),
      ({ status }) => status === 'delivered',
    )
    expect(Math.abs(Date.parse(moved.deliveredAt) - Date.parse(inMinutes(1)))).toBeLessThan(60_000)
    expect(moved.cashStatus).toBe('collected')
    expect((await parcelOf(overtaken.id)).status).toBe('returning')
    expect(await inbox()).toEqual([])

    const next = await sent()
    simulator.advance(next.trackingId, 'déposé chez le voisin')
    await sync()
    expect((await parcelOf(next.id)).status).toBe('delivered')
    expect(await inbox()).toEqual([])
  })

  test("a connection's own reading goes before the adapter's, until it is taken back", async () => {
    await ok('PUT', `${base}/statuses`, { as: owner.token, body: { raw: 'Centre', status: 'out_for_delivery' } })
    const parcel = await sent()
    simulator.advance(parcel.trackingId, 'Centre')
    await sync()
    expect((await parcelOf(parcel.id)).status).toBe('out_for_delivery')
    expect((await call('DELETE', `${base}/statuses?raw=centre`, { as: owner.token })).status).toBe(204)
    expect((await call('DELETE', `${base}/statuses?raw=centre`, { as: owner.token })).status).toBe(404)
    const { data } = await ok('GET', `${base}/statuses`, { as: owner.token })
    expect(data.map(({ raw }: { raw: string }) => raw)).not.toContain('Centre')
  })

  test('nobody maps a status for somebody else, or to what no carrier can say', async () => {
    const other = await shop()
    const body = { raw: 'x', status: 'delivered' }
    expect((await call('PUT', `${base}/statuses`, { as: other.owner.token, body })).status).toBe(404)
    expect((await call('PUT', `${base}/statuses`, { body })).status).toBe(401)
    expect((await call('PUT', `${base}/statuses`, { as: owner.token, body: { raw: 'x', status: 'created' } })).status).toBe(400)
    expect((await call('PUT', `${base}/statuses`, { as: owner.token, body: { raw: '--', status: 'delivered' } })).status).toBe(400)
  })
})

test("traces: a parcel's trace has the requests and answers, and no secret", async () => {
  const parcel = await sent()
  const read = () => ok('GET', `/v1/parcels/${parcel.id}/trace`, { as: key })
  const { data } = await untilValue(read, ({ data }) => data.length > 0)
  const [send] = data
  expect(send).toMatchObject({ operation: 'send', outcome: 'ok', message: null })
  const exchange = send.exchanges.at(-1)
  expect(exchange).toMatchObject({ method: 'POST', url: 'https://api.yalidine.app/v1/parcels/', status: 200, error: null })
  expect(exchange.request).toContain('"contact_phone":"0550123456"')
  expect(exchange.response).toContain(parcel.trackingId)
  expect(JSON.stringify(data)).not.toContain(simulator.credentials.apiToken)
  const other = await shop()
  expect((await call('GET', `/v1/parcels/${parcel.id}/trace`, { as: other.key })).status).toBe(404)
})

test('recipient score: it counts parcels of the whole platform and reveals nothing else', async () => {
  const phone = '0661000001'
  const [taken, back] = [await sent(phone), await sent(phone)]
  simulator.advance(taken.trackingId, 'Livré')
  simulator.advance(back.trackingId, 'Retourné au vendeur')
  await ok('POST', `${base}/sync`, { as: owner.token })
  await untilValue(
    () => parcelOf(back.id),
    ({ status }) => status === 'returned',
  )
  const other = await shop()
  const elsewhere = `/v1/stores/${other.storeId}/integrations/sandbox`
  await ok('PUT', elsewhere, { as: other.owner.token, body: { enabled: true, credentials: { webhookSecret: 'x' } } })
  const { data } = await ok('POST', `${elsewhere}/scoring`, { as: other.owner.token, body: { phone: '+213 661 00 00 01' } })
  expect(data).toEqual({ phone: '+213661000001', parcels: 2, delivered: 1, returned: 1, score: 0.5 })
})

test("the carrier's places are matched to ours, and what is left over is listed", async () => {
  const matches = await allOf<{ cityCode: string; name: string }>({ ok }, `${base}/geo/matches`, owner.token)
  const leftovers = await allOf<{ of: string; name: string }>({ ok }, `${base}/geo/leftovers`, owner.token)
  expect(matches.length).toBeGreaterThan(1_500)
  expect(matches).toContainEqual(expect.objectContaining({ cityCode: '3101', stateCode: '31', name: 'Oran' }))
  expect(leftovers.filter(({ of }) => of === 'carrier')).toEqual([])
  expect(matches.length + leftovers.filter(({ of }) => of === 'catalogue').length).toBe(1_541)
})
