import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import zimou from '../../adapters/carrier/zimou/index.ts'
import { type Desk, memory, openDesk, shipment } from '../../plugins/carrier/acceptance.ts'
import type { Carrier, Shipment } from '../../plugins/carrier/contract.ts'
import { statusReader } from '../../plugins/carrier/statuses.ts'
import { to } from '../support/simulated-rig.ts'
import { withSpawned } from '../support/spawned-simulator.ts'
import { rig as zimouRig } from './rigs/zimou.ts'

const carrier = zimou as Carrier
const rig = zimouRig(carrier)
const { simulator } = rig
const usual = { ...simulator.habits }
const notes = memory()
afterEach(() => {
  simulator.calm()
  Object.assign(simulator.habits, usual)
})
afterAll(() => simulator.stop())

/** Places are known already. */
const open = (settings: object = {}) => rig.open({ memory: notes, settings: { ...settings } })
const sent = async (parcel = shipment(), desk: Desk = open()) => ({ desk, parcel, sent: await carrier.send(desk.context, parcel) })
const posted = () => JSON.parse(simulator.requests.findLast(({ method }) => method === 'POST')!.body) as Record<string, unknown>
const postedAfter = async (parcel: Shipment, settings: object = {}) => {
  await sent(parcel, open(settings))
  return posted()
}
const trackOne = async ({ context }: Desk, trackingId: string) => (await carrier.track!(context, [trackingId]))[0]
const callsOf = async (work: () => unknown) => {
  const before = simulator.requests.length
  await work()
  return simulator.requests.slice(before).map(({ method, path }) => `${method} ${path.replace('/api/v3/', '')}`)
}

/** A connection to a carrier that gives one answer to everything. */
async function answered(body: unknown, work: (desk: Desk) => Promise<void>, status = 201) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(body, { status }) })
  const desk = openDesk(carrier, { 'zimou.express': `http://127.0.0.1:${server.port}` }, { credentials: rig.credentials, memory: notes })
  await work(desk).finally(() => server.stop(true))
}

describe('what is sent', () => {
  test('every field as the carrier asks for it', async () => {
    const parcel = shipment({
      recipient: { name: 'Amina  Ben Ali', phone: '+213 550-00.00.00', phoneAlt: '0661 00 00 00' },
      weightKg: 2.5,
      dimensions: { lengthCm: 20, widthCm: 10, heightCm: 5 },
      notes: 'Call first',
    })
    expect(await postedAfter(parcel)).toEqual({
      type: 'ecommerce',
      name: 'Test item x1',
      order_id: parcel.reference,
      client_first_name: 'Amina',
      client_last_name: 'Ben Ali',
      client_phone: '0550000000',
      client_phone2: '0661000000',
      wilaya: '31',
      commune: 'Oran',
      address: '12 rue des Tests',
      delivery_type: 'Express',
      price: '3200',
      free_delivery: 'true',
      can_be_opened: false,
      observation: 'Call first',
      weight: 2.5,
      volumetric: { length: 20, width: 10, height: 5 },
    })
  })

  test('the settings decide on service, who pays, opening, units and items', async () => {
    const settings = { homeService: 'Flexible', freeDelivery: false, canBeOpened: true, weightUnit: 'g', quantityItems: 1 }
    expect(await postedAfter(shipment({ weightKg: 0.25 }), settings)).toMatchObject({
      delivery_type: 'Flexible',
      free_delivery: 'false',
      can_be_opened: true,
      weight: 250,
      quantity_items: 1,
    })
  })

  test('it costs one call once the places are known', async () => {
    const desk = rig.open()
    expect(await callsOf(() => carrier.send(desk.context, shipment()))).toEqual([
      'GET helpers/wilayas',
      'GET helpers/communes',
      'POST packages',
    ])
    expect(await callsOf(() => carrier.send(desk.context, shipment()))).toEqual(['POST packages'])
  })

  test('an office goes with the commune in which it lies', async () => {
    const [office] = await carrier.centers!(open().context, { stateId: '31' })
    const { sent: answer } = await sent(to({ deliveryType: 'pickup', pickupId: office!.id, cityName: 'Arzew' }))
    expect(posted()).toMatchObject({ delivery_type: 'Point relais', office_id: Number(office!.id), commune: office!.cityName })
    expect(answer.warnings?.map(({ code }) => code)).toEqual(['destination_rewritten'])
  })

  test.each([
    ['a fraction of a dinar', shipment({ codAmount: 99.5 }), 'whole dinars'],
    ['a foreign number', shipment({ recipient: { name: 'A', phone: '+33612345678' } }), '0550000000'],
    ['no name', shipment({ recipient: { name: ' ', phone: '0550000000' } }), 'name'],
    ['another country', to({ country: 'TN' }), 'Algeria'],
    ['a wilaya that is none', to({ stateCode: '77', stateName: 'Orran' }), 'Oran'],
    ['a commune of another wilaya', to({ cityName: 'Hydra' }), 'Hydra'],
    ['a commune written wrongly', to({ cityName: 'Bir Djir' }), 'Bir El Djir'],
    ['an office that is not chosen', to({ deliveryType: 'pickup' }), 'pickupId'],
    ['an unknown office', to({ deliveryType: 'pickup', pickupId: '9999' }), '3101'],
  ])('refused before the carrier is asked: %s', async (_, parcel, hint) => {
    const before = simulator.packages().length
    await expect(sent(parcel)).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining(hint) })
    expect(simulator.packages().length).toBe(before)
  })
})

