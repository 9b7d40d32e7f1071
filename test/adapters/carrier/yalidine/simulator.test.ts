import { afterEach, describe, expect, test } from 'bun:test'
import companies from '../../../../adapters/carrier/yalidine/index.ts'
import { createStorage, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import { type Carrier, CarrierError } from '../../../../plugins/carrier/contract.ts'
import { withSpawned } from '../../../support/spawned-simulator.ts'
import { startYalidine, usualLimits, type Yalidine, type YalidineOptions } from './simulator.ts'

const carrier = companies[0] as Carrier
const running: Yalidine[] = []
const start = (options: YalidineOptions = {}) => {
  const simulator = startYalidine(options)
  running.push(simulator)
  return simulator
}
afterEach(() => Promise.all(running.splice(0).map((simulator) => simulator.stop())))

const ask = ({ url, credentials }: Yalidine, path = 'wilayas/') =>
  fetch(`${url}/v1/${path}`, { headers: { 'x-api-id': credentials.apiId, 'x-api-token': credentials.apiToken } })

describe('quota', () => {
  test('has four windows, each from its first request', async () => {
    let now = 1_000_000_000_500
    const simulator = start({ limits: usualLimits, now: () => now })
    const first = await ask(simulator)
    expect(['second', 'minute', 'hour', 'day'].map((name) => first.headers.get(`x-${name}-quota-left`))).toEqual(['4', '49', '999', '9999'])
    now += 900
    for (let count = 0; count < 4; count++) expect((await ask(simulator)).status).toBe(200)
    const over = await ask(simulator)
    expect([over.status, over.headers.get('retry-after')]).toEqual([429, '1'])
    now += 100
    expect((await ask(simulator)).status).toBe(200)
  })

  test('the longest wait is told', async () => {
    const simulator = start({ limits: { ...usualLimits, second: 100, minute: 1 } })
    await ask(simulator)
    expect((await ask(simulator)).headers.get('retry-after')).toBe('60')
  })
})

test('lists come in pages, with filters and chosen columns', async () => {
  const simulator = start()
  const page = (await (await ask(simulator, 'communes/?wilaya_id=16,31&page_size=50&page=2&fields=id,wilaya_id')).json()) as {
    has_more: boolean
    total_data: number
    data: { id: number; wilaya_id: number }[]
  }
  expect(page).toMatchObject({ has_more: false, total_data: 83 })
  expect(page.data.length).toBe(33)
  expect(Object.keys(page.data[0]!)).toEqual(['id', 'wilaya_id'])
})

test('an order_id posted twice makes two parcels', async () => {
  const simulator = start()
  const { context } = openDesk(
    carrier,
    { [carrier.net[0]!]: simulator.url },
    { credentials: simulator.credentials, settings: { fromStateCode: '16' } },
  )
  const parcel = shipment()
  for (let count = 0; count < 2; count++) await carrier.send(context, parcel)
  expect(simulator.parcels(parcel.reference).length).toBe(2)
})

test('yalidine: recovering from lost answers leaves one parcel for each reference', async () => {
  const simulator = start({
    seed: 42,
    faults: { loseAnswer: 0.25, error500: 0.1, error500After: 0.1, malformed: 0.1, rateLimit: 0.1 },
  })
  const notes = createStorage()
  const open = () =>
    openDesk(
      carrier,
      { [carrier.net[0]!]: simulator.url },
      { credentials: simulator.credentials, settings: { fromStateCode: '16' }, storage: notes },
    )
  const deliverOnce = async (parcel: ReturnType<typeof shipment>) => {
    for (let tries = 0; tries < 50; tries++) {
      try {
        return (await carrier.send(open().context, parcel)).trackingId
      } catch (error) {
        if (!(error instanceof CarrierError)) throw error
        const found = error.reason === 'unavailable' && (await carrier.findByReference!(open().context, parcel.reference))
        if (found) return found.trackingId
      }
    }
    throw new Error('It was never sent.')
  }
  const parcels = Array.from({ length: 200 }, () => shipment())
  const sent = await Promise.all(parcels.map(deliverOnce))
  expect(parcels.map(({ reference }) => simulator.parcels(reference).map(({ tracking }) => tracking))).toEqual(sent.map((one) => [one]))
  expect(simulator.requests.filter(({ method }) => method === 'POST').length).toBeGreaterThan(210)
})

test('the same seed fails in the same places', async () => {
  const statuses = async () => {
    const simulator = start({ seed: 5, faults: { on: '^GET', error500: 0.5 } })
    const found: number[] = []
    for (let count = 0; count < 20; count++) found.push((await ask(simulator)).status)
    return found
  }
  const first = await statuses()
  expect(await statuses()).toEqual(first)
  expect(new Set(first)).toEqual(new Set([200, 500]))
})

test('yalidine simulator: it verifies a callback address and delivers signed callbacks', async () => {
  const simulator = start()
  const received: { signature: string | null; body: string }[] = []
  const shop = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const token = new URL(request.url).searchParams.get('crc_token')
      if (request.method === 'GET') return new Response(token)
      received.push({ signature: request.headers.get('x-yalidine-signature'), body: await request.text() })
      return new Response('busy', { status: 503 })
    },
  })
  expect(await simulator.crc(`${shop.url}hook`)).toBe(true)
  const callback = simulator.callback('parcel_deleted', ['yal-1', 'yal-2'])
  expect(await simulator.deliver(`${shop.url}hook`, callback)).toEqual({ status: 503, body: 'busy' })
  expect(received).toEqual([{ signature: callback.headers['x-yalidine-signature']!, body: new TextDecoder().decode(callback.body) }])
  await shop.stop(true)
})

test('yalidine simulator: it runs as a process of its own and is controlled over HTTP', () =>
  withSpawned('yalidine', async ({ url, control }) => {
    const { credentials } = (await control('account')) as Yalidine
    const { context } = openDesk(carrier, { [carrier.net[0]!]: url }, { credentials, settings: { fromStateCode: '16' } })
    const parcel = shipment()
    const { trackingId: tracking } = await carrier.send(context, parcel)
    expect(await control(`parcels?order_id=${parcel.reference}`)).toMatchObject([{ tracking }])
    await control('advance', { tracking, status: 'Livré' })
    await control('pay', { tracking, status: 'payed', paymentId: 'pmt-9' })
    expect(await carrier.track!(context, [tracking])).toMatchObject([{ carrierStatus: 'Livré', cash: { payoutId: 'pmt-9' } }])
    await control('faults', { on: '^GET', error500: 1 })
    await expect(carrier.states!(context)).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await control('callback', { type: 'parcel_status_updated', events: [tracking] })).toMatchObject({
      headers: expect.anything(),
    })
    expect(await control('nonsense', {})).toMatchObject({ error: { code: 404 } })
  }))
