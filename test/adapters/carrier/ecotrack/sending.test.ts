import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { type Desk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Shipment } from '../../../../plugins/carrier/contract.ts'
import { to } from '../../../support/simulated-rig.ts'
import { company, rig as ecotrackRig, failure } from './rig.ts'
import { NOT_LISTED } from './simulator.ts'

const carrier = company('dhd')
const rig = ecotrackRig(carrier, { validate: true })
const { simulator, set, calls, fields } = rig
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

const drafts = () => set({ validate: false })
const sent = async (parcel: Shipment, desk: Desk = rig.open()) => {
  const { trackingId } = await carrier.send(desk.context, parcel)
  return simulator.orders(parcel.reference).find(({ tracking }) => tracking === trackingId)!
}

describe('parcels that are sent', () => {
  test('every field as the platform asks for it, the amount whole', async () => {
    const parcel = shipment({
      recipient: { name: ' Amina  Ben Ali', phone: '+213 550-00.00.00', phoneAlt: '021 23 45 67' },
      codAmount: 3400,
      weightKg: 2.2,
      notes: 'Appeler avant',
    })
    await sent(parcel)
    expect(fields('create/order')).toEqual({
      reference: parcel.reference,
      nom_client: 'Amina Ben Ali',
      telephone: '0550000000',
      telephone_2: '021234567',
      adresse: '12 rue des Tests',
      commune: 'Oran',
      code_wilaya: 31,
      stop_desk: 0,
      produit: 'Test item x1',
      remarque: 'Appeler avant',
      montant: 3400,
      type: 1,
    })
    expect(calls('create/order').at(-1)!.headers.get('authorization')).toBe(`Bearer ${simulator.credentials.token}`)
    expect(String(calls('create/order').at(-1)!.query)).toBe('')
  })

  test('the settings add shop, fragility and weight', async () => {
    await sent(shipment({ weightKg: 2.2 }), set({ shopName: 'Boutique Amina', fragile: true, sendWeight: true }))
    expect(fields('create/order')).toMatchObject({ boutique: 'Boutique Amina', fragile: 1, weight: 3 })
  })

  test('a long description is cut with a warning; an address is never cut', async () => {
    const { warnings } = await carrier.send(rig.open().context, shipment({ contents: 'x'.repeat(300), notes: 'y'.repeat(300) }))
    expect(warnings?.map(({ code }) => code)).toEqual(['contents_cut', 'notes_cut'])
    expect(String(fields('create/order').produit).length).toBe(255)
    await sent(shipment({ contents: `${'x'.repeat(254)}🎁 of it` }))
    expect(fields('create/order').produit).toBe('x'.repeat(254))
    expect(await failure(carrier.send(rig.open().context, to({ address: 'z'.repeat(256) })))).toMatchObject({
      reason: 'refused',
      upstream: { code: 'bad_address' },
    })
  })

  test.each([
    ['a fraction of a dinar', shipment({ codAmount: 99.5 }), 'whole dinars'],
    ['a foreign number', shipment({ recipient: { name: 'A B', phone: '+33612345678' } }), '0550000000'],
    ['no name', shipment({ recipient: { name: ' ', phone: '0550000000' } }), 'name'],
    ['another country', to({ country: 'TN' }), 'Algeria'],
    ['a return point', to({ deliveryType: 'return_point' }), 'stop desks'],
    ['a wilaya not in the list', to({ stateCode: String(NOT_LISTED), stateName: 'Djanet', cityName: 'Djanet' }), `wilaya ${NOT_LISTED}`],
    ['a wilaya that is none', to({ stateCode: '77', stateName: 'Orran' }), 'Oran'],
    ['an unknown commune', to({ cityName: 'Bir Djir' }), 'Bir El Djir'],
    ['a commune of another wilaya', to({ cityName: 'Hydra' }), 'Hydra'],
    ['an unknown stop desk', to({ deliveryType: 'pickup', pickupId: '99999' }), '31000 (Oran)'],
    ['a stop desk where there is none', to({ deliveryType: 'pickup', cityName: 'Gdyel' }), '31000 (Oran)'],
  ])('%s is refused before the company is asked', async (_, parcel, hint) => {
    const { reason, message } = await failure(carrier.send(rig.open().context, parcel))
    expect([reason, message]).toEqual(['refused', expect.stringContaining(hint)])
    expect(calls('create/order')).toEqual([])
  })

  test.each(['31', '16'])('a stop desk in wilaya %s is its commune, and the station is its postal code', async (stateCode) => {
    const [center] = await carrier.centers!(rig.open().context, { stateId: stateCode })
    const { warnings } = await carrier.send(
      rig.open().context,
      to({ stateCode, deliveryType: 'pickup', pickupId: center!.id, cityName: center!.cityName }),
    )
    expect(fields('create/order')).toMatchObject({ stop_desk: 1, code_postal: center!.id, commune: center!.cityName })
    expect(warnings).toBeUndefined()
  })

  test('where communes share a station, the one named decides', async () => {
    const { context } = rig.open()
    const [first, second] = (await carrier.cities!(context, { stateId: '9' })).filter(({ pickup }) => pickup)
    const centers = await carrier.centers!(context, { stateId: '9' })
    expect(centers.map(({ id, cityName }) => [id, cityName])).toEqual([['09000', first!.name]])
    for (const { name } of [second!, first!]) {
      const { warnings } = await carrier.send(context, to({ stateCode: '09', deliveryType: 'pickup', pickupId: '09000', cityName: name }))
      expect([fields('create/order').commune, warnings]).toEqual([name, undefined])
    }
  })

  test("without a centre the commune's stop desk is used; a centre elsewhere gives a warning", async () => {
    await sent(to({ deliveryType: 'pickup', cityName: 'ORAN' }))
    expect(fields('create/order')).toMatchObject({ stop_desk: 1, code_postal: '31000' })
    const { warnings } = await carrier.send(rig.open().context, to({ deliveryType: 'pickup', pickupId: '31000', cityName: 'Gdyel' }))
    expect(warnings?.map(({ code }) => code)).toEqual(['destination_rewritten'])
  })
})

