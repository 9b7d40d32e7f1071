import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { createStorage, shipment } from '../../../../plugins/carrier/acceptance.ts'
import { carrier, connected, last, posted, stopAll, to } from './rig.ts'

const rig = connected()
const { simulator } = rig
afterEach(() => simulator.calm())
afterAll(stopAll)

const keysOf = (tracking: string, at = simulator) =>
  at
    .orders()
    .find((order) => order.tracking === tracking)!
    .events.map(({ key }) => key)

describe('drafts', () => {
  test('a parcel that was sent is no draft', async () => {
    const { trackingId, warnings } = await carrier.send(rig.open().context, shipment())
    expect(keysOf(trackingId)).toEqual(['upload', 'customer_validation'])
    expect(warnings).toBeUndefined()
  })

  test('unless it shall stay one, until it is validated', async () => {
    const drafts = connected({}, { shipAtOnce: false })
    const { context } = drafts.open()
    const { trackingId } = await carrier.send(context, shipment())
    expect(keysOf(trackingId, drafts.simulator)).toEqual(['upload'])
    await carrier.track!(context, [trackingId])
    expect(keysOf(trackingId, drafts.simulator)).toEqual(['upload'])
    await carrier.validate!(context, trackingId)
    expect(keysOf(trackingId, drafts.simulator)).toEqual(['upload', 'customer_validation'])
  })

  test.each([
    ['is not answered', { loseAnswer: 1, how: 'close' }, 'customer_validation'],
    ['fails', { error500: 1 }, 'upload'],
    ['meets the quota', { rateLimit: 1 }, 'upload'],
  ] as const)('a validation that %s makes no second parcel, and is taken up with the next news', async (_, fault, before) => {
    const notes = createStorage()
    const parcel = shipment()
    Object.assign(simulator.faults, { on: '/valid/order$', ...fault })
    const sent = await carrier.send(rig.open({ storage: notes }).context, parcel)
    expect(sent).toMatchObject({ carrierData: { draft: true }, warnings: [{ code: 'still_a_draft' }] })
    expect(keysOf(sent.trackingId).at(-1)).toBe(before)
    simulator.calm()

    const { context } = rig.open({ storage: notes })
    await carrier.track!(context, [sent.trackingId])
    expect(keysOf(sent.trackingId)).toEqual(['upload', 'customer_validation'])
    const asked = posted(simulator, '/valid/order').length
    await carrier.track!(context, [sent.trackingId])
    expect(posted(simulator, '/valid/order').length).toBe(asked)
    expect(simulator.orders(parcel.reference).length).toBe(1)
  })

  test.each(['one', 'many'])('what may have been made when the answer was lost is no draft for ever either: %s', async (count) => {
    const notes = createStorage()
    const { context } = rig.open({ storage: notes })
    const parcel = shipment()
    Object.assign(simulator.faults, { loseAnswer: 1 })
    const sending = count === 'one' ? carrier.send(context, parcel) : carrier.sendMany!(context, [parcel, shipment()])
    await expect(sending as Promise<unknown>).rejects.toMatchObject({ reason: 'unavailable' })
    simulator.calm()
    const [order] = simulator.orders(parcel.reference)
    expect(keysOf(order!.tracking)).toEqual(['upload'])
    // A person found it in the panel and said so: from then on it is tracked.
    await carrier.track!(rig.open({ storage: notes }).context, [order!.tracking])
    expect(keysOf(order!.tracking)).toEqual(['upload', 'customer_validation'])
    expect((await notes.list('draft:')).map(({ key }) => key)).not.toContain(`draft:${parcel.reference}`)
  })

  test('a validation that passes nothing is none', async () => {
    const other = connected({ validatesNothing: true })
    const { context } = other.open()
    const { trackingId, warnings } = await carrier.send(context, shipment())
    expect(warnings?.map(({ code }) => code)).toEqual(['still_a_draft'])
    await expect(carrier.validate!(context, trackingId) as Promise<unknown>).rejects.toMatchObject({ reason: 'refused' })
  })

  test('many are made in one call and validated in one', async () => {
    const rows = await carrier.sendMany!(rig.open().context, [shipment(), shipment(), shipment()])
    expect(rows.map(({ sent }) => keysOf(sent!.trackingId).length)).toEqual([2, 2, 2])
    expect(last(simulator, '/valid/orders').trackings).toEqual(rows.map(({ sent }) => sent!.trackingId))
  })

  test('of many, those that stayed drafts are said and taken up', async () => {
    const notes = createStorage()
    Object.assign(simulator.faults, { on: '/valid/orders$', error500: 1 })
    const rows = await carrier.sendMany!(rig.open({ storage: notes }).context, [shipment(), shipment()])
    expect(rows.map(({ sent }) => sent?.warnings?.[0]?.code)).toEqual(['still_a_draft', 'still_a_draft'])
    simulator.calm()
    const trackingIds = rows.map(({ sent }) => sent!.trackingId)
    await carrier.track!(rig.open({ storage: notes }).context, trackingIds)
    expect(trackingIds.map((trackingId) => keysOf(trackingId).at(-1))).toEqual(['customer_validation', 'customer_validation'])
  })

  test('to validate what is real already is no failure; to validate what is not there is one', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    await carrier.validate!(context, trackingId)
    await expect(carrier.validate!(context, 'nothing')).rejects.toMatchObject({ reason: 'refused' })
  })

  test('what is validated is not deleted, and the person is told what to do', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    await expect(carrier.cancel!(context, trackingId)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('deletes drafts only'),
    })
  })
})

