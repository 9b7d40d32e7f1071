import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import companies from '../../../../adapters/carrier/yalidine/index.ts'
import type { Desk } from '../../../../plugins/carrier/acceptance.ts'
import { createStorage, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, Shipment } from '../../../../plugins/carrier/contract.ts'
import { localPhones } from '../../../../plugins/carrier/index.ts'
import { to } from '../../../support/simulated-rig.ts'
import { rig as yalidineRig } from './rig.ts'

const carrier = companies[0] as Carrier
const rig = yalidineRig(carrier)
const { simulator } = rig
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

const settings = (change: object) => rig.open({ settings: { ...rig.settings, ...change } })
const posted = () => {
  const [row] = JSON.parse(simulator.requests.findLast(({ method }) => method === 'POST')!.body) as Record<string, unknown>[]
  return row!
}
const sentRow = async (parcel: Shipment, desk: Desk = rig.open()) => {
  await carrier.send(desk.context, parcel)
  return posted()
}
const refusal = async (parcel: Shipment, desk: Desk = rig.open()) => {
  try {
    await carrier.send(desk.context, parcel)
  } catch (error) {
    return error as Error & { reason: string }
  }
  throw new Error('It was taken.')
}

describe('parcels that are sent', () => {
  test('every field as the carrier asks for it', async () => {
    const parcel = shipment({
      recipient: { name: 'Amina  Ben Ali', phone: '+213 550-00.00.00', phoneAlt: '021 23 45 67' },
      weightKg: 2.2,
      dimensions: { lengthCm: 20.5, widthCm: 10, heightCm: 5 },
    })
    expect(await sentRow(parcel)).toEqual({
      order_id: parcel.reference,
      from_wilaya_name: 'Alger',
      firstname: 'Amina',
      familyname: 'Ben Ali',
      contact_phone: '0550000000,021234567',
      address: '12 rue des Tests',
      to_wilaya_name: 'Oran',
      to_commune_name: 'Oran',
      is_stopdesk: false,
      product_list: 'Test item x1',
      price: 3200,
      do_insurance: false,
      declared_value: 3000,
      length: 21,
      width: 10,
      height: 5,
      weight: 3,
      freeshipping: true,
      has_exchange: false,
    })
  })

  test('the settings decide on insurance, who pays, service and sizes', async () => {
    const desk = settings({ doInsurance: true, freeShipping: false, economic: true, weightKg: 4, lengthCm: 33 })
    expect(await sentRow(shipment({ weightKg: 0 }), desk)).toMatchObject({
      do_insurance: true,
      freeshipping: false,
      economic: true,
      weight: 4,
      length: 33,
    })
  })

  test('a person with one name gets it as both', async () => {
    expect(await sentRow(shipment({ recipient: { name: 'Amina', phone: '0550000000' } }))).toMatchObject({
      firstname: 'Amina',
      familyname: 'Amina',
    })
  })

  test('keys go in headers', async () => {
    await carrier.states!(rig.open().context)
    expect(simulator.requests.at(-1)?.apiId).toBe(simulator.credentials.apiId)
  })

  test('a value that the carrier does not accept gives a warning', async () => {
    const parcel = shipment({
      notes: 'Call first',
      recipient: { name: 'A B', phone: '0550000000', phoneAlt: '+33 1 23 45 67 89' },
    })
    const { warnings } = await carrier.send(rig.open().context, parcel)
    expect(warnings?.map(({ code }) => code)).toEqual(['phone_alt_dropped', 'notes_not_sent'])
  })
})

test.each([
  ['+213550000000', ['0550000000']],
  ['00213 (0)661 12 34 56', ['0661123456']],
  ['213770123456', ['0770123456']],
  ['0550 00 00 00 / 0660-00-00-00', ['0550000000', '0660000000']],
  ['021 23 45 67', ['021234567']],
  ['+33612345678', []],
  ['055000000', []],
  ['', []],
])('telephone numbers in %p', (text, phones) => expect(localPhones(text)).toEqual(phones))

