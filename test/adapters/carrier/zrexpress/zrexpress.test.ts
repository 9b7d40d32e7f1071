import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import zrexpress from '../../../../adapters/carrier/zrexpress/index.ts'
import { HOUR_MS } from '../../../../core/lib/durations.ts'
import { createStorage, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, CarrierParcel } from '../../../../plugins/carrier/contract.ts'
import { statusReader } from '../../../../plugins/carrier/statuses.ts'
import { rig as zrRig } from './rig.ts'

const carrier = zrexpress as Carrier
const rig = zrRig(carrier)
const { simulator } = rig
const { books } = simulator
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

const api = '/api/v1/'
const meaning = statusReader(carrier.statuses)
const withSettings = (change: object) => rig.open({ settings: { ...rig.settings, ...change } })
const asked = (line: string, since = 0) =>
  simulator.requests.slice(since).filter(({ method, path }) => `${method} ${path}`.startsWith(line.replace(' ', ` ${api}`)))
const minute = (count: number) => new Date(Date.now() + count * 60_000).toISOString()
const sendOne = async (desk = rig.open()) => (await carrier.send(desk.context, shipment())).trackingId
const wordsOf = ({ history }: CarrierParcel) => history!.map(({ carrierStatus = '' }) => carrierStatus)

describe('returns', () => {
  test('are told by isReturn alone, and the word says so', async () => {
    const { context } = rig.open()
    const trackingId = await sendOne()
    books.advance(trackingId, 'en_livraison', minute(1))
    books.turn(trackingId, minute(2))
    const [parcel] = await carrier.track!(context, [trackingId])
    expect(wordsOf(parcel!)).toEqual(['pret_a_expedier', 'en_livraison', 'return: en_livraison'])
    expect(parcel).toMatchObject({ carrierStatus: 'return: en_livraison', at: books.get(trackingId)!.markedAsReturnAt!, deliveryFee: 200 })
    books.advance(trackingId, 'vers_wilaya', minute(3))
    books.advance(trackingId, 'recupere_par_fournisseur', minute(4))
    const [back] = await carrier.track!(context, [trackingId])
    expect(wordsOf(back!).map((word) => meaning(word)?.status)).toEqual([
      'submitted',
      'out_for_delivery',
      'returning',
      'returning',
      'returned',
    ])
  })

  test('without a time begin with the last state', async () => {
    const trackingId = await sendOne()
    books.advance(trackingId, 'dispatch', minute(1))
    Object.assign(books.turn(trackingId), { markedAsReturnAt: null })
    expect(wordsOf((await carrier.track!(rig.open().context, [trackingId]))[0]!)).toEqual(['pret_a_expedier', 'return: dispatch'])
  })

  test('of every known state mean a return; only what the seller has is returned; unknown states stay unknown', () => {
    const known = Object.keys(carrier.statuses).filter((word) => !word.startsWith('return: '))
    const meanings = Object.groupBy(known, (word) => meaning(`return: ${word}`)?.status ?? 'none')
    expect(Object.keys(meanings).sort()).toEqual(['returned', 'returning'])
    expect(meanings.returned).toEqual(['recupere_par_fournisseur', 'reinjecte_dans_stock', 'remboursement_reinjecte', 'Returned'])
    expect(meaning('return: mange_par_une_chevre')).toBeUndefined()
  })

  test('slugs, French descriptions and English names mean the same', () => {
    for (const words of [
      ['livre', 'livré au client', 'Delivered'],
      ['pret_a_expedier', 'Prêt à expédier', 'ReadyToDispatch'],
      ['vers_wilaya', 'InterWilayaTransit'],
    ]) {
      expect(new Set(words.map((word) => JSON.stringify(meaning(word)))).size).toBe(1)
      expect(meaning(words[0]!)).toBeDefined()
    }
    expect(meaning('encaisse')).toEqual({ status: 'delivered', cash: 'collected' })
    expect(meaning('livre')).toEqual({ status: 'delivered' })
  })
})

