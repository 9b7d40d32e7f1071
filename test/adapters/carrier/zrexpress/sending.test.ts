import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import zrexpress from '../../../../adapters/carrier/zrexpress/index.ts'
import { createStorage, type Desk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, CarrierError, Shipment } from '../../../../plugins/carrier/contract.ts'
import { to } from '../../../support/simulated-rig.ts'
import { rig as zrRig } from './rig.ts'
import { communes } from './simulator/places.ts'
import { startZrExpress } from './simulator.ts'

const carrier = zrexpress as Carrier
const rig = zrRig(carrier)
const { simulator } = rig
const { books, workflow } = simulator
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

type Json = Record<string, unknown>
const api = '/api/v1/'
const withSettings = (change: object) => rig.open({ settings: { ...rig.settings, ...change } })
const asked = (line: string, since = 0) =>
  simulator.requests.slice(since).filter(({ method, path }) => `${method} ${path}` === line.replace(' ', ` ${api}`))
const lastBody = (line: string) => JSON.parse(asked(line).at(-1)!.body) as Json
const parcelsOf = ({ reference }: Shipment) => books.all().filter(({ fields }) => fields.externalId === reference)

async function refusal(parcel: Shipment, desk: Desk = rig.open()): Promise<CarrierError> {
  try {
    await carrier.send(desk.context, parcel)
  } catch (error) {
    return error as CarrierError
  }
  throw new Error('It was taken.')
}

describe('parcels that are sent', () => {
  test('every field as the carrier asks for it', async () => {
    const parcel = shipment({
      recipient: { name: ' Amina Ben Ali ', phone: '0550 00 00 00', phoneAlt: '00213 21 23 45 67' },
      weightKg: 2.5,
      dimensions: { lengthCm: 20, widthCm: 10, heightCm: 5 },
    })
    const { trackingId, carrierData } = await carrier.send(rig.open().context, parcel)
    const [taken] = parcelsOf(parcel)
    expect(taken).toMatchObject({ trackingNumber: trackingId, id: String(carrierData?.id) })
    expect(lastBody('POST parcels')).toEqual({
      customer: {
        customerId: String(simulator.customers.at(-1)?.id),
        name: 'Amina Ben Ali',
        phone: { number1: '+213550000000', number2: '+21321234567' },
      },
      deliveryAddress: {
        cityTerritoryId: 'aaaaaaaa-0000-4000-8000-000000000031',
        districtTerritoryId: 'bbbbbbbb-0000-4000-8000-000000003101',
        street: '12 rue des Tests',
      },
      deliveryType: 'home',
      amount: 3200,
      description: 'Test item x1',
      externalId: parcel.reference,
      orderedProducts: [
        {
          productName: 'Test item x1',
          productSku: parcel.reference,
          unitPrice: 3000,
          quantity: 1,
          length: 20,
          width: 10,
          height: 5,
          weight: 2.5,
          stockType: 'none',
        },
      ],
      weight: { weight: 2.5 },
      stateId: workflow.called('pret_a_expedier').id,
    })
  })

  test('keys go in headers', async () => {
    const { context } = rig.open()
    await carrier.testConnection(context)
    const nothing = { ...context, fetch: async () => new Response('') }
    await expect(carrier.testConnection(nothing) as Promise<unknown>).rejects.toMatchObject({ reason: 'unavailable' })
    const { headers } = asked('GET users/profile').at(-1)!
    expect([headers.get('x-api-key'), headers.get('x-tenant')]).toEqual([simulator.credentials.apiKey, simulator.credentials.tenant])
  })

  test('a description is never shorter than two letters nor longer than 250', async () => {
    const short = shipment({ contents: 'x' })
    await carrier.send(rig.open().context, short)
    expect(lastBody('POST parcels').description).toBe(short.reference)
    const { warnings } = await carrier.send(rig.open().context, shipment({ contents: 'y'.repeat(300) }))
    expect(lastBody('POST parcels').description).toBe('y'.repeat(250))
    expect(warnings?.map(({ code }) => code)).toEqual(['contents_cut'])
    // A letter of two halves is not cut in two: no JSON may hold half of one.
    await carrier.send(rig.open().context, shipment({ contents: `${'y'.repeat(249)}😀` }))
    expect(lastBody('POST parcels').description).toBe('y'.repeat(249))
  })

  test('a value that the carrier does not accept gives a warning', async () => {
    const parcel = shipment({ notes: 'Call first', recipient: { name: 'A', phone: '0550000000', phoneAlt: '+33 1 23 45 67 89' } })
    const { warnings } = await carrier.send(rig.open().context, parcel)
    expect(warnings?.map(({ code }) => code)).toEqual(['phone_alt_dropped', 'notes_not_sent'])
  })

  test.each([
    ['a fraction of a dinar', shipment({ codAmount: 99.5 }), 'whole dinars'],
    ['too much', shipment({ codAmount: 150_001 }), '150000'],
    ['a foreign number', shipment({ recipient: { name: 'A', phone: '+33612345678' } }), '0550000000'],
    ['no name', shipment({ recipient: { name: ' ', phone: '0550000000' } }), 'name'],
    ['another country', to({ country: 'TN' }), 'Algeria'],
    ['a wilaya that has no territory', to({ stateCode: '33', stateName: 'Illizi', cityName: 'Illizi' }), 'Illizi'],
    [
      'a commune not served at home',
      to({ stateCode: '31', cityName: communes.findLast(({ code }) => code.startsWith('31'))!.name }),
      'does not deliver',
    ],
    ['a commune of another wilaya', to({ cityName: 'Hydra' }), 'Hydra'],
    ['a pick-up without its hub', to({ deliveryType: 'pickup' }), 'pickupId'],
    ['a territory where a hub should be', to({ deliveryType: 'pickup', pickupId: 'bbbbbbbb-0000-4000-8000-000000003101' }), 'no hub'],
  ])('refused before a parcel is made: %s', async (_, parcel, hint) => {
    const since = simulator.requests.length
    const { reason, message } = await refusal(parcel)
    expect([reason, message]).toEqual(['refused', expect.stringContaining(hint)])
    expect(asked('POST parcels', since)).toEqual([])
  })
})