describe('parcels that are refused without a call', () => {
  test.each([
    ['a fraction of a dinar', shipment({ codAmount: 99.5 }), 'whole dinars'],
    ['too much', shipment({ codAmount: 150_001 }), '150000'],
    ['too much declared', shipment({ declaredValue: 150_001 }), '150000'],
    ['a foreign number', shipment({ recipient: { name: 'A B', phone: '+33612345678' } }), '0550000000'],
    ['no name', shipment({ recipient: { name: ' ', phone: '0550000000' } }), 'name'],
    ['a reference that the look-up would take for two', shipment({ reference: 'A,1' }), 'comma'],
    ['another country', to({ country: 'TN' }), 'Algeria'],
    ['a wilaya not served', to({ stateCode: '54', cityName: 'In Guezzam' }), 'In Guezzam'],
    ['a wilaya that is none', to({ stateCode: '77', stateName: 'Orran' }), 'Oran'],
    ['a stop-desk parcel without its centre', to({ deliveryType: 'pickup' }), 'pickupId'],
    ['an unknown centre', to({ deliveryType: 'pickup', pickupId: '999999' }), '310101'],
  ])('%s', async (_, parcel, hint) => {
    const { reason, message } = await refusal(parcel)
    expect([reason, message]).toEqual(['refused', expect.stringContaining(hint)])
    expect(simulator.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

describe('places', () => {
  test('names are matched without accents, case and punctuation, within the wilaya', async () => {
    expect(await sentRow(to({ stateCode: '06', cityName: 'BEJAIA' }))).toMatchObject({ to_wilaya_name: 'Béjaïa' })
    expect(await sentRow(to({ cityName: 'bir-el djïr' }))).toMatchObject({
      to_wilaya_name: 'Oran',
      to_commune_name: 'Bir El Djir',
    })
  })

  test('an unknown commune is refused with what comes near it, never replaced', async () => {
    const { reason, message } = await refusal(to({ cityName: 'Bir Djir' }))
    expect(reason).toBe('refused')
    expect(message).toContain('"Bir Djir"')
    expect(message).toContain('Bir El Djir')
  })

  test('a commune of another wilaya is not taken', async () => {
    expect((await refusal(to({ cityName: 'Hydra' }))).reason).toBe('refused')
  })

  test('a centre is the destination', async () => {
    const [center] = await carrier.centers!(rig.open().context, { stateId: '31' })
    const parcel = to({ deliveryType: 'pickup', pickupId: center!.id, cityName: 'Es Senia' })
    const { warnings } = await carrier.send(rig.open().context, parcel)
    expect(posted()).toMatchObject({ is_stopdesk: true, stopdesk_id: Number(center!.id), to_commune_name: 'Oran' })
    expect(warnings?.map(({ code }) => code)).toEqual(['destination_rewritten'])
  })

  test('wilayas, communes and centres are whole, with coordinates', async () => {
    const { context } = rig.open()
    expect((await carrier.states!(context)).length).toBe(58)
    expect((await carrier.cities!(context, {})).length).toBeGreaterThan(1500)
    expect((await carrier.centers!(context, { stateId: '16' }))[0]).toMatchObject({
      stateId: '16',
      latitude: expect.any(Number),
    })
  })

  test('a send costs one call once the places are known, for a day', async () => {
    let now = Date.now()
    const notes = createStorage()
    const desk = () => openDesk(carrier, { [carrier.net[0]!]: simulator.url }, { ...rig, storage: notes, now: () => now })
    const cost = async () => {
      const before = simulator.requests.length
      await carrier.send(desk().context, shipment())
      return simulator.requests.length - before
    }
    expect([await cost(), await cost(), await cost()]).toEqual([4, 1, 1])
    now += 86_400_001
    expect(await cost()).toBe(4)
  })
})
