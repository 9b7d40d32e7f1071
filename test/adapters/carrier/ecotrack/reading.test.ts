import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { createStorage, type Desk, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import { company, rig as ecotrackRig, failure } from './rig.ts'
import { NOT_LISTED, startEcotrack } from './simulator.ts'

const carrier = company('dhd')
const rig = ecotrackRig(carrier, { validate: true })
const { simulator, host, set, calls } = rig
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

const send = async (desk: Desk = rig.open(), change: object = {}) => (await carrier.send(desk.context, shipment(change))).trackingId

describe('tracking', () => {
  const deskAt = (clock: { now: number }, notes = createStorage()) =>
    openDesk(carrier, { [host]: simulator.url }, { ...rig, storage: notes, now: () => clock.now })

  test('many cost one call, and the first sight of a status is its time', async () => {
    const clock = { now: Date.parse('2026-11-21T10:00:00Z') }
    const desk = deskAt(clock)
    const ids = [await send(desk), await send(desk)]
    const seen = async () =>
      (await carrier.track!(desk.context, ids)).map(({ carrierStatus, at }) => `${carrierStatus} ${at.slice(11, 16)}`)
    expect(await seen()).toEqual(['prete_a_expedier 10:00', 'prete_a_expedier 10:00'])
    clock.now += 60_000
    simulator.advance(ids[1]!, 'en_hub')
    expect(await seen()).toEqual(['prete_a_expedier 10:00', 'en_hub 10:01'])
    clock.now += 60_000
    expect(await seen()).toEqual(['prete_a_expedier 10:00', 'en_hub 10:01'])
    expect(calls('get/orders/status').length).toBe(3)
    expect(calls('get/orders')).toEqual([])
  })

  test('one has its history, its reasons and its amounts', async () => {
    const desk = rig.open()
    const trackingId = await send(desk)
    simulator.advance(trackingId, 'en_livraison', { at: '2027-01-05T09:00:00Z' })
    simulator.advance(trackingId, 'attempt_delivery', { at: '2027-01-05T11:00:00Z', reason: 'Client absent' })
    simulator.advance(trackingId, 'livre_non_encaisse', { at: '2027-01-06T11:00:00Z' })
    const [parcel] = await carrier.track!(desk.context, [trackingId])
    expect(parcel).toMatchObject({
      codAmount: 3200,
      deliveryFee: 800,
      cityName: 'Oran',
      carrierStatus: 'livre_non_encaisse',
      at: '2027-01-06T11:00:00.000Z',
    })
    expect(parcel?.history?.map(({ carrierStatus, reason }) => [carrierStatus, reason])).toEqual([
      ['order_information_received_by_carrier', undefined],
      ['dispatched_to_driver', undefined],
      ['attempt_delivery', 'Client absent'],
      ['livred', undefined],
      ['livre_non_encaisse', undefined],
    ])
  })

  test('unknown ones alone are an empty list of PHP, and no parcel', async () => {
    expect(await carrier.track!(rig.open().context, ['nothing', 'neither'])).toEqual([])
  })

  test('an archived one leaves the list and is tracked all the same', async () => {
    const desk = rig.open()
    const trackingId = await send(desk)
    simulator.advance(trackingId, 'paye_et_archive')
    expect((await carrier.list!(desk.context, { limit: 10 })).rows).toEqual([])
    const [parcel] = await carrier.track!(desk.context, [trackingId])
    expect(parcel).toMatchObject({ trackingId, carrierStatus: 'paye_et_archive' })
    expect(parcel).not.toHaveProperty('codAmount')
  })

  test('one whose history is not shown any more is where it is', async () => {
    const desk = rig.open()
    const trackingId = await send(desk)
    simulator.advance(trackingId, 'paye_et_archive')
    simulator.habits.forgets = true
    const [parcel] = await carrier.track!(desk.context, [trackingId])
    expect(parcel?.history?.map(({ carrierStatus }) => carrierStatus)).toEqual(['paye_et_archive'])
  })

  test('a list begins at a day of the carrier’s zone and keeps to a status', async () => {
    const desk = rig.open()
    const trackingId = await send(desk)
    await send(desk)
    simulator.advance(trackingId, 'en_hub')
    const { rows: found } = await carrier.list!(desk.context, { limit: 10, status: 'en_hub', since: '2026-01-01T23:30:00Z' })
    expect(found.map((row) => row.trackingId)).toEqual([trackingId])
    expect(calls('get/orders').at(-1)?.query.get('start_date')).toBe('2026-01-02')
    for (const cursor of ['zzz', '2', '-1.0'])
      expect(await failure(carrier.list!(desk.context, { limit: 10, cursor }))).toMatchObject({ upstream: { code: 'bad_cursor' } })
  })

  test('a label is the PDF, byte by byte', async () => {
    const desk = rig.open()
    const trackingId = await send(desk)
    const [label] = await carrier.labels!(desk.context, [trackingId])
    const bytes = Uint8Array.from(atob(label!.base64!), (letter) => letter.charCodeAt(0))
    const headers = { authorization: `Bearer ${rig.credentials.token}` }
    const printed = await fetch(`${simulator.url}/api/v1/get/order/label?tracking=${trackingId}`, { headers })
    expect([...bytes]).toEqual([...(await printed.bytes())])
    expect([...bytes.slice(8, 15)]).toEqual([10, 0x25, 0xe2, 0xe3, 0xcf, 0xd3, 10])
    simulator.habits.labelsArePages = true
    expect((await failure(carrier.labels!(desk.context, [trackingId]))).reason).toBe('unavailable')
    simulator.habits.labelsArePages = false
    expect(await failure(carrier.labels!(desk.context, ['nothing']))).toMatchObject({ reason: 'not_found', upstream: { code: '422' } })
  })

  test('more labels than a minute’s quota holds are refused before the first is asked for', async () => {
    const desk = rig.open()
    const ids = await Promise.all(Array.from({ length: 41 }, () => send(desk)))
    expect(await failure(carrier.labels!(desk.context, ids))).toMatchObject({ reason: 'refused', upstream: { code: 'too_many_labels' } })
    expect(calls('get/order/label')).toEqual([])
    expect((await carrier.labels!(desk.context, ids.slice(1))).map(({ trackingId }) => trackingId)).toEqual(ids.slice(1))
  })
})

describe('places', () => {
  test('a whole list costs one call where the company gives it, once a day', async () => {
    simulator.habits.communesOfAll = 'listed'
    const desk = rig.open()
    const all = await carrier.cities!(desk.context, {})
    expect([all.length > 1500, new Set(all.map(({ stateId }) => stateId)).size]).toEqual([true, 57])
    await carrier.centers!(desk.context, {})
    await send(desk)
    expect(calls('get/communes').length).toBe(1)
  })

  test.each(['refused', 'of one', 'absent', 'broken'] as const)(
    'else a call a wilaya, and it goes on where the quota cut it short (%s)',
    async (communesOfAll) => {
      let now = Date.parse('2026-11-21T10:00:00Z')
      const limited = startEcotrack({ windows: [{ calls: 50, seconds: 60 }], now: () => now, habits: { communesOfAll } })
      const notes = createStorage()
      const { credentials } = limited
      const desk = () => openDesk(carrier, { [host]: limited.url }, { credentials, storage: notes, now: () => now })
      expect(await failure(carrier.cities!(desk().context, {}))).toMatchObject({ reason: 'rate_limited' })
      now += 60_001
      expect((await carrier.cities!(desk().context, {})).length).toBeGreaterThan(1500)
      expect(limited.requests.length).toBe(2 + 57 + limited.broken())
      await carrier.centers!(desk().context, {})
      expect(limited.requests.length).toBe(2 + 57 + limited.broken())
      await limited.stop()
    },
  )

  test('desks are the communes that have one, however the platform writes it', async () => {
    const { context } = rig.open()
    expect(await carrier.centers!(context, { stateId: '31' })).toEqual([
      { id: '31000', name: 'Stop desk Oran', stateId: '31', cityName: 'Oran', address: 'Oran' },
    ])
    const inAlgiers = await carrier.cities!(context, { stateId: '16' })
    expect(inAlgiers.filter(({ pickup }) => pickup).length).toBe(1)
    expect((await carrier.states!(context)).map(({ code }) => code)).not.toContain(String(NOT_LISTED))
  })
})

describe('prices', () => {
  test('are texts in dinars, or in centimes where the setting says so', async () => {
    expect(await carrier.fees!(rig.open().context, { stateCode: '31' })).toEqual([
      { stateCode: '31', home: 800, pickup: 750, returnFee: 200 },
    ])
    const [inCentimes] = await carrier.fees!(set({ feeUnit: 'centimes' }).context, { stateCode: '31' })
    expect(inCentimes).toEqual({ stateCode: '31', home: 8, pickup: 7.5, returnFee: 2 })
  })

  test('of a stop desk are told only where there is one', async () => {
    const { context } = rig.open()
    const quoted = async (quote: object) =>
      (await carrier.rates!(context, { stateCode: '31', ...quote })).map(({ deliveryType, price }) => [deliveryType, price])
    expect(await quoted({})).toEqual([
      ['home', 800],
      ['pickup', 750],
    ])
    expect(await quoted({ cityName: 'Oran', deliveryType: 'pickup' })).toEqual([['pickup', 750]])
    expect(await quoted({ cityName: 'Gdyel' })).toEqual([['home', 800]])
    expect(await quoted({ stateCode: '58' })).toEqual([['home', 1000]])
    expect((await failure(quoted({ cityName: 'Nowhere' }))).reason).toBe('refused')
    expect(calls('get/fees').length).toBe(1)
  })

  test('beside delivery are told once for each amount', async () => {
    const fees = await carrier.serviceFees!(rig.open().context)
    expect(fees).toContainEqual({ service: 'return', amount: 200, of: 'parcel' })
    expect(fees).toContainEqual({ service: 'pickup', amount: 150, of: 'parcel' })
    expect(fees.find(({ service, amount }) => service === 'exchange' && amount === 600)?.of).toBe(
      'parcel of wilaya 01, 02, 03, 04, 05, 06, 07, 08, 09',
    )
    expect(fees.some(({ service }) => service === 'collection')).toBe(false)
  })
})

test('the goods in stock are read page by page', async () => {
  const found = await carrier.stockProducts!(rig.open().context)
  expect(found.length).toBe(34)
  expect(found.slice(0, 2)).toEqual([
    { id: '6130000000000', sku: 'SKU-1', name: 'Produit 1', quantity: 0 },
    { id: 'SKU-2', sku: 'SKU-2', name: 'Produit 2', quantity: 3 },
  ])
  expect(calls('get/products/list').length).toBe(4)
})

describe('money', () => {
  test('waits, is put into a payout, and is forgotten once archived', async () => {
    const ids = [await send(), await send(), await send()]
    const cash = carrier.cash!
    simulator.advance(ids[0]!, 'encaisse_non_paye')
    simulator.advance(ids[1]!, 'livre_non_encaisse')
    expect(await cash.preview!(rig.open().context)).toMatchObject([
      { trackingId: ids[1], status: 'collected', amount: 3200, fee: 800 },
      { trackingId: ids[0], status: 'collected', amount: 3200, fee: 800 },
    ])
    for (const id of ids.slice(0, 2)) simulator.pay(id, 'PAY-1')
    expect(await cash.batches(rig.open().context)).toEqual([{ id: 'PAY-1', status: 'payout_ready', amount: 6400, parcels: 2 }])
    expect(await cash.preview!(rig.open().context)).toEqual([])
    for (const id of ids.slice(0, 2)) simulator.advance(id, 'paye_et_archive')
    expect(await failure(cash.batch(rig.open().context, 'PAY-1'))).toMatchObject({
      reason: 'not_found',
      message: expect.stringContaining('archived'),
    })
  })

  test('that was paid out does not wait, also where no payout is named', async () => {
    simulator.advance(await send(), 'Paiement archivé')
    expect(await carrier.cash!.preview!(rig.open().context)).toEqual([])
  })

  test('a payout whose parcels are all paid is paid', async () => {
    simulator.pay(await send(), 'PAY-2', 'Paiement archivé')
    expect(await carrier.cash!.batch(rig.open().context, 'PAY-2')).toMatchObject({ status: 'paid_out', lines: [{ status: 'paid_out' }] })
  })

  test('is read once for some minutes, whatever is asked of it', async () => {
    const clock = { now: Date.now() }
    const desk = openDesk(carrier, { [host]: simulator.url }, { ...rig, now: () => clock.now })
    const ids = await Promise.all(Array.from({ length: 41 }, () => send(desk)))
    for (const id of ids) simulator.pay(id, `PAY-${id}`)
    const batches = await carrier.cash!.batches(desk.context)
    for (const { id } of batches.slice(0, 5)) await carrier.cash!.batch(desk.context, id)
    await carrier.cash!.preview!(desk.context)
    expect([batches.length, calls('get/orders').length]).toEqual([41, 2])
    clock.now += 11 * 60_000
    await carrier.cash!.preview!(desk.context)
    expect(calls('get/orders').length).toBe(4)
  })
})
