import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { createStorage, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { CarrierContext } from '../../../../plugins/carrier/contract.ts'
import { statusReader } from '../../../../plugins/carrier/statuses.ts'
import { withSpawned } from '../../../support/spawned-simulator.ts'
import { carrier, connected, rig as rigFor, stopAll, to } from './rig.ts'

const rig = connected()
const { simulator } = rig
afterEach(() => simulator.calm())
afterAll(stopAll)

const bodyOf = (method: string, path: string, at = simulator) =>
  JSON.parse(at.requests.findLast((call) => call.method === method && call.path.startsWith(path))!.body) as Record<string, unknown>
const created = (at = simulator) => bodyOf('POST', '/api/stores/orders/', at)
const statusOf = (id: string) =>
  simulator
    .orders()
    .find((order) => order.id === id)!
    .history.at(-1)!.status
const writes = () => simulator.requests.filter(({ method }) => method !== 'GET').length
const minute = (count: number) => new Date(Date.UTC(2027, 0, 5, 10, count)).toISOString()

describe('parcels that are sent', () => {
  test('every field as the carrier asks for it, places by its own numbers', async () => {
    const parcel = shipment({
      notes: ' Call first ',
      recipient: { name: ' Amina Ben Ali ', phone: '+213 550-00.00.00', phoneAlt: '0661000000' },
    })
    const { warnings, trackingId, carrierData } = await carrier.send(rig.open().context, parcel)
    const sent = created()
    expect(sent).toEqual({
      source: 4,
      external_order_id: parcel.reference,
      customer_name: 'Amina Ben Ali',
      customer_phone: '0550000000',
      wilaya: 131,
      commune: expect.any(Number),
      destination_text: '12 rue des Tests',
      product_price: 3200,
      delivery_type: 1,
      express: false,
      note_to_driver: 'Call first',
      products: [{ quantity: 1, logistical_description: 'Test item x1' }],
    })
    const cities = await carrier.cities!(rig.open().context, { stateId: '131' })
    expect(cities.find(({ id }) => id === String(sent.commune))?.name).toBe('Oran')
    expect(warnings?.map(({ code }) => code)).toEqual(['phone_alt_not_sent'])
    const [order] = simulator.orders(parcel.reference)
    expect([trackingId, carrierData]).toEqual([order!.id, { displayId: order!.display_id }])
  })

  test.each([
    ['1 and 2', [1, 2]],
    ['0 and 1', [0, 1]],
  ] as const)('home and stop desk are numbered %s', async (deliveryTypeNumbers, types) => {
    const other = connected({ types }, { deliveryTypeNumbers, express: true })
    const { context } = other.open()
    await carrier.send(context, shipment())
    expect(created(other.simulator)).toMatchObject({ delivery_type: types[0], express: true })
    await carrier.send(context, to({ deliveryType: 'pickup', pickupId: '12' }))
    expect(created(other.simulator)).toMatchObject({ delivery_type: types[1], stop_desk_id: 12 })
    await carrier.send(context, to({ deliveryType: 'pickup' }))
    expect(created(other.simulator)).not.toHaveProperty('stop_desk_id')
  })

  test.each(['Token', 'bare'] as const)('the token is sent with the scheme %s, to the server chosen', async (scheme) => {
    const other = connected({ scheme }, { authScheme: scheme, host: 'b.maystro-delivery.com' })
    const { context, asked } = other.open()
    await carrier.send(context, shipment())
    expect(new Set(asked)).toEqual(new Set(['b.maystro-delivery.com']))
    const wrong = other.open({ settings: { authScheme: scheme === 'bare' ? 'Token' : 'bare' } })
    await expect(carrier.testConnection(wrong.context)).rejects.toMatchObject({ reason: 'unauthorized' })
  })

  test.each([
    ['a fraction of a dinar', shipment({ codAmount: 99.5 }), 'whole dinars'],
    ['a foreign number', shipment({ recipient: { name: 'A B', phone: '+33612345678' } }), '0550000000'],
    ['no name', shipment({ recipient: { name: ' ', phone: '0550000000' } }), 'name'],
    ['another country', to({ country: 'TN' }), 'Algeria'],
    ['a wilaya that is none', to({ stateCode: '77', stateName: 'Orran' }), 'Oran'],
    ['a commune of another wilaya', to({ cityName: 'Hydra' }), 'Hydra'],
    ['a commune that is none', to({ cityName: 'Bir Djir' }), 'Bir El Djir'],
  ])('%s is refused before the carrier is asked', async (_, parcel, hint) => {
    const before = writes()
    await expect(carrier.send(rig.open().context, parcel)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining(hint),
    })
    expect(writes()).toBe(before)
  })

  test("an error of a field is reported in the carrier's words", async () => {
    await expect(carrier.send(rig.open().context, rig.refusable!())).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('product_price: A valid integer is required.'),
    })
  })

  test('a send costs one call once the places are known', async () => {
    const notes = createStorage()
    const cost = async () => {
      const before = simulator.requests.length
      await carrier.send(rig.open({ storage: notes }).context, shipment())
      return simulator.requests.length - before
    }
    expect([await cost(), await cost()]).toEqual([3, 1])
  })
})