describe('a parcel ships', () => {
  test('because it is made in the state that hubs look at', async () => {
    const { trackingId } = await carrier.send(rig.open().context, shipment())
    expect(books.collect()).toContain(trackingId)
  })

  test('only once it is validated, where it was not to ship at once', async () => {
    const { context } = withSettings({ shipAtOnce: false })
    const { trackingId } = await carrier.send(context, shipment())
    expect(lastBody('POST parcels').stateId).toBeUndefined()
    expect(books.collect()).not.toContain(trackingId)
    await carrier.validate!(context, trackingId)
    expect(books.collect()).toContain(trackingId)
  })

  test('also where the carrier forgot the state it was made with', async () => {
    simulator.quirks.ignoresStateId = true
    const { trackingId } = await carrier.send(rig.open().context, shipment())
    expect(books.collect()).toContain(trackingId)
  })

  test('after a broken second step too: it is looked up and made ready, never sent again', async () => {
    const { context } = rig.open()
    const parcel = shipment()
    simulator.quirks.ignoresStateId = true
    Object.assign(simulator.faults, { on: '^PATCH', error500: 1 })
    expect(await refusal(parcel, { ...rig.open(), context })).toMatchObject({ reason: 'unavailable' })
    await expect(carrier.findByReference!(context, parcel.reference)).rejects.toMatchObject({ reason: 'unavailable' })
    simulator.calm()
    const found = await carrier.findByReference!(context, parcel.reference)
    expect(parcelsOf(parcel).map(({ trackingNumber }) => trackingNumber)).toEqual([found!.trackingId])
    expect(books.collect()).toContain(found!.trackingId)
  })

  test('the state is the tenant’s own, and asked for once a connection', async () => {
    const notes = createStorage()
    const since = simulator.requests.length
    await carrier.send(rig.open({ storage: notes }).context, shipment())
    await carrier.send(rig.open({ storage: notes }).context, shipment())
    expect(asked('POST workflows/search', since).length).toBe(1)
    const other = startZrExpress()
    const otherRig = zrRig(carrier, other)
    const { trackingId } = await carrier.send(otherRig.open().context, shipment())
    expect(other.books.collect()).toEqual([trackingId])
    await other.stop()
  })

  test('under whatever name the tenant gave the state, or not at all', async () => {
    const own = startZrExpress()
    const ownRig = zrRig(carrier, own)
    own.workflow.rename('pret_a_expedier', 'a_charger', 'À charger')
    const error = await Promise.resolve(carrier.send(ownRig.open().context, shipment())).catch((thrown: CarrierError) => thrown)
    const { id } = own.workflow.called('pret_a_expedier')
    expect(error).toMatchObject({
      reason: 'refused',
      upstream: { code: 'no_ready_state' },
      message: expect.stringContaining(`a_charger (${id})`),
    })
    expect(own.books.all()).toEqual([])
    for (const readyState of ['A charger', id]) {
      const { trackingId } = await carrier.send(ownRig.open({ settings: { ...rig.settings, readyState } }).context, shipment())
      expect(own.books.collect()).toEqual([trackingId])
    }
    await own.stop()
  })

  test('a remembered state that is gone is refused once, then read anew', async () => {
    const notes = createStorage()
    await notes.set('ready:pret_a_expedier', { at: Date.now(), value: crypto.randomUUID() })
    const { context } = rig.open({ storage: notes })
    await expect(carrier.send(context, shipment())).rejects.toMatchObject({ reason: 'refused' })
    const { trackingId } = await carrier.send(context, shipment())
    expect(books.collect()).toContain(trackingId)
  })
})

