import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { HOUR_MS } from '../../../../core/lib/durations.ts'
import { type Desk, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import { statusReader } from '../../../../plugins/carrier/statuses.ts'
import { withSpawned } from '../../../support/spawned-simulator.ts'
import { carrier, connected } from './rig.ts'

const zimou = connected()
const { rig, simulator, notes, open, sent, callsOf, answered } = zimou
afterEach(() => zimou.reset())
afterAll(() => simulator.stop())

const trackOne = async ({ context }: Desk, trackingId: string) => (await carrier.track!(context, [trackingId]))[0]

describe('statuses', () => {
  const read = statusReader(carrier.statuses)
  const of = (id: number) => read(Object.keys(carrier.statuses).find((word) => word.startsWith(`${id} `)) ?? '')

  test('every id that is known has a meaning', () => {
    const known = [...Array.from({ length: 46 }, (_, at) => at + 1), 83, 112, 113, 114, 115, 116, 118]
    expect(known.filter((id) => of(id) === undefined)).toEqual([])
    expect(Object.keys(carrier.statuses).length).toBe(known.length)
  })

  test('what is damaged came back, what is refused is not back yet, what waits moves nothing on', () => {
    expect([of(32), of(38)]).toEqual([
      { status: 'returned', flag: 'damaged' },
      { status: 'returned', flag: 'damaged' },
    ])
    expect([of(22), of(18), of(12), of(36), of(118)]).toEqual([
      { status: 'delivery_failed' },
      { status: 'returning' },
      { status: 'submitted' },
      {},
      { status: 'lost' },
    ])
  })

  test.each([
    ['8 LIVRÉ', '8 LIVRÉ'],
    ['8 Livre  au client !', '8 LIVRÉ'],
    ['13 Tentative', '13 TENTATIVE ÉCHOUÉE 1'],
    ['47 COLIS MIS DE CÔTÉ', '47 COLIS MIS DE CÔTÉ'],
    ['COLIS SANS NUMÉRO', 'COLIS SANS NUMÉRO'],
  ])('the id decides, whatever the name: %p is read as %p', async (written, word) => {
    const { desk, sent: answer } = await sent()
    simulator.advance(answer.trackingId, written)
    expect((await trackOne(desk, answer.trackingId))?.carrierStatus).toBe(word)
  })
})

describe('reading', () => {
  test('a status counts from when it was first read, since the carrier tells no times', async () => {
    let now = Date.parse('2027-03-01T12:00:00Z')
    const desk = openDesk(carrier, { 'zimou.express': simulator.url }, { credentials: rig.credentials, storage: notes, now: () => now })
    const { sent: answer } = await sent(shipment(), desk)
    const at = async (status: string) => {
      simulator.advance(answer.trackingId, status)
      return (await trackOne(desk, answer.trackingId))?.at
    }
    expect(await at('13 TENTATIVE ÉCHOUÉE 1')).toBe('2027-03-01T12:00:00.000Z')
    now += HOUR_MS
    expect(await at('13 TENTATIVE ÉCHOUÉE 1')).toBe('2027-03-01T12:00:00.000Z')
    expect(await at('14 TENTATIVE ÉCHOUÉE 2')).toBe('2027-03-01T13:00:00.000Z')
  })

  test('a single package comes with amount, fee and label; several with their statuses, in one call', async () => {
    const { desk, parcel, sent: one } = await sent()
    const { sent: other } = await sent(shipment(), desk)
    expect(await trackOne(desk, one.trackingId)).toMatchObject({
      reference: parcel.reference,
      codAmount: 3200,
      deliveryFee: 450,
      labelUrl: one.labelUrl!,
    })
    expect(await callsOf(() => carrier.track!(desk.context, [one.trackingId, other.trackingId]))).toEqual(['GET packages/status'])
  })

  test('the amount that cannot be read never hides the status', async () => {
    const { desk, sent: answer } = await sent()
    Object.assign(simulator.faults, { on: '^GET /api/v3/packages/\\d+$', error500: 1 })
    expect(await trackOne(desk, answer.trackingId)).toEqual({
      trackingId: answer.trackingId,
      carrierStatus: '1 EN PREPARATION',
      at: expect.any(String),
    })
    expect(desk.logged.length).toBe(1)
  })

  test('statuses inside data are read too, and an empty list is none', async () => {
    const { desk, sent: answer } = await sent()
    simulator.habits.wraps = true
    expect((await trackOne(desk, answer.trackingId))?.codAmount).toBe(3200)
    expect(await carrier.track!(desk.context, ['no-such-package'])).toEqual([])
    simulator.habits.wraps = false
    expect(await carrier.track!(desk.context, ['no-such-package'])).toEqual([])
  })

  test('an answer about something else is no answer', async () => {
    for (const body of [{ 'ZEX-other': { status_id: 8 } }, 'ok', [{ status_id: 8 }]])
      await answered(body, async ({ context }) => {
        await expect(carrier.track!(context, ['ZEX-1']) as Promise<unknown>).rejects.toMatchObject({ reason: 'unavailable' })
      })
  })
})

describe('cancelling', () => {
  test('is believed when the package is gone, however that was answered', async () => {
    simulator.habits.deletesSilently = true
    const { desk, parcel, sent: answer } = await sent()
    await carrier.cancel!(desk.context, answer.trackingId)
    expect(simulator.packages(parcel.reference)).toEqual([])
  })

  test('is not believed while the carrier still shows the package', async () => {
    simulator.habits.deletesNothing = true
    const { desk, sent: answer } = await sent()
    await expect(carrier.cancel!(desk.context, answer.trackingId) as Promise<unknown>).rejects.toMatchObject({
      reason: 'refused',
      upstream: { code: 'not_deleted' },
    })
  })

  test('of one that is on its way is refused in the carrier’s words', async () => {
    const { desk, sent: answer } = await sent()
    simulator.advance(answer.trackingId, '3 EXPEDIE')
    await expect(carrier.cancel!(desk.context, answer.trackingId) as Promise<unknown>).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('ne peut plus être supprimé'),
    })
  })
})

