import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import companies from '../../../../adapters/carrier/procolis/index.ts'
import { trackingOf } from '../../../../adapters/carrier/procolis/shipment.ts'
import { HOUR_MS } from '../../../../core/lib/durations.ts'
import { createStorage, type Desk, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import { type Carrier, CarrierError, type Shipment } from '../../../../plugins/carrier/contract.ts'
import { statusReader } from '../../../../plugins/carrier/statuses.ts'
import { to } from '../../../support/simulated-rig.ts'
import { withSpawned } from '../../../support/spawned-simulator.ts'
import { rig as procolisRig } from './rig.ts'
import { startProcolis } from './simulator.ts'

const carrier = companies[0] as Carrier
const rig = procolisRig(carrier)
const { simulator } = rig
const usual = { ...simulator.habits }
afterEach(() => {
  simulator.calm()
  Object.assign(simulator.habits, usual)
})
afterAll(() => simulator.stop())

const asked = (path: string) => simulator.requests.filter((call) => call.path.endsWith(path))
const sentRows = () => (JSON.parse(asked('/add_colis').at(-1)!.body) as { Colis: Record<string, unknown>[] }).Colis
const sent = async (parcel = shipment(), desk: Desk = rig.open()) => ({ desk, parcel, sent: await carrier.send(desk.context, parcel) })
const trackOne = async ({ context }: Desk, trackingId: string) => (await carrier.track!(context, [trackingId]))[0]

test('six companies share one address, and the keys decide', async () => {
  expect(companies.map(({ slug }) => slug)).toEqual(['procolis', 'zrexpress-legacy', 'abex', 'colilog', 'flash-delivery', 'leopard'])
  expect(new Set(companies.flatMap(({ net }) => net))).toEqual(new Set(['procolis.com']))
  await carrier.testConnection(rig.open().context)
  const { headers } = simulator.requests.at(-1)!
  expect([headers.get('token'), headers.get('key')]).toEqual(Object.values(rig.credentials) as string[])
})

test('keys that are known and give no access do not work, whatever the status code', async () => {
  simulator.habits.access = 'Accès bloqué'
  await expect(carrier.testConnection(rig.open().context) as Promise<unknown>).rejects.toMatchObject({
    reason: 'unauthorized',
    message: expect.stringContaining('Accès bloqué'),
  })
})

describe('parcels that are sent', () => {
  test('every field as the carrier spells it', async () => {
    const parcel = shipment({
      recipient: { name: ' Amina Ben Ali ', phone: '+213 550-00.00.00', phoneAlt: '021 23 45 67' },
      notes: 'Call first',
    })
    await sent(parcel)
    expect(sentRows()).toEqual([
      {
        Tracking: parcel.reference,
        id_Externe: parcel.reference,
        TypeLivraison: 0,
        TypeColis: 0,
        Confrimee: 1,
        Client: 'Amina Ben Ali',
        MobileA: '0550000000',
        MobileB: '021234567',
        Adresse: '12 rue des Tests',
        IDWilaya: '31',
        Commune: 'Oran',
        Total: '3200',
        Note: 'Call first',
        TProduit: 'Test item x1',
      },
    ])
  })

  test('it costs one call', async () => {
    const before = simulator.requests.length
    await sent()
    expect(simulator.requests.length - before).toBe(1)
  })

  test('the goods go into the other field where the company reads that', async () => {
    await sent(shipment(), rig.open({ settings: { productField: 'Produit' } }))
    expect(sentRows()[0]).toMatchObject({ Produit: 'Test item x1' })
    expect(sentRows()[0]).not.toHaveProperty('TProduit')
  })

  test('a chosen desk gives a warning, as the carrier knows none', async () => {
    const { sent: answer } = await sent(to({ deliveryType: 'pickup', pickupId: '310101' }))
    expect(sentRows()[0]).toMatchObject({ TypeLivraison: 1, IDWilaya: '31', Commune: 'Oran' })
    expect(answer.warnings?.map(({ code }) => code)).toEqual(['center_not_sent'])
  })

  test('a wilaya beyond the 58 codes is looked for by name among those that the carrier names', async () => {
    await sent(to({ stateCode: 'XX', stateName: 'BEJAIA' }))
    expect(sentRows()[0]).toMatchObject({ IDWilaya: '06' })
  })

  test.each([
    ['a fraction of a dinar', shipment({ codAmount: 99.5 }), 'whole dinars'],
    ['a foreign number', shipment({ recipient: { name: 'A', phone: '+33612345678' } }), '0550000000'],
    ['no name', shipment({ recipient: { name: ' ', phone: '0550000000' } }), 'name'],
    ['another country', to({ country: 'TN' }), 'Algeria'],
    ['a wilaya that is none', to({ stateCode: '77', stateName: 'Orran' }), 'Oran'],
    ['no commune', to({ cityName: ' ' }), 'commune'],
  ])('refused before the carrier is asked: %s', async (_, parcel, hint) => {
    const before = asked('/add_colis').length
    await expect(sent(parcel)).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining(hint) })
    expect(asked('/add_colis').length).toBe(before)
  })
})