describe('the answer', () => {
  test('tells both tracking codes, and where the label stands', async () => {
    const { sent: answer } = await sent()
    expect(answer).toEqual({
      trackingId: expect.stringMatching(/^ZEX-/),
      labelUrl: expect.stringMatching(/^https:\/\/zimou\.express\/print\/\d+$/),
      carrierData: {
        id: expect.any(Number),
        partner: 'Yalidine',
        partnerTracking: expect.stringMatching(/^yal-/),
        bordereau: expect.any(String),
        deliveryPrice: 450,
      },
    })
  })

  test('is 201 with a refusal inside: the carrier’s own words, and no package', async () => {
    const stale = memory()
    const desk = rig.open({ memory: stale })
    await carrier.send(desk.context, shipment())
    await stale.set('communes:31', { at: Date.now(), value: [{ id: 1, name: 'Oranville', wilayaId: 31 }] })
    const parcel = to({ cityName: 'Oranville' })
    await expect(sent(parcel, desk)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining("La commune: Oranville n'existe pas"),
    })
    expect(simulator.packages(parcel.reference)).toEqual([])
  })

  test.each([
    ['a refusal together with a package', { error: 1, message: 'Non', data: { tracking_code: 'ZEX-1' } }],
    ['neither refusal nor package', { error: 0, message: 'Ok', data: {} }],
    ['nothing', null],
  ])('that is %s leaves the outcome unknown', async (_, body) => {
    await sent()
    await answered(body, async (desk) => {
      await expect(sent(shipment(), desk)).rejects.toMatchObject({ reason: 'unavailable' })
    })
  })

  test('counts as a success even where nothing can be noted: the package is made', async () => {
    const broken = { ...notes, set: () => Promise.reject(new Error('the disk is full')) }
    const desk = rig.open({ memory: broken })
    const { sent: answer } = await sent(shipment(), desk)
    expect(answer.trackingId).toStartWith('ZEX-')
    expect(desk.logged.length).toBe(1)
  })
})

test('one reference sent twice is two packages, which is why nothing is repeated', async () => {
  const { desk, parcel } = await sent()
  await sent(parcel, desk)
  expect(simulator.packages(parcel.reference).length).toBe(2)
  expect(carrier.exactlyOnce).toBe('unsafe')
})

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
    const desk = openDesk(carrier, { 'zimou.express': simulator.url }, { credentials: rig.credentials, memory: notes, now: () => now })
    const { sent: answer } = await sent(shipment(), desk)
    const at = async (status: string) => {
      simulator.advance(answer.trackingId, status)
      return (await trackOne(desk, answer.trackingId))?.at
    }
    expect(await at('13 TENTATIVE ÉCHOUÉE 1')).toBe('2027-03-01T12:00:00.000Z')
    now += 3_600_000
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

  test('several are addresses: a download each would use up the quota', async () => {
    const { labels, calls } = await labelsOf(3)
    expect([labels.filter(({ url }) => url).length, calls]).toEqual([3, 0])
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

test('an office belongs to a partner; one whose commune nobody lists is left out', async () => {
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
