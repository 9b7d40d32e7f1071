import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { companies } from '../../../../adapters/carrier/ecotrack/companies.ts'
import rows from '../../../../adapters/carrier/ecotrack/index.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { createStorage, type Desk, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import { statusReader } from '../../../../plugins/carrier/statuses.ts'
import { checkFields } from '../../../../plugins/fields.ts'
import { withSpawned } from '../../../support/spawned-simulator.ts'
import { company, rig as ecotrackRig, failure, inbound, stateEvent } from './rig.ts'
import { type Ecotrack, startEcotrack } from './simulator.ts'

const carrier = company('dhd')
const rig = ecotrackRig(carrier)
const { simulator, host, set } = rig
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

const send = async (desk: Desk = rig.open(), change: object = {}) => (await carrier.send(desk.context, shipment(change))).trackingId

describe('companies', () => {
  test('are all there, each at its own host or below ecotrack.dz', () => {
    expect(rows.length).toBe(84)
    const hosts = companies.flatMap(({ host }) => host ?? [])
    expect([hosts.length, new Set(hosts).size]).toEqual([83, 83])
    expect(hosts.filter((name) => !name.endsWith('.ecotrack.dz'))).toEqual(['platform.dhd-dz.com', 'app.conexlog-dz.com'])
    for (const row of rows) expect(row.net).toContain('*.ecotrack.dz')
    expect(carrier.net).toEqual(['platform.dhd-dz.com', '*.ecotrack.dz'])
  })

  test('whose host was never seen to work say so in the form', () => {
    const unverified = rows.filter(({ settings: { host } }) => host.help?.includes('never seen to work')).map(({ slug }) => slug)
    expect(unverified).toEqual([
      'ab-delivery',
      'assil-delivery',
      'oksbox',
      'one-express',
      'royaume-delivery',
      'si-express',
      'ultra-express',
      'wassim-express',
    ])
    expect(companies.filter(({ verified }) => !verified).map(({ slug }) => slug)).toEqual(unverified)
  })

  test.each([
    ['demo.ecotrack.dz', 0],
    ['livraison.example.com', 0],
    ['https://demo.ecotrack.dz', 1],
    ['demo.ecotrack.dz/api', 1],
    ['user@evil.example', 1],
    ['10.0.0.1', 1],
    ['localhost', 1],
    ['', 1],
  ])('the host %p has %i problems for a company that is not in the list', (name, problems) => {
    expect(checkFields(company('ecotrack').settings, { host: name }, []).length).toBe(problems)
  })
})

describe('hosts', () => {
  test('a company that moved is asked where it is now', async () => {
    const moved = openDesk(
      carrier,
      { 'dhd.ecotrack.dz': simulator.url },
      { ...rig, settings: { ...rig.settings, host: 'dhd.ecotrack.dz' } },
    )
    expect((await carrier.states!(moved.context)).length).toBe(57)
    expect(moved.asked).toEqual(['dhd.ecotrack.dz'])
  })

  test('a redirect is not followed: a POST would become a GET', async () => {
    const desk = rig.open()
    await send(desk)
    simulator.habits.movedTo = 'new.ecotrack.dz'
    const before = simulator.requests.length
    expect(await failure(send(desk))).toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('Set the host of the connection to new.ecotrack.dz'),
    })
    expect(await failure(carrier.testConnection(desk.context))).toMatchObject({ message: expect.stringContaining('new.ecotrack.dz') })
    expect(simulator.requests.length - before).toBe(2)
    expect(new Set(desk.asked)).toEqual(new Set([host]))
  })

  test('a domain that nobody allowed is told to be allowed', async () => {
    const desk = set({ host: 'livraison.example.com' })
    expect(await failure(carrier.states!(desk.context))).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('ADAPTER_HOSTS'),
    })
    expect((await failure(carrier.states!(set({ host: 'gone.ecotrack.dz' }).context))).message).not.toContain('ADAPTER_HOSTS')
  })

  test('what one host said is not taken for what another says', async () => {
    const notes = createStorage()
    const other = startEcotrack()
    const at = (name: string, { url, credentials }: Ecotrack) =>
      openDesk(carrier, { [name]: url }, { storage: notes, credentials, settings: { host: name } }).context
    await carrier.states!(at(host, simulator))
    await carrier.states!(at('other.ecotrack.dz', other))
    expect(other.requests.length).toBe(1)
    await other.stop()
  })
})