describe('a draft', () => {
  test('is not made: a parcel is ready to ship at once', async () => {
    const { parcel } = await sent()
    expect(simulator.parcels(parcel.reference)[0]?.situation).toBe('En Traitement - Prêt à Expédie')
  })

  test('is made where that is wanted, with a warning, and ships once validated', async () => {
    const { desk, parcel, sent: answer } = await sent(shipment(), rig.open({ settings: { shipAtOnce: false } }))
    expect(answer.warnings?.map(({ code }) => code)).toEqual(['waits_for_validation'])
    expect(simulator.parcels(parcel.reference)[0]?.situation).toBe('En Préparation')
    expect(() => simulator.advance(answer.trackingId, 'Dispatcher')).toThrow('in preparation')
    await carrier.validate!(desk.context, answer.trackingId)
    expect((await trackOne(desk, answer.trackingId))?.carrierStatus).toBe('En Traitement - Prêt à Expédie')
  })

  test('that is none cannot be validated', async () => {
    await expect(carrier.validate!(rig.open().context, 'no-such-parcel') as Promise<unknown>).rejects.toMatchObject({ reason: 'not_found' })
  })
})

describe('a number that is taken', () => {
  const double = { reason: 'refused', upstream: { code: 'double_tracking' } }

  test('is ours where the carrier shows our reference and the telephone: nothing new is made', async () => {
    const first = await sent()
    const again = await carrier.send(first.desk.context, first.parcel)
    expect(again.trackingId).toBe(first.sent.trackingId)
    expect(simulator.parcels(first.parcel.reference).length).toBe(1)
  })

  test('is another’s where the reference or the telephone differ', async () => {
    const [other, same] = [shipment(), shipment()]
    simulator.plant(other.reference, { id_Externe: 'their-order', MobileA: '0550000000' })
    simulator.plant(same.reference, { id_Externe: same.reference, MobileA: '0770999999' })
    await expect(sent(other)).rejects.toMatchObject(double)
    await expect(sent(same)).rejects.toMatchObject(double)
    expect(await carrier.findByReference!(rig.open().context, other.reference)).toBeNull()
  })

  test('is not taken for ours where the carrier does not show whose it is', async () => {
    const { parcel } = await sent()
    simulator.habits.echoes = false
    await expect(sent(parcel)).rejects.toMatchObject({ ...double, message: expect.stringContaining('does not show whose') })
  })

  test('leaves the outcome unknown where it cannot be looked at', async () => {
    const { parcel } = await sent()
    Object.assign(simulator.faults, { on: '/lire$', error500: 1 })
    await expect(sent(parcel)).rejects.toMatchObject({ reason: 'unavailable' })
  })
})

test('procolis: several parcels in one call each get their own outcome', async () => {
  const { desk, parcel: twice } = await sent()
  const [good, taken, unsendable, bad] = [shipment(), shipment(), to({ country: 'FR' }), rig.refusable!()]
  simulator.plant(taken.reference, { id_Externe: 'their-order' })
  const calls = simulator.requests.length
  const rows = await carrier.sendMany!(desk.context, [good, twice, taken, unsendable, bad])
  const row = ({ reference }: Shipment) => rows.find((one) => one.reference === reference)
  expect(row(good)?.sent).toEqual({ trackingId: good.reference })
  expect(row(twice)?.sent).toEqual({ trackingId: twice.reference })
  expect(row(taken)?.refused?.code).toBe('double_tracking')
  expect(row(unsendable)?.refused?.code).toBe('bad_country')
  expect(row(bad)?.refused?.message).toBe('Montant invalide')
  expect(simulator.requests.slice(calls).map(({ path }) => path)).toEqual(['/api_v1/add_colis', '/api_v1/lire'])
})