describe('a draft never stays one', () => {
  test('an order is created, then validated; a pickup is asked for only if wanted', async () => {
    expect(await sent(shipment())).toMatchObject({ isValidated: true, isCollectionAsked: false })
    expect(await sent(shipment(), set({ askCollection: true }))).toMatchObject({ isValidated: true, isCollectionAsked: true })
  })

  test('drafts that are wanted are said to be drafts, and validated by hand', async () => {
    const { context } = drafts()
    const parcel = shipment()
    const { trackingId, warnings } = await carrier.send(context, parcel)
    expect(warnings?.map(({ code }) => code)).toEqual(['draft'])
    expect(simulator.orders(parcel.reference)[0]?.isValidated).toBe(false)
    expect(() => simulator.advance(trackingId, 'en_hub')).toThrow('a draft')
    await carrier.validate!(context, trackingId)
    expect(simulator.orders(parcel.reference)[0]?.isValidated).toBe(true)
  })

  test('where the validation is refused, the draft is taken back and the reason told', async () => {
    simulator.habits.refusesValidation = 'without a code'
    const parcel = shipment()
    expect(await failure(carrier.send(rig.open().context, parcel))).toMatchObject({
      reason: 'refused',
      message: 'DHD refused: Validation impossible',
    })
    expect(simulator.orders(parcel.reference)).toEqual([])
  })

  test('validated already is as good as validated now', async () => {
    simulator.habits.refusesValidation = 10001
    expect((await sent(shipment())).tracking).toStartWith('ECO')
    expect(calls('delete/order')).toEqual([])
  })

  test('a draft that could not be taken back is looked up by its number and seen through', async () => {
    Object.assign(simulator.habits, { refusesValidation: 'without a code', refusesDeletion: true })
    const desk = rig.open()
    const parcel = shipment()
    const error = await failure(carrier.send(desk.context, parcel))
    const [order] = simulator.orders(parcel.reference)
    expect(error).toMatchObject({ reason: 'unavailable', message: expect.stringContaining(order!.tracking) })
    expect((await failure(carrier.findByReference!(desk.context, parcel.reference))).reason).toBe('unavailable')
    simulator.habits.refusesValidation = null
    expect(await carrier.findByReference!(desk.context, parcel.reference)).toEqual({ trackingId: order!.tracking })
    expect(simulator.orders(parcel.reference)).toMatchObject([{ isValidated: true }])
    expect(calls('get/orders')).toEqual([])
  })

  test.each([
    ['lost', { loseAnswer: 1 }, true],
    ['refused by the quota', { rateLimit: 1 }, false],
    ['broken', { error500: 1 }, false],
  ])('a validation whose answer is %s leaves the outcome open, and one order', async (_, fault, isValidated) => {
    const desk = rig.open()
    const parcel = shipment()
    Object.assign(simulator.faults, { on: 'valid/order$', ...fault })
    expect((await failure(carrier.send(desk.context, parcel))).reason).toBe('unavailable')
    expect(simulator.orders(parcel.reference)).toMatchObject([{ isValidated }])
    simulator.calm()
    const found = await carrier.findByReference!(desk.context, parcel.reference)
    expect(simulator.orders(parcel.reference)).toMatchObject([{ isValidated: true, tracking: found!.trackingId }])
  })

  test('a validation that says nothing clear is no validation', async () => {
    simulator.habits.mumblesValidation = true
    const desk = rig.open()
    const parcel = shipment()
    expect(await failure(carrier.send(desk.context, parcel))).toMatchObject({ reason: 'unavailable' })
    expect(simulator.orders(parcel.reference)).toMatchObject([{ isValidated: false }])
    simulator.habits.mumblesValidation = false
    expect(await carrier.findByReference!(desk.context, parcel.reference)).toMatchObject({ trackingId: expect.any(String) })
    expect(simulator.orders(parcel.reference)).toMatchObject([{ isValidated: true }])
  })

  test('a draft whose number the company does not know any more is looked for, and is not there', async () => {
    Object.assign(simulator.habits, { refusesValidation: 'without a code', forgets: true })
    Object.assign(simulator.faults, { on: 'delete/order$', loseAnswer: 1 })
    const desk = rig.open()
    const parcel = shipment()
    expect((await failure(carrier.send(desk.context, parcel))).reason).toBe('unavailable')
    expect(simulator.orders(parcel.reference)).toEqual([])
    expect(await carrier.findByReference!(desk.context, parcel.reference)).toBeNull()
  })

  test.each([shipment(), shipment({ reference: ' A 1 ' })])(
    'a draft whose creation never answered is found among the newest orders',
    async (parcel) => {
      const desk = rig.open()
      Object.assign(simulator.faults, { loseAnswer: 1 })
      expect((await failure(carrier.send(desk.context, parcel))).reason).toBe('unavailable')
      simulator.calm()
      const found = await carrier.findByReference!(desk.context, parcel.reference)
      expect(simulator.orders(parcel.reference)).toMatchObject([{ isValidated: true, tracking: found!.trackingId }])
      expect(calls('get/orders').at(-1)!.query.get('start_date')).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(calls('get/orders').at(-1)!.query.has('end_date')).toBe(false)
    },
  )

  test('a look-up touches no draft that is wanted, and none that moves', async () => {
    const parcel = shipment()
    const order = await sent(parcel, drafts())
    await carrier.findByReference!(drafts().context, parcel.reference)
    simulator.validate(order.tracking)
    simulator.advance(order.tracking, 'en_livraison')
    await carrier.findByReference!(rig.open().context, parcel.reference)
    expect(calls('valid/order')).toEqual([])
  })
})