describe('situations', () => {
  test('are raw words that no table knows, each with its own time, and never a state', async () => {
    const trackingId = await sendOne()
    books.advance(trackingId, 'en_livraison', minute(1))
    books.situate(trackingId, 'client_absent', minute(2))
    const [parcel] = await carrier.track!(rig.open().context, [trackingId])
    expect(wordsOf(parcel!)).toEqual(['pret_a_expedier', 'en_livraison', 'situation: client_absent'])
    expect(parcel!.history!.at(-1)).toMatchObject({ reason: 'client absent, rappeler demain' })
    expect(meaning('situation: client_absent')).toBeUndefined()
    books.advance(trackingId, 'livre', minute(3))
    expect((await carrier.track!(rig.open().context, [trackingId]))[0]!.carrierStatus).toBe('livre')
  })

  test('in a list are news once, and none when they outlive their state', async () => {
    let now = Date.now()
    const desk = openDesk(carrier, { [carrier.net[0]!]: simulator.url }, { ...rig, storage: createStorage(), now: () => now })
    const [trackingId, other] = [await sendOne(), await sendOne()]
    const look = async () => {
      now += 60_000
      const found = await carrier.track!(desk.context, [trackingId, other])
      return found.find((parcel) => parcel.trackingId === trackingId)!
    }
    books.advance(trackingId, 'en_livraison')
    books.situate(trackingId, 'reporte')
    const first = await look()
    expect([wordsOf(first), first.carrierStatus]).toEqual([['en_livraison', 'situation: reporte'], 'situation: reporte'])
    expect(await look()).toEqual(first)
    const { situations } = books.get(trackingId)!.history.at(-1)!
    books
      .advance(trackingId, 'vers_wilaya')
      .history.at(-1)!
      .situations.push(...situations)
    expect(await look()).toMatchObject({ carrierStatus: 'vers_wilaya', at: new Date(now).toISOString() })
  })
})

describe('several parcels', () => {
  test('are one call', async () => {
    const desk = rig.open()
    const trackingIds = [await sendOne(), await sendOne(), await sendOne()]
    const since = simulator.requests.length
    expect((await carrier.track!(desk.context, [...trackingIds, 'no-such-parcel'])).map((parcel) => parcel.trackingId)).toEqual(trackingIds)
    expect(simulator.requests.length - since).toBe(1)
  })

  test.each(['ignored', 'refused'] as const)('are asked for one by one where the filter is %s', async (filters) => {
    const { context } = rig.open()
    const trackingIds = [await sendOne(), await sendOne()]
    simulator.quirks.filters = filters
    const found = await carrier.track!(context, [...trackingIds, 'no-such-parcel'])
    expect(found.map((parcel) => parcel.trackingId)).toEqual(trackingIds)
  })

  test('keep the day on which a state was first seen, and that of their delivery exactly', async () => {
    let now = Date.now()
    const desk = openDesk(carrier, { [carrier.net[0]!]: simulator.url }, { ...rig, storage: createStorage(), now: () => now })
    const trackingIds = [await sendOne(), await sendOne()]
    const look = async () => (await carrier.track!(desk.context, trackingIds))[0]
    const first = await look()
    now += HOUR_MS
    expect(await look()).toEqual(first!)
    books.advance(trackingIds[0]!, 'livre', minute(7))
    expect(await look()).toMatchObject({ carrierStatus: 'livre', at: books.get(trackingIds[0]!)!.deliveredAt! })
  })

  test('the history is asked for by id, since a tracking number finds none', async () => {
    const trackingId = await sendOne()
    await carrier.track!(rig.open().context, [trackingId])
    expect(asked('GET parcels/').at(-1)!.path).toBe(`${api}parcels/${books.get(trackingId)!.id}/state-history`)
  })

  test('a list is narrowed by state, and to what did not end before a day', async () => {
    const { context } = rig.open()
    const [delivered, moving] = [await sendOne(), await sendOne()]
    books.advance(delivered, 'livre', '2026-01-05T10:00:00Z')
    books.advance(moving, 'vers_wilaya')
    const idsOf = async (query: object) => (await carrier.list!(context, { limit: 1000, ...query })).rows.map((row) => row.trackingId)
    expect(await idsOf({ status: 'Vers_Wilaya' })).toContain(moving)
    expect(await idsOf({ status: 'Vers_Wilaya' })).not.toContain(delivered)
    const since = await idsOf({ since: '2026-02-01T00:00:00Z' })
    expect([since.includes(moving), since.includes(delivered)]).toEqual([true, false])
  })

  test('a row that cannot be read is left out, the others stay', async () => {
    const { context, logged } = rig.open()
    const [one, other] = [await sendOne(), await sendOne()]
    books.advance(one, '')
    expect((await carrier.track!(context, [one, other])).map((parcel) => parcel.trackingId)).toEqual([other])
    expect(logged).toEqual([{ message: 'left out rows that cannot be read', fields: { rows: 1 } }])
  })
})