describe('the tracking number', () => {
  test('is the reference, or where no barcode holds that, a digest of it', async () => {
    expect(await trackingOf('A1B2-c3_4')).toBe('A1B2-c3_4')
    const odd = '#1001 / Boutique Été'
    expect(await trackingOf(odd)).toMatch(/^R[0-9A-F]{20}$/)
    expect(await trackingOf(odd)).toBe(await trackingOf(odd))
    expect(await trackingOf(`${odd} `)).not.toBe(await trackingOf(odd))
    expect((await trackingOf('x'.repeat(64))).length).toBe(21)
  })

  test('is found again by such a reference, which the carrier keeps whole', async () => {
    const { desk, parcel, sent: answer } = await sent(shipment({ reference: '#1001 / Boutique Été' }))
    expect(sentRows()[0]?.id_Externe).toBe(parcel.reference)
    expect(await carrier.findByReference!(desk.context, parcel.reference)).toEqual({ trackingId: answer.trackingId })
    expect(await trackOne(desk, answer.trackingId)).toMatchObject({ reference: parcel.reference })
  })
})

describe('reading', () => {
  test('a number after the status is no part of it', async () => {
    const { desk, sent: answer } = await sent()
    simulator.advance(answer.trackingId, 'En livraison ( 1528 )')
    expect((await trackOne(desk, answer.trackingId))?.carrierStatus).toBe('En livraison')
    simulator.advance(answer.trackingId, 'Appel sans Réponse 2')
    expect((await trackOne(desk, answer.trackingId))?.carrierStatus).toBe('Appel sans Réponse 2')
  })

  test('one that is missing hides no other, even where the carrier answers null to all', async () => {
    const desk = rig.open()
    const trackings: string[] = []
    for (let count = 0; count < 7; count++) trackings.push((await sent(shipment(), desk)).sent.trackingId)
    simulator.habits.nullHidesAll = true
    const before = simulator.requests.length
    const found = await carrier.track!(desk.context, [...trackings.slice(0, 5), 'no-such-parcel', ...trackings.slice(5)])
    expect(found.map(({ trackingId }) => trackingId)).toEqual(trackings)
    expect(simulator.requests.length - before).toBe(7)
  })

  test('only what is documented is needed', async () => {
    simulator.habits.echoes = false
    const { desk, parcel, sent: answer } = await sent()
    expect(await trackOne(desk, answer.trackingId)).toEqual({
      trackingId: answer.trackingId,
      carrierStatus: 'En Traitement - Prêt à Expédie',
      at: expect.any(String),
    })
    expect(await carrier.findByReference!(desk.context, parcel.reference)).toEqual({ trackingId: answer.trackingId })
  })

  test('a row without a status is left out and said so', async () => {
    const { desk, sent: answer } = await sent()
    const other = await sent(shipment(), desk)
    simulator.advance(answer.trackingId, '')
    const found = await carrier.track!(desk.context, [answer.trackingId, other.sent.trackingId])
    expect(found.map(({ trackingId }) => trackingId)).toEqual([other.sent.trackingId])
    expect(desk.logged).toEqual([{ message: 'left out a row that cannot be read', fields: { tracking: answer.trackingId } }])
  })

  test('times are local, in the zone of the connection', async () => {
    const { desk, sent: answer } = await sent()
    simulator.advance(answer.trackingId, 'Dispatcher', { told: '2027-03-01 10:00:00' })
    expect((await trackOne(desk, answer.trackingId))?.at).toBe('2027-03-01T09:00:00.000Z')
    const other = rig.open({ settings: { utcOffset: '+00:00' } })
    expect((await trackOne(other, answer.trackingId))?.at).toBe('2027-03-01T10:00:00.000Z')
  })

  test.each(['01/03/2027 10:00', '03/01/2027 10:00:00', '', 'hier', '0000-00-00 00:00:00'])(
    'a time written as %p is not guessed: the status counts from when it was first read',
    async (told) => {
      let now = Date.parse('2027-03-01T12:00:00Z')
      const desk = openDesk(carrier, { 'procolis.com': simulator.url }, { credentials: rig.credentials, now: () => now })
      const { sent: answer } = await sent(shipment(), desk)
      const at = async (situation: string) => {
        simulator.advance(answer.trackingId, situation, { told })
        return (await trackOne(desk, answer.trackingId))?.at
      }
      expect(await at('Dispatcher')).toBe('2027-03-01T12:00:00.000Z')
      now += HOUR_MS
      expect(await at('Dispatcher')).toBe('2027-03-01T12:00:00.000Z')
      expect(await at('Livrée')).toBe('2027-03-01T13:00:00.000Z')
    },
  )
})