describe('the token', () => {
  test('goes into the header of each call, and into the query where the platform asks for it there', async () => {
    const desk = rig.open()
    await carrier.testConnection(desk.context)
    await carrier.track!(desk.context, [await send(desk), await send(desk)])
    const { token } = simulator.credentials
    expect(simulator.requests.filter(({ headers }) => headers.get('authorization') !== `Bearer ${token}`)).toEqual([])
    const withQuery = simulator.requests.filter(({ query }) => query.has('api_token'))
    expect(withQuery.map(({ path, query }) => [path, query.get('api_token')])).toEqual([
      ['/api/v1/validate/token', token],
      ['/api/v1/get/orders/status', token],
    ])
  })

  test.each([
    ['that is wrong', 'does not accept this token', { credentials: { ...rig.credentials, token: 'wrong-token-123' } }, {}],
    ['that may not use the API', 'Ask the company to allow it', {}, { token: 'TOKEN_NOT_ALLOWED' as const }],
  ])('%s', async (_, words, options, habits) => {
    Object.assign(simulator.habits, habits)
    expect(await failure(carrier.testConnection(rig.open(options).context))).toMatchObject({
      reason: 'unauthorized',
      message: expect.stringContaining(words),
    })
  })

  test('is tried on the wilayas where a company has no test for it', async () => {
    simulator.habits.hasTokenTest = false
    expect(await carrier.testConnection(rig.open().context)).toEqual({})
    const wrong = rig.open({ credentials: { ...rig.credentials, token: 'wrong-token-123' } })
    expect((await failure(carrier.testConnection(wrong.context))).reason).toBe('unauthorized')
  })

  test('is wrong where the platform says so, whatever the status', async () => {
    simulator.habits.unauthenticated = 200
    const wrong = rig.open({ credentials: { ...rig.credentials, token: 'wrong-token-123' } })
    expect((await failure(carrier.states!(wrong.context))).reason).toBe('unauthorized')
    expect((await failure(send(wrong))).reason).toBe('unauthorized')
  })

  test('over quota the platform’s own answer means a minute', async () => {
    simulator.habits.throttled = true
    expect(await failure(carrier.states!(rig.open().context))).toMatchObject({
      reason: 'rate_limited',
      upstream: { message: 'Too Many Attempts.', retryAfterSeconds: 60 },
    })
  })
})

describe('statuses', () => {
  // As the platform's own lists have them.
  const words: Readonly<Record<string, string>> = {
    submitted:
      'prete_a_expedier prete_a_preparer en_ramassage en_preparation_stock order_information_received_by_carrier pret_a_expedier pret_a_preparer stock_en_preparation|Prêt à expédier|Prêt à préparer|En ramassage|Stock en préparation',
    picked_up: 'picked',
    in_transit: 'vers_hub vers_wilaya|Vers hub|Vers wilaya',
    at_center: 'en_hub en_preparation accepted_by_carrier|En hub|En préparation',
    out_for_delivery: 'en_livraison dispatched_to_driver|En livraison',
    delivery_failed: 'attempt_delivery|maj tentative_added',
    on_hold: 'suspendu suspendus|Suspendus|maj tentative_delayed',
    delivered: 'livred livre_non_encaisse|Livre non encaissé',
    'delivered collected': 'encaissed encaisse_non_paye livre_encaisse_non_paye|Livre encaissé non payé',
    'delivered payout_ready': 'paiements_prets paiement_pret|Paiement prêt',
    'delivered paid_out': 'payed paye_et_archive paiement_archived payé_et_archivé|Paiement archivé',
    returning:
      'return_asked return_in_transit retour_chez_livreur retour_transit_entrepot retour_en_traitement retours_en_traitement retours_chez_livreur retours_prets retours_a_dispatcher_vers_stock retours_en_transit_stock|Retours chez livreur|Retours en traitement|Retours prêts|Retours à dispatcher vers stock|Retours en transit stock',
    returned:
      'Return_received retour_recu retour_archive retour_archived retours_recu retours_archived retours_en_stock|Retours reçu|Retours en stock|Retours archivé',
    cancelled: 'annule',
    'no change': 'notification_on_order|maj unknown',
  }
  const read = statusReader(carrier.statuses)

  test.each(Object.entries(words))('%s', (meaning, list) => {
    const [keys = '', ...phrases] = list.split('|')
    for (const raw of [...keys.split(' '), ...phrases]) {
      const { status, cash } = read(raw) ?? { status: 'unknown' }
      expect([raw, [status, cash].filter(Boolean).join(' ') || 'no change']).toEqual([raw, meaning])
    }
  })

  test('nothing else is known', () => {
    for (const raw of ['all', 'maj', 'maj something', 'retour', 'livré']) expect(read(raw)).toBeUndefined()
  })
})