describe('parcels that are sent', () => {
  test('every field as the carrier asks for it, with the GUID in the body and the token in a header', async () => {
    const parcel = shipment({
      recipient: { name: ' Amina Ben Ali ', phone: '+213 550-00.00.00', phoneAlt: '021 23 45 67' },
      weightKg: 2.2,
      notes: 'Call first',
    })
    await carrier.send(rig.open().context, parcel)
    expect(last(simulator, '/create/order')).toEqual({
      user_guid: simulator.credentials.userGuid,
      reference: parcel.reference,
      client: 'Amina Ben Ali',
      phone: '0550000000',
      phone_2: '021234567',
      adresse: '12 rue des Tests',
      wilaya_id: 31,
      stop_desk: 0,
      commune: 'Oran',
      montant: 3200,
      remarque: 'Call first',
      type_id: 1,
      poids: 3,
      can_open: 0,
      stock: 0,
      produit: 'Test item x1',
    })
    const { headers } = simulator.requests.findLast(({ path }) => path.endsWith('/create/order'))!
    expect(headers.get('authorization')).toBe(`Bearer ${simulator.credentials.apiToken}`)
  })

  test('the settings decide on kind, opening, station and shop', async () => {
    const other = connected(
      {},
      { orderType: 'exchange', takenBack: 'Old basket', canOpen: true, fromStation: '16A', shopName: 'Lina', weightKg: 4 },
    )
    await carrier.send(other.open().context, shipment({ weightKg: 0 }))
    expect(last(other.simulator, '/create/order')).toMatchObject({
      type_id: 2,
      produit_a_recuperer: 'Old basket',
      can_open: 1,
      station_expedition: '16A',
      shop_name: 'Lina',
      poids: 4,
    })
  })

  test("an order from the carrier's warehouse names one product and its quantity", async () => {
    const other = connected({}, { fromStock: true })
    const { context } = other.open()
    await carrier.send(context, shipment({ contents: 'Basket 42 x2' }))
    expect(last(other.simulator, '/create/order')).toMatchObject({ stock: 1, produit: 'Basket 42', quantite: 2 })
    await expect(carrier.send(context, shipment({ contents: 'Basket 42 x2, Sock x1' }))).rejects.toMatchObject({ reason: 'refused' })
  })

  test('a desk is named by its code, with no commune', async () => {
    const parcel = to({ deliveryType: 'pickup', pickupId: '31b', cityName: 'Es Senia' })
    const { warnings } = await carrier.send(rig.open().context, parcel)
    expect(last(simulator, '/create/order')).toMatchObject({ stop_desk: 1, station_code: '31B', wilaya_id: 31 })
    expect(last(simulator, '/create/order').commune).toBeUndefined()
    expect(warnings?.map(({ code }) => code)).toEqual(['destination_rewritten'])
  })

  test('names are matched without accents and case', async () => {
    await carrier.send(rig.open().context, to({ cityName: 'bir-el djïr' }))
    expect(last(simulator, '/create/order').commune).toBe('Bir El Djir')
  })

  test('a send costs two calls once the places are known', async () => {
    const { context } = rig.open()
    const cost = async () => {
      const before = simulator.requests.length
      await carrier.send(context, shipment())
      return simulator.requests.length - before
    }
    expect([await cost(), await cost()]).toEqual([4, 2])
  })
})