describe('exactly one parcel', () => {
  test.each([
    ['a 500', { error500: 1 }],
    ['429: more must not be sent', { rateLimit: 1 }],
    ['a broken answer', { malformed: 1 }],
    ['a lost answer', { loseAnswer: 1 }],
  ])('where the tracking number could not be read: %s', async (_, fault) => {
    const parcel = shipment()
    const { context } = rig.open()
    Object.assign(simulator.faults, { on: '^GET /api/v1/parcels/', ...fault })
    // Anything but "unavailable" would say that nothing was created.
    expect((await refusal(parcel, { ...rig.open(), context })).reason).toBe('unavailable')
    simulator.calm()
    const found = await carrier.findByReference!(context, parcel.reference)
    expect(parcelsOf(parcel).map(({ trackingNumber }) => trackingNumber)).toEqual([found!.trackingId])
  })

  test('a reference within another is not it', async () => {
    const { context } = rig.open()
    const longer = shipment()
    await carrier.send(context, longer)
    expect(await carrier.findByReference!(context, longer.reference.slice(0, -1))).toBeNull()
  })

  test('a search that does not look for it says nothing about it', async () => {
    const { context } = rig.open()
    await carrier.send(context, shipment())
    simulator.quirks.search = 'ignored'
    await expect(carrier.findByReference!(context, 'never-sent')).rejects.toMatchObject({ reason: 'unavailable' })
    const last = shipment()
    const { trackingId } = await carrier.send(context, last)
    expect((await carrier.findByReference!(context, last.reference))?.trackingId).toBe(trackingId)
  })

  test('two parcels under one reference are found and said to be two', async () => {
    const { context } = rig.open()
    const parcel = shipment()
    await carrier.send(context, parcel)
    await carrier.send(context, parcel)
    expect((await carrier.findByReference!(context, parcel.reference))?.warnings?.[0]?.code).toBe('sent_more_than_once')
  })
})

describe('many at once', () => {
  test('are one call with status 207; a parcel with several faults is one row that tells them all', async () => {
    const { context } = rig.open()
    const [first, bad, unsendable, last] = [shipment(), rig.refusable!(), to({ cityName: 'Nowhere' }), shipment()]
    const since = simulator.requests.length
    const rows = await carrier.sendMany!(context, [first!, bad!, unsendable!, last!])
    expect(asked('POST parcels/bulk', since).length).toBe(1)
    expect(asked('POST parcels', since).length).toBe(0)
    const rowOf = (parcel: Shipment) => rows.filter(({ reference }) => reference === parcel.reference)
    for (const good of [first!, last!]) expect(rowOf(good)).toMatchObject([{ sent: { trackingId: parcelsOf(good)[0]!.trackingNumber } }])
    expect(rowOf(bad!)).toMatchObject([{ refused: { code: 'Product.InvalidSize', message: expect.stringMatching(/length.*width/) } }])
    expect(rowOf(unsendable!)).toMatchObject([{ refused: { code: 'unknown_place' } }])
    expect(books.collect()).toEqual(expect.arrayContaining([first!, last!].map((parcel) => parcelsOf(parcel)[0]!.trackingNumber)))
  })

  /** The outcomes of a bulk creation as another version of the carrier might tell them. */
  const telling = (outcomes: (told: { successes: Json[]; failures: Json[] }) => Json) => {
    const { context } = rig.open()
    const fetch: typeof context.fetch = async (url, init) => {
      const answer = await context.fetch(url, init)
      return url.endsWith('/bulk') ? Response.json(outcomes((await answer.json()) as never), { status: 207 }) : answer
    }
    return { ...context, fetch }
  }

  test('what the answer does not name stays unknown', async () => {
    const parcels = [shipment(), shipment()]
    const context = telling(({ successes }) => ({ successes: successes.slice(0, 1), failures: [] }))
    expect((await carrier.sendMany!(context, parcels)).map(({ reference }) => reference)).toEqual([parcels[0]!.reference])
  })

  test('an outcome without our reference is known by its place', async () => {
    const [good, bad] = [shipment(), rig.refusable!()]
    const nameless = (rows: Json[]) => rows.map(({ externalId: _, ...row }) => row)
    const context = telling(({ successes, failures }) => ({ successes: nameless(successes), failures: nameless(failures) }))
    const rows = await carrier.sendMany!(context, [bad, good])
    expect(rows).toMatchObject([
      { reference: bad.reference, refused: {} },
      { reference: good.reference, sent: { trackingId: parcelsOf(good)[0]!.trackingNumber } },
    ])
  })
})

describe('customers', () => {
  test('are made first, once a person, also when the sending is tried anew', async () => {
    const { context } = rig.open()
    const before = simulator.customers.length
    const parcel = rig.faults.error_before!(shipment())
    await expect(carrier.send(context, parcel)).rejects.toMatchObject({ reason: 'unavailable' })
    simulator.calm()
    await carrier.send(context, parcel)
    await carrier.sendMany!(context, [shipment(), shipment({ recipient: { name: 'Somebody Else', phone: '0660000000' } })])
    expect(simulator.customers.slice(before).map(({ name }) => name)).toEqual(['Karim Test', 'Somebody Else'])
  })

  test('are made up where that is set', async () => {
    const before = simulator.customers.length
    await carrier.send(withSettings({ createCustomer: false }).context, shipment())
    expect(simulator.customers.length).toBe(before)
    expect((lastBody('POST parcels').customer as Json).customerId).toMatch(/^[0-9a-f-]{36}$/)
  })
})