test('statuses: what is paid, what waits at a desk, and what is not back yet', () => {
  const read = statusReader(carrier.statuses)
  expect(read('LIVREE [ ENCAISSER ]')).toEqual({ status: 'delivered', cash: 'collected' })
  expect(read('Livrée  [ Recouvert ]')).toEqual({ status: 'delivered', cash: 'paid_out' })
  expect(read('SD - En Attente du Client')).toEqual({ status: 'at_center', flag: 'ready_for_pickup' })
  expect(read('SD - Appel sans Réponse 3')).toEqual({ status: 'delivery_failed' })
  expect(read('Annuler par le Client')).toEqual({ status: 'returning' })
  expect(read('En Préparation - Annuler')).toEqual({ status: 'cancelled' })
  expect(read('Retour Stock')).toEqual({ status: 'returned' })
  expect(read('Actif')).toBeUndefined()
})

describe('prices', () => {
  test('are one row a wilaya; nothing is no price, and the fee of a return is told where the carrier tells it', async () => {
    const { context } = rig.open()
    expect(await carrier.fees!(context, { stateCode: '16' })).toEqual([{ stateCode: '16', home: 560, pickup: 410, returnFee: 200 }])
    expect(await carrier.fees!(context, { stateCode: '58' })).toEqual([{ stateCode: '58', home: 980, pickup: null }])
    expect(await carrier.rates!(context, { stateCode: '58' })).toEqual([
      { service: 'standard', deliveryType: 'home', price: 980, currency: 'DZD' },
    ])
    expect((await carrier.fees!(context, {})).length).toBe(58)
    expect((await carrier.states!(context))[6]).toMatchObject({ id: '07', code: '07', deliverable: true })
  })

  test('are asked for once a day', async () => {
    const before = asked('/tarification').length
    const { context } = rig.open({ storage: createStorage() })
    for (const stateCode of ['16', '31', '58']) await carrier.fees!(context, { stateCode })
    expect(asked('/tarification').length - before).toBe(1)
  })
})

describe('the simulator', () => {
  test('whatever goes wrong, what the server does leaves one parcel for each reference', async () => {
    const bad = startProcolis({ seed: 42, faults: { loseAnswer: 0.25, error500: 0.1, error500After: 0.1, malformed: 0.1, rateLimit: 0.1 } })
    const { context } = openDesk(carrier, { 'procolis.com': bad.url }, { credentials: bad.credentials })
    const deliverOnce = async (parcel: Shipment): Promise<string> => {
      for (let tries = 0; tries < 50; tries++) {
        try {
          return (await carrier.send(context, parcel)).trackingId
        } catch (error) {
          if (!(error instanceof CarrierError)) throw error
          const found = error.reason === 'unavailable' && (await carrier.findByReference!(context, parcel.reference))
          if (found) return found.trackingId
        }
      }
      throw new Error('It was never sent.')
    }
    const parcels = Array.from({ length: 200 }, () => shipment())
    const trackings = await Promise.all(parcels.map(deliverOnce))
    expect(parcels.map(({ reference }) => bad.parcels(reference).map(({ tracking }) => tracking))).toEqual(trackings.map((one) => [one]))
    expect(bad.requests.filter(({ path }) => path.endsWith('/add_colis')).length).toBeGreaterThan(210)
    await bad.stop()
  })

  test('runs as a process of its own and is steered from outside', () =>
    withSpawned('procolis', async ({ url, control }) => {
      const { credentials } = (await control('account')) as { credentials: Record<string, string> }
      const { context } = openDesk(carrier, { 'procolis.com': url }, { credentials })
      const { trackingId: tracking } = await carrier.send(context, shipment())
      await control('advance', { tracking, situation: 'Livrée [ Encaisser ]' })
      expect((await carrier.track!(context, [tracking]))[0]?.carrierStatus).toBe('Livrée [ Encaisser ]')
    }))
})