describe('parcels that are refused without a call', () => {
  test.each([
    ['a short reference', shipment({ reference: 'A-1' }), '5 characters'],
    ['a fraction of a dinar', shipment({ codAmount: 99.5 }), 'whole dinars'],
    ['a foreign number', shipment({ recipient: { name: 'A B', phone: '+33612345678' } }), '0550000000'],
    ['no name', shipment({ recipient: { name: ' ', phone: '0550000000' } }), 'name'],
    ['an address that would be cut', to({ address: 'a'.repeat(256) }), '255'],
    ['another country', to({ country: 'TN' }), 'Algeria'],
    ['a wilaya not served', to({ stateCode: '54', cityName: 'In Guezzam' }), 'In Guezzam'],
    ['a commune not served', to({ cityName: 'Oued Tlelat' }), 'Oued Tlelat'],
    ['a commune that is none', to({ cityName: 'Bir Djir' }), 'Bir El Djir'],
    ['a desk parcel without its desk', to({ deliveryType: 'pickup' }), 'pickupId'],
    ['a desk of another wilaya', to({ deliveryType: 'pickup', pickupId: '16A' }), '31A'],
  ])('%s', async (_, parcel, hint) => {
    const made = simulator.orders().length
    await expect(carrier.send(rig.open().context, parcel)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining(hint),
    })
    expect(simulator.orders().length).toBe(made)
  })
})

describe('editing', () => {
  const change = { codAmount: 4000, recipient: { name: 'Lina Test', phone: '0661000000' }, contents: 'Sock x1', notes: '', weightKg: 2 }

  test('a draft is edited under the names of that call', async () => {
    const drafts = connected({}, { shipAtOnce: false })
    const { context } = drafts.open()
    const { trackingId } = await carrier.send(context, shipment())
    await carrier.edit!(context, trackingId, { ...change, destination: to({ cityName: 'Arzew' }).destination })
    expect(last(drafts.simulator, '/update/order/before/expedition')).toEqual({
      user_guid: drafts.simulator.credentials.userGuid,
      tracking: trackingId,
      client: 'Lina Test',
      tel: '0661000000',
      adresse: '12 rue des Tests',
      wilaya: 31,
      commune: 'Arzew',
      stop_desk: 0,
      montant: 4000,
      poids: 2,
      product: 'Sock x1',
      remarque: '',
    })
    const toDesk = to({ deliveryType: 'pickup', pickupId: '31A' }).destination
    await expect(carrier.edit!(context, trackingId, { destination: toDesk })).rejects.toMatchObject({
      message: expect.stringContaining('cannot name a desk'),
    })
  })

  test('of a validated order a change is requested, which the hub grants', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    await carrier.edit!(context, trackingId, {
      codAmount: 4000,
      recipient: { name: 'KARIM TEST', phone: '0661000000' },
      destination: to({ cityName: 'Arzew', address: '5 rue neuve' }).destination,
    })
    expect(last(simulator, '/update/order')).toEqual({
      user_guid: simulator.credentials.userGuid,
      tracking: trackingId,
      tel: '0661000000',
      stop_desk: 0,
      adresse: '5 rue neuve',
      commune: 'Arzew',
      montant: 4000,
    })
    const amount = async () => (await carrier.track!(context, [trackingId]))[0]?.codAmount
    expect(await amount()).toBe(3200)
    simulator.approve(trackingId)
    expect(await amount()).toBe(4000)
    await carrier.edit!(context, trackingId, { destination: to({ deliveryType: 'pickup', pickupId: '31B' }).destination })
    expect(last(simulator, '/update/order')).toMatchObject({ stop_desk: 1, code_station: '31B' })
  })

  test.each([
    ['another wilaya', { destination: to({ stateCode: '16', stateName: 'Alger', cityName: 'Hydra' }).destination }],
    ['another name', { recipient: { name: 'Lina Test', phone: '0661000000' } }],
    ['other contents', { contents: 'Sock x1' }],
    ['another weight beside an amount', { codAmount: 1, weightKg: 9 }],
    ['notes', { notes: 'Call first' }],
  ])('of a validated order %s is refused whole', async (_, given) => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    const asked = posted(simulator, '/update/order').length
    await expect(carrier.edit!(context, trackingId, given)).rejects.toMatchObject({ reason: 'refused' })
    expect(posted(simulator, '/update/order').length).toBe(asked)
  })

  test('where the carrier does not say which wilaya a parcel goes to, none is taken for it', async () => {
    const thin = connected({ thin: true })
    const { context } = thin.open()
    const { trackingId } = await carrier.send(context, shipment())
    const { destination } = to({ cityName: 'Arzew' })
    await expect(carrier.edit!(context, trackingId, { destination })).rejects.toMatchObject({ reason: 'refused' })
    await carrier.edit!(context, trackingId, { codAmount: 10 })
    expect((await carrier.track!(context, [trackingId]))[0]).toMatchObject({ carrierStatus: 'customer_validation', codAmount: 3200 })
  })

  test('what has no field there asks nothing', async () => {
    const before = simulator.requests.length
    await carrier.edit!(rig.open().context, 'nothing', { declaredValue: 5 })
    expect(simulator.requests.length).toBe(before)
  })
})