describe('changes', () => {
  const elsewhere = { ...shipment().destination, cityName: 'Arzew', address: '5 rue neuve' }

  test('are a call for each kind, by id, in the carrier’s words', async () => {
    const desk = rig.open()
    const trackingId = await sendOne(desk)
    const since = simulator.requests.length
    const recipient = { name: 'Lina', phone: '0661 00 00 00' }
    await carrier.edit!(desk.context, trackingId, { codAmount: 4000, recipient, destination: elsewhere })
    const parcelId = books.get(trackingId)!.id
    const patches = asked('PATCH parcels/', since).map(({ path, body }) => [
      path.replace(`${api}parcels/${parcelId}/`, ''),
      JSON.parse(body),
    ])
    expect(patches).toEqual([
      [
        'deliveryAddress',
        {
          parcelId,
          cityTerritoryId: 'aaaaaaaa-0000-4000-8000-000000000031',
          districtTerritoryId: expect.stringMatching(/^bbbbbbbb/),
          street: '5 rue neuve',
        },
      ],
      ['customer', { parcelId, name: 'Lina', phone: { number1: '+213661000000' } }],
      ['amount', { parcelId, amount: 4000 }],
    ])
    expect((await carrier.track!(desk.context, [trackingId]))[0]).toMatchObject({ codAmount: 4000, cityName: 'Arzew' })
  })

  test('that the carrier cannot make are refused before anything is changed', async () => {
    const desk = rig.open()
    const trackingId = await sendOne(desk)
    const [hub] = await carrier.centers!(desk.context, { stateId: '31' })
    const toHub = { ...elsewhere, deliveryType: 'pickup' as const, pickupId: hub!.id }
    const since = simulator.requests.length
    const changes = [
      { contents: 'Other' },
      { weightKg: 3 },
      { destination: toHub, codAmount: 1 },
      { codAmount: 0.5, destination: elsewhere },
    ]
    for (const change of changes) await expect(carrier.edit!(desk.context, trackingId, change)).rejects.toMatchObject({ reason: 'refused' })
    await carrier.edit!(desk.context, trackingId, { notes: 'later' })
    expect(asked('PATCH parcels/', since)).toEqual([])
  })

  test('that failed half-way say what was changed', async () => {
    const desk = rig.open()
    const trackingId = await sendOne(desk)
    Object.assign(simulator.faults, { on: '^PATCH .*/amount', error500: 1 })
    const attempt = carrier.edit!(desk.context, trackingId, { codAmount: 4000, destination: elsewhere })
    await expect(attempt).rejects.toMatchObject({ reason: 'unavailable', message: expect.stringContaining('changed already: the address') })
  })

  test('of a locked parcel are refused, or asked for where that is set, and are never taken for made', async () => {
    const trackingId = await sendOne()
    books.advance(trackingId, 'confirme_au_bureau')
    const recipient = { name: 'Lina', phone: '0661000000' }
    const edit = (desk = rig.open()) => carrier.edit!(desk.context, trackingId, { codAmount: 10, recipient })
    await expect(edit()).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining('ParcelErrors.ParcelLocked') })
    expect(simulator.modificationRequests).toEqual([])
    await expect(edit(withSettings({ requestChanges: true }))).rejects.toMatchObject({
      reason: 'refused',
      upstream: { code: 'change_requested' },
    })
    const parcelId = books.get(trackingId)!.id
    expect(simulator.modificationRequests).toEqual([
      { parcelId, name: 'Lina', phone: { number1: '+213661000000' } },
      { parcelId, amount: 10 },
    ])
    expect(asked('POST parcel-modification-requests').map(({ path }) => path.slice(api.length))).toEqual([
      'parcel-modification-requests/phone',
      'parcel-modification-requests',
    ])
  })

  test('a parcel is validated from a draft only: one that is ready stays, one that moves is not put back', async () => {
    const desk = withSettings({ shipAtOnce: false })
    const [draft, moving] = [await sendOne(desk), await sendOne(desk)]
    await carrier.validate!(desk.context, draft)
    const since = simulator.requests.length
    await carrier.validate!(desk.context, draft)
    books.advance(moving, 'vers_wilaya')
    await expect(carrier.validate!(desk.context, moving)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('vers_wilaya'),
    })
    expect(asked('PATCH parcels/', since)).toEqual([])
  })
})