describe('labels', () => {
  const labelsOf = async (count: number) => {
    const desk = open()
    const trackingIds: string[] = []
    for (let at = 0; at < count; at++) trackingIds.push((await sent(shipment(), desk)).sent.trackingId)
    const calls = simulator.requests.length
    const labels = await carrier.labels!(desk.context, trackingIds)
    return { labels, calls: simulator.requests.length - calls, undeclared: desk.undeclared }
  }

  test('one PDF comes as bytes', async () => {
    const { labels } = await labelsOf(1)
    expect(labels).toEqual([{ trackingId: expect.any(String), contentType: 'application/pdf', base64: expect.stringMatching(/^JVBERi0/) }])
  })

  test('a page, and what stands on another host, is an address for a person', async () => {
    simulator.habits.prints = 'page'
    expect((await labelsOf(1)).labels[0]).toMatchObject({ contentType: 'text/html', url: expect.stringContaining('/print/') })
    simulator.habits.printHost = 'labels.example'
    expect(await labelsOf(1)).toMatchObject({ labels: [{ url: expect.stringContaining('https://labels.example/') }], undeclared: [] })
  })

  test('several are fetched one by one, so that they become one PDF; what does not come stays an address', async () => {
    const { labels, calls } = await labelsOf(3)
    expect([labels.filter(({ base64 }) => base64).length, calls]).toEqual([3, 3])
    Object.assign(simulator.faults, { on: '^GET /print/', error500: 1 })
    expect((await labelsOf(2)).labels.map(({ url }) => url)).toEqual([expect.any(String), expect.any(String)])
  })

  test('an address that was not told at first is asked for', async () => {
    simulator.habits.prints = 'nothing'
    const { desk, sent: answer } = await sent()
    expect(answer.labelUrl).toBeUndefined()
    await expect(carrier.labels!(desk.context, [answer.trackingId]) as Promise<unknown>).rejects.toMatchObject({ reason: 'not_found' })
    simulator.habits.prints = 'pdf'
    expect((await carrier.labels!(desk.context, [answer.trackingId]))[0]?.base64).toBeString()
  })
})

describe('prices', () => {
  test('the dearest partner counts, nothing is no offer', async () => {
    const { context } = rig.open()
    expect(await carrier.rates!(context, { stateCode: '31' })).toEqual([
      { service: 'Express', deliveryType: 'home', price: 760, currency: 'DZD' },
      { service: 'Flexible', deliveryType: 'home', price: 660, currency: 'DZD' },
      { service: 'Point relais', deliveryType: 'pickup', price: 560, currency: 'DZD' },
    ])
    expect((await carrier.rates!(context, { stateCode: '58', deliveryType: 'home' })).map(({ service }) => service)).toEqual(['Express'])
    expect((await carrier.fees!(context, {})).length).toBe(58)
  })

  test('the connection says which column and which service are its own', async () => {
    const fee = (settings: object) => carrier.fees!(rig.open({ settings: { ...settings } }).context, { stateCode: '31' })
    expect(await fee({})).toEqual([{ stateCode: '31', home: 760, pickup: 560 }])
    expect(await fee({ priceColumn: 'price2', homeService: 'Flexible' })).toEqual([{ stateCode: '31', home: 685, pickup: 585 }])
    expect(await fee({ priceColumn: 'price3' })).toEqual([])
  })
})

test('zimou: an office belongs to a partner; an office of an unlisted commune is left out', async () => {
  const { context } = open()
  const offices = await carrier.centers!(context, {})
  expect(offices.length).toBe(58)
  expect(offices.find(({ stateId }) => stateId === '31')?.name).toBe('Agence Oran (Maystro)')
  const cities = await carrier.cities!(context, { stateId: '31' })
  expect(cities.filter(({ pickup }) => pickup).length).toBe(1)
})

test('the simulator runs as a process of its own and is steered from outside', () =>
  withSpawned('zimou', async ({ url, control }) => {
    const { credentials } = (await control('account')) as { credentials: Record<string, string> }
    const desk = openDesk(carrier, { 'zimou.express': url }, { credentials })
    const { trackingId: tracking } = await carrier.send(desk.context, shipment())
    await control('advance', { tracking, status: '7 SORTIE EN LIVRAISON' })
    expect((await trackOne(desk, tracking))?.carrierStatus).toBe('7 SORTIE EN LIVRAISON')
  }))