describe('places', () => {
  test.each([
    ['pairs', 'shared'],
    ['objects', 'base'],
    ['page', 'shared'],
  ] as const)('communes as %s, wilayas at %s', async (communesAs, wilayasAt) => {
    const { context } = connected({ communesAs, wilayasAt }).open()
    expect((await carrier.states!(context)).find(({ code }) => code === '31')).toEqual({
      id: '131',
      name: 'Oran',
      code: '31',
      deliverable: true,
    })
    expect((await carrier.cities!(context, { stateId: '131' })).map(({ name }) => name)).toContain('Bir El Djir')
    await carrier.send(context, to({ cityName: 'bir-el djïr' }))
  })

  test('every wilaya has our code, and its usual names lead to it', async () => {
    const { context } = rig.open()
    const states = await carrier.states!(context)
    expect(new Set(states.map(({ code }) => code)).size).toBe(58)
    await carrier.send(context, to({ stateCode: '06', stateName: 'Bejaia', cityName: 'Bejaia' }))
    expect(created().wilaya).toBe(106)
    await carrier.send(context, to({ stateCode: '28', stateName: "M'Sila", cityName: "M'sila" }))
    expect(created().wilaya).toBe(128)
  })
})

describe('the history', () => {
  test('50 is a cancellation while the goods lie with us, and the beginning of a return after that', async () => {
    const { context } = rig.open()
    const read = statusReader(carrier.statuses)
    const walked = async (...codes: string[]) => {
      const { trackingId } = await carrier.send(context, shipment())
      for (const [count, code] of codes.entries()) simulator.advance(trackingId, code, { at: minute(count) })
      return (await carrier.track!(context, [trackingId]))[0]!
    }
    const early = await walked('5', '50')
    expect([early.carrierStatus, read(early.carrierStatus)?.status]).toEqual(['50', 'cancelled'])
    const late = await walked('5', '9', '31', '50')
    expect([late.carrierStatus, read(late.carrierStatus)?.status]).toEqual(['50 after pickup', 'returning'])
    expect(late.history!.map(({ carrierStatus }) => carrierStatus)).toEqual(['4', '5', '9', '31', '50 after pickup'])
    expect((await walked('9', '50', '51', '52')).history!.map(({ carrierStatus }) => read(carrierStatus!)?.status)).toEqual([
      'submitted',
      'in_transit',
      'returning',
      'returning',
      'returned',
    ])
  })

  test('it is the same whichever end it begins at, with comments as reasons', async () => {
    const other = connected({ newestFirst: true })
    const { context } = other.open()
    const { trackingId } = await carrier.send(context, shipment())
    for (const code of ['31', '32', '51']) other.simulator.advance(trackingId, code, { at: minute(1), comment: `why ${code}` })
    const [parcel] = await carrier.track!(context, [trackingId])
    expect(parcel).toMatchObject({ carrierStatus: '51', at: minute(1), codAmount: 3200 })
    expect(parcel!.history!.slice(1).map(({ reason }) => reason)).toEqual(['why 31', 'why 32', 'why 51'])
  })
})

