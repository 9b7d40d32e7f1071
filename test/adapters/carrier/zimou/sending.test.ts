import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { createStorage, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Shipment } from '../../../../plugins/carrier/contract.ts'
import { to } from '../../../support/simulated-rig.ts'
import { carrier, connected } from './rig.ts'

const zimou = connected()
const { rig, simulator, notes, open, sent, callsOf, answered } = zimou
afterEach(() => zimou.reset())
afterAll(() => simulator.stop())

const posted = () => JSON.parse(simulator.requests.findLast(({ method }) => method === 'POST')!.body) as Record<string, unknown>
const postedAfter = async (parcel: Shipment, settings: object = {}) => {
  await sent(parcel, open(settings))
  return posted()
}

describe('parcels that are sent', () => {
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
    const stale = createStorage()
    const desk = rig.open({ storage: stale })
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
    const desk = rig.open({ storage: broken })
    const { sent: answer } = await sent(shipment(), desk)
    expect(answer.trackingId).toStartWith('ZEX-')
    expect(desk.logged.length).toBe(1)
  })
})

test('zimou: sending one reference twice makes two packages, so no request is repeated', async () => {
  const { desk, parcel } = await sent()
  await sent(parcel, desk)
  expect(simulator.packages(parcel.reference).length).toBe(2)
  expect(carrier.exactlyOnce).toBe('unsafe')
})