describe('labels', () => {
  test('of several that lie elsewhere come as one file of the carrier’s', async () => {
    const trackingIds = [await sendOne(), await sendOne()]
    const [sheet, ...others] = await carrier.labels!(rig.open().context, trackingIds)
    expect(sheet).toMatchObject({ trackingIds, contentType: 'application/pdf', url: expect.any(String), expiresAt: expect.any(String) })
    expect(others).toEqual([])
    expect(JSON.parse(asked('POST parcels/labels/multiple').at(-1)!.body)).toMatchObject({ trackingNumbers: trackingIds })
    simulator.quirks.fileHost = carrier.net[0]!
    const fetched = await carrier.labels!(rig.open().context, trackingIds)
    expect(fetched.map(({ trackingId, base64 }) => [trackingId, base64 !== undefined])).toEqual(trackingIds.map((id) => [id, true]))
  })

  test('are addresses with an end, in the format that is set, where the carrier binds none', async () => {
    const trackingIds = [await sendOne(), await sendOne()]
    const desk = withSettings({ labelFormat: 'a4' })
    simulator.quirks.bindsLabels = false
    const found = await carrier.labels!(desk.context, trackingIds)
    expect(found.map(({ trackingId }) => trackingId)).toEqual(trackingIds)
    for (const { url, expiresAt, base64 } of found) {
      expect([url?.startsWith('https://files.example/'), base64]).toEqual([true, undefined])
      const until = Number(new URL(url!).searchParams.get('until'))
      expect(Date.parse(expiresAt!)).toBeWithin(Date.now(), until)
    }
    expect(JSON.parse(asked('POST parcels/labels').at(-1)!.body)).toMatchObject({ format: 'a4' })
    expect(new Set(desk.asked)).toEqual(new Set([carrier.net[0]!]))
  })

  test('on the interface’s own host are fetched at once, without the keys', async () => {
    simulator.quirks.fileHost = carrier.net[0]!
    const [label] = await carrier.labels!(rig.open().context, [await sendOne()])
    expect(atob(label!.base64!)).toStartWith('%PDF-')
    const { headers } = simulator.requests.findLast(({ path }) => path.startsWith('/files/'))!
    expect([headers.get('x-api-key'), headers.get('x-tenant')]).toEqual([null, null])
    for (const fault of [{ error500: 1 }, { error500: 0, loseAnswer: 1 }]) {
      Object.assign(simulator.faults, { on: '^GET /files/', ...fault })
      expect(await carrier.labels!(rig.open().context, [await sendOne()])).toMatchObject([{ url: expect.any(String) }])
    }
  })
})