describe('callbacks', () => {
  const event = (change: object = {}) => ({
    ...stateEvent('ECO1', 'en_hub', '2026-11-21T10:00:00+01:00', '01JC0000000000000000000001'),
    ...change,
  })
  const parse = (value: object, desk = rig.open()) => eventsIn(carrier, inbound('dhd', simulator.callback(value as never)), desk.context)
  const note = (type: string, raison?: string) =>
    event({ event: 'order.maj.added', state: null, maj: { type, tentative_number: 2, raison } })

  test('tell a state by its code, else by the name of the event', async () => {
    const at = '2026-11-21T09:00:00.000Z'
    expect(await parse(event())).toEqual([{ trackingId: 'ECO1', carrierStatus: 'en_hub', at, eventId: '01JC0000000000000000000001' }])
    expect(await parse(event({ event: 'order.state.retours_recu', state: null }))).toMatchObject([{ carrierStatus: 'retours_recu' }])
  })

  test.each([
    ['tentative_added', 'Client absent', 'delivery_failed'],
    ['tentative_delayed', 'Reporté', 'on_hold'],
    ['unknown', 'Note', undefined],
  ])('a note of type %s', async (type, raison, meaning) => {
    const [report] = await parse(note(type, raison))
    expect(report).toMatchObject({ carrierStatus: `maj ${type}`, reason: raison })
    expect(statusReader(carrier.statuses)(report!.carrierStatus!)?.status).toBe(meaning as never)
  })

  test('the event’s id is also in a header, and times without a zone are local', async () => {
    const { event_id, ...bare } = event({ occurred_at: '2026-11-21 10:00:00' })
    const { headers, body } = simulator.callback(bare)
    const request = inbound('dhd', { headers: { ...headers, 'x-ecotrack-event-id': event_id }, body })
    expect(await eventsIn(carrier, request, rig.open().context)).toMatchObject([{ eventId: event_id, at: '2026-11-21T09:00:00.000Z' }])
  })

  test.each([
    ['another event', { event: 'order.created' }],
    ['a name that is in no table', { event: 'toString' }],
    ['no time', { occurred_at: null }],
    ['no parcel', { tracking: '' }],
    ['a note without a type', { event: 'order.maj.added', maj: null }],
    ['a state without a code', { event: 'order.state.', state: {} }],
  ])('%s is left out and logged', async (_, change) => {
    const desk = rig.open()
    expect(await parse(event(change), desk)).toEqual([])
    expect(desk.logged.length).toBe(1)
  })

  test('a signature counts only with its prefix', async () => {
    const { headers, body } = simulator.callback(event())
    const verify = (signature: string) =>
      isProven(carrier, inbound('dhd', { headers: { 'x-ecotrack-signature': signature }, body }), rig.open().context)
    const signature = headers['x-ecotrack-signature']!
    expect(await verify(signature)).toBe(true)
    expect(await verify(signature.toUpperCase())).toBe(true)
    expect(await verify(signature.slice('sha256='.length))).toBe(false)
    expect(await verify(signature.replace('sha256', 'sha1'))).toBe(false)
  })
})

test('the other side runs as a process of its own and is steered from outside', () =>
  withSpawned('ecotrack', async ({ url, control }) => {
    const { context } = openDesk(carrier, { [host]: url }, { credentials: await control('account') })
    const parcel = shipment()
    const { trackingId: tracking } = await carrier.send(context, parcel)
    expect(await control(`orders?reference=${parcel.reference}`)).toMatchObject([{ tracking, isValidated: true }])
    await control('advance', { tracking, status: 'encaisse_non_paye' })
    await control('pay', { tracking, paymentId: 'PAY-9' })
    expect(await carrier.cash!.batches(context)).toMatchObject([{ id: 'PAY-9', amount: 3200 }])
    await control('habits', { throttled: true })
    expect((await failure(carrier.track!(context, [tracking]))).reason).toBe('rate_limited')
    expect(await control('callback', stateEvent(tracking, 'en_hub', '2026-11-21T10:00:00Z', '1'))).toMatchObject({
      headers: { 'x-ecotrack-event': 'order.state.en_hub' },
    })
  }))