describe('changes', () => {
  test('are told under the carrier’s names', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    await carrier.edit!(context, trackingId, {
      codAmount: 4000,
      recipient: { name: 'Lina Test', phone: '0661000000' },
      destination: to({ cityName: 'Arzew', address: '5 rue neuve' }).destination,
      contents: 'Sock x1',
      notes: '',
    })
    expect(bodyOf('PATCH', '/api/stores/orders/')).toEqual({
      customer_name: 'Lina Test',
      customer_phone: '0661000000',
      wilaya: 131,
      commune: expect.any(Number),
      destination_text: '5 rue neuve',
      product_price: 4000,
      products: [{ quantity: 1, logistical_description: 'Sock x1' }],
      note_to_driver: '',
    })
  })

  test('what has no field there asks nothing', async () => {
    const before = simulator.requests.length
    await carrier.edit!(rig.open().context, 'nothing', { declaredValue: 5, weightKg: 2 })
    expect(simulator.requests.length).toBe(before)
  })

  test.each([
    ['a home delivery', shipment(), to({ deliveryType: 'pickup', pickupId: '3' })],
    ['a parcel at a stop desk', to({ deliveryType: 'pickup', pickupId: '3' }), to({ cityName: 'Arzew' })],
  ])('%s is not moved to the other kind, nor half of it', async (_, parcel, { destination }) => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, parcel)
    const before = writes()
    await expect(carrier.edit!(context, trackingId, { codAmount: 1, destination })).rejects.toMatchObject({ reason: 'refused' })
    expect(writes()).toBe(before)
  })

  test('what has left is neither edited nor aborted, though the carrier would do it', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    simulator.advance(trackingId, '9')
    const before = writes()
    await expect(carrier.edit!(context, trackingId, { codAmount: 1 })).rejects.toMatchObject({ reason: 'refused' })
    await expect(carrier.cancel!(context, trackingId)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('return'),
    })
    expect([writes(), statusOf(trackingId)]).toEqual([before, 9])
  })

  test('an order that is out of stock is cancelled, and one that is cancelled already stays so', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    simulator.advance(trackingId, '12')
    await carrier.cancel!(context, trackingId)
    expect(bodyOf('PATCH', '/api/shared/status/')).toEqual({ status: 50, abort_reason: 21 })
    const before = writes()
    await carrier.cancel!(context, trackingId)
    expect([writes(), statusOf(trackingId)]).toEqual([before, 50])
  })
})

describe('a cancellation', () => {
  test.each(['shared', 'orders'] as const)('is asked for where the server has it: %s', async (abortsAt) => {
    const other = connected({ abortsAt })
    const { context } = other.open()
    const { trackingId } = await carrier.send(context, shipment())
    await carrier.cancel!(context, trackingId)
    expect(other.simulator.orders()[0]!.history.map(({ status }) => status)).toEqual([4, 50])
  })

  test('is not believed while the order shows another status', async () => {
    const { context } = connected({ abortsNothing: true }).open()
    const { trackingId } = await carrier.send(context, shipment())
    await expect(carrier.cancel!(context, trackingId) as Promise<unknown>).rejects.toMatchObject({
      reason: 'refused',
      upstream: { code: 'not_aborted' },
    })
  })
})

test('a page of HTML is no success of a change', async () => {
  const other = connected()
  const { context } = other.open()
  const { trackingId } = await carrier.send(context, shipment())
  const page = (change: (at: CarrierContext) => unknown) => {
    const fetched: CarrierContext['fetch'] = async (url, init) =>
      init?.method === 'PATCH' || init?.method === 'POST' ? new Response('<html>Log in</html>') : context.fetch(url, init)
    return expect(Promise.resolve(change({ ...context, fetch: fetched }))).rejects.toMatchObject({ reason: 'unavailable' })
  }
  await page((at) => carrier.edit!(at, trackingId, { codAmount: 1 }))
  await page((at) => carrier.cancel!(at, trackingId))
  await page((at) => carrier.setupWebhook!(at, 'https://shop.example/hook'))
})

test('without a history a status counts from when it was first read', async () => {
  const other = connected({ tellsNoHistory: true })
  const desk = other.open()
  const { trackingId } = await carrier.send(desk.context, shipment())
  other.simulator.advance(trackingId, '31')
  const [first] = await carrier.track!(desk.context, [trackingId])
  expect(first).toMatchObject({ carrierStatus: '31', history: [] })
  await Bun.sleep(5)
  expect((await carrier.track!(desk.context, [trackingId]))[0]!.at).toBe(first!.at)
})

test("maystro: an empty list of a wilaya's communes is fetched again", async () => {
  const { context } = connected().open()
  const empty: CarrierContext['fetch'] = async (url, init) => (url.includes('/communes/') ? Response.json([]) : context.fetch(url, init))
  await expect(carrier.send({ ...context, fetch: empty }, shipment()) as Promise<unknown>).rejects.toMatchObject({ reason: 'refused' })
  await carrier.send({ ...context, now: () => Date.now() + 61_000 }, shipment())
})

describe('labels', () => {
  test('of several parcels each is its own', async () => {
    const { context } = rig.open()
    const sent = [await carrier.send(context, shipment()), await carrier.send(context, shipment())]
    const labels = await carrier.labels!(
      context,
      sent.map(({ trackingId }) => trackingId),
    )
    for (const [at, { base64 }] of labels.entries()) expect(atob(base64!)).toContain(`(${sent[at]!.carrierData!.displayId}) Tj`)
  })

  test('a blank page is no label', async () => {
    const { context } = rig.open()
    const { carrierData } = await carrier.send(context, shipment())
    // The number that people see is not the one that labels are asked for by.
    const attempt = carrier.labels!(context, [String(carrierData!.displayId)])
    await expect(attempt).rejects.toMatchObject({ reason: 'not_found', message: expect.stringContaining('blank') })
  })
})

describe('prices', () => {
  test('one commune stands for its wilaya, and a missing tariff is none', async () => {
    const { context } = rig.open()
    expect(await carrier.fees!(context, { stateCode: '31' })).toEqual([{ stateCode: '31', home: 555, pickup: 405 }])
    expect(await carrier.fees!(context, { stateCode: '54' })).toEqual([{ stateCode: '54', home: null, pickup: null }])
    const before = simulator.requests.length
    await carrier.fees!(context, { stateCode: '54' })
    expect(simulator.requests.length).toBe(before)
    expect((await carrier.fees!(context, {})).length).toBe(58)
  })

  test('a rate is for the service of the connection', async () => {
    const quote = { stateCode: '31', cityName: 'Arzew' }
    const { context } = connected({}, { express: true }).open()
    expect(await carrier.rates!(context, quote)).toEqual([
      { service: 'express', deliveryType: 'home', price: 755, currency: 'DZD' },
      { service: 'express', deliveryType: 'pickup', price: 605, currency: 'DZD' },
    ])
    expect(await carrier.rates!(context, { stateCode: '54', deliveryType: 'home' })).toEqual([])
  })
})

test('all servers that clients name are declared, and no other', () => {
  expect(carrier.net).toEqual(['backend.maystro-delivery.com', 'b.maystro-delivery.com', 'orders-management.maystro-delivery.com'])
})

test('the simulator runs as a process of its own and is steered from outside', () =>
  withSpawned('maystro', async ({ url, control }) => {
    const { credentials } = (await control('account')) as { credentials: { apiToken: string } }
    const { context } = rigFor(carrier, { ...simulator, url, credentials }).open()
    const parcel = shipment()
    const { trackingId: id } = await carrier.send(context, parcel)
    expect(await control(`orders?reference=${parcel.reference}`)).toMatchObject([{ id }])
    await control('advance', { id, status: '41' })
    expect(await carrier.track!(context, [id])).toMatchObject([{ carrierStatus: '41' }])
  }))
