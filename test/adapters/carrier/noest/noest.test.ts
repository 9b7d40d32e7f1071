import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { acceptance, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Shipment } from '../../../../plugins/carrier/contract.ts'
import { statusReader } from '../../../../plugins/carrier/statuses.ts'
import { withSpawned } from '../../../support/spawned-simulator.ts'
import { carrier, connected, last, posted, rig as rigFor, stopAll, to } from './rig.ts'

const rig = connected()
const { simulator } = rig
afterEach(() => simulator.calm())
afterAll(stopAll)

describe('the suite again, with parcels that are validated at once', () => {
  // NOEST deletes drafts only, and edits them otherwise: `noest-sending.test.ts` tells what becomes of real orders.
  const draftsOnly = /edited|cancelled/
  for (const { name, skip, run } of acceptance(carrier, rig)) if (!skip && !draftsOnly.test(name)) test(name, run)
})

describe('answers', () => {
  test('a 200 that says success: false is a refusal, and no parcel', async () => {
    const strict = connected({ duplicates: 'refused' })
    const { context } = strict.open()
    const parcel = shipment()
    await carrier.send(context, parcel)
    await expect(carrier.send(context, parcel)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('Colis déja existant'),
      upstream: { code: 'duplicate_order' },
    })
    expect(strict.simulator.orders(parcel.reference).length).toBe(1)
  })

  test('a suspended account is told in the carrier’s words', async () => {
    await expect(carrier.send(connected({ suspended: true }).open().context, shipment())).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('Compte suspendu'),
    })
  })

  test('a wrong GUID fails the connection test, though reads do not need it', async () => {
    const { context } = rig.open({ credentials: { ...rig.credentials, userGuid: 'SOMEBODY-ELSE-00' } })
    expect((await carrier.states!(context)).length).toBe(58)
    await expect(carrier.testConnection(context)).rejects.toMatchObject({ reason: 'unauthorized' })
  })

  test('a wrong GUID is a wrong key for every write, no fault of the parcel', async () => {
    const { context } = rig.open({ credentials: { ...rig.credentials, userGuid: 'wrong-guid' } })
    const unauthorized = { reason: 'unauthorized', message: expect.stringContaining('GUID') }
    await expect(carrier.send(context, shipment()) as Promise<unknown>).rejects.toMatchObject(unauthorized)
    await expect(carrier.cancel!(context, 'NSM-31A-1') as Promise<unknown>).rejects.toMatchObject(unauthorized)
  })

  test.each(['array', 'object'] as const)('a bulk answer whose passed rows are an %s is read row by row', async (passedAs) => {
    const other = connected({ passedAs })
    const [good, bad, unsendable] = [shipment(), other.refusable!(), to({ cityName: 'Nowhere' })]
    const rows = await carrier.sendMany!(other.open().context, [good!, bad!, unsendable!])
    const by = (parcel: Shipment) => rows.find(({ reference }) => reference === parcel.reference)
    expect(by(good!)?.sent?.trackingId).toStartWith('NSM-')
    expect(by(bad!)?.refused?.message).toBe('max_amount_exceeded: Montant maximum dépassé')
    expect(by(unsendable!)?.refused?.code).toBe('unknown_place')
    expect(last(other.simulator, '/create/orders').orders).toMatchObject([{ poids: 1 }, { poids: 1 }])
  })

  test('where none passed, passed is an empty array and nothing is validated', async () => {
    const before = posted(simulator, '/valid/orders').length + posted(simulator, '/valid/order').length
    const rows = await carrier.sendMany!(rig.open().context, [rig.refusable!(), rig.refusable!()])
    expect(rows.map(({ refused }) => refused?.code)).toEqual(['refused', 'refused'])
    expect(posted(simulator, '/valid/orders').length + posted(simulator, '/valid/order').length).toBe(before)
  })

  test('parcels that are not there are none, not an error', async () => {
    expect(await carrier.track!(rig.open().context, ['nothing', 'nowhere'])).toEqual([])
  })
})

describe('the feed', () => {
  const minute = (count: number) => new Date(Date.UTC(2027, 0, 5, 10, count)).toISOString()
  const read = statusReader(carrier.statuses)

  test('money and edits come last and are not where the parcel is', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    simulator.advance(trackingId, 'fdr_activated', { at: minute(1) })
    simulator.advance(trackingId, 'livre', { at: minute(2) })
    simulator.advance(trackingId, 'verssement_admin_cust', { at: minute(3) })
    simulator.advance(trackingId, 'edit_price', { at: minute(4) })
    const [parcel] = await carrier.track!(context, [trackingId])
    expect(parcel).toMatchObject({ carrierStatus: 'livre', at: minute(2), codAmount: 3200 })
    expect(parcel!.history!.map(({ carrierStatus }) => carrierStatus)).toEqual([
      'upload',
      'customer_validation',
      'fdr_activated',
      'livre',
      'verssement_admin_cust',
      'edit_price',
    ])
    expect(parcel!.history!.map(({ carrierStatus }) => read(carrierStatus!)).slice(-3)).toEqual([
      { status: 'delivered' },
      { cash: 'paid_out' },
      {},
    ])
  })

  test('an update of the driver is a failed attempt with its reason', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    simulator.advance(trackingId, 'mise_a_jour', { at: minute(1), content: 'Ne répond pas' })
    const [parcel] = await carrier.track!(context, [trackingId])
    expect(read(parcel!.carrierStatus)?.status).toBe('delivery_failed')
    expect(parcel!.history!.at(-1)).toMatchObject({ carrierStatus: 'mise_a_jour', reason: 'Ne répond pas', at: minute(1) })
  })

  test('it is the same whichever end it begins at, also within one second', async () => {
    const other = connected({ newestFirst: true })
    const { context } = other.open()
    const { trackingId } = await carrier.send(context, shipment())
    for (const key of ['fdr_activated', 'mise_a_jour', 'livraison_echoue_recu']) other.simulator.advance(trackingId, key, { at: minute(1) })
    const [parcel] = await carrier.track!(context, [trackingId])
    expect(parcel!.history!.slice(-3).map(({ carrierStatus }) => carrierStatus)).toEqual([
      'fdr_activated',
      'mise_a_jour',
      'livraison_echoue_recu',
    ])
    expect(parcel!.carrierStatus).toBe('livraison_echoue_recu')
  })

  test('local times have Algeria’s zone', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    simulator.advance(trackingId, 'livre', { at: minute(0) })
    expect((await carrier.track!(context, [trackingId]))[0]?.at).toBe('2027-01-05T10:00:00.000Z')
    const elsewhere = rig.open({ settings: { utcOffset: '+00:00' } })
    expect((await carrier.track!(elsewhere.context, [trackingId]))[0]?.at).toBe('2027-01-05T11:00:00.000Z')
  })

  test('only the one thing that nobody knows is left to a person', () => {
    expect(read('verssement_hub_cust_canceled')).toEqual({ cash: 'payout_cancelled' })
    expect(read('validation_reception_cash_by_partener')).toEqual({ cash: 'payout_confirmed' })
    expect(read('return_redispatched_to_livraison')).toEqual({ status: 'at_center' })
    expect(read('ask_to_delete_by_hub')).toEqual({})
    expect(read('valid_return_pickup')).toBeUndefined()
  })
})

describe('labels', () => {
  test('the redirect is followed at once, and the storage never sees the token', async () => {
    const { context, asked } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    const [label] = await carrier.labels!(context, [trackingId])
    expect(label).toMatchObject({ trackingId, contentType: 'application/pdf' })
    expect(atob(label!.base64!)).toContain(trackingId)
    expect(asked.length).toBeGreaterThan(0)
    const [first, second] = simulator.requests.slice(-2)
    expect([first!.headers.has('authorization'), second!.headers.has('authorization')]).toEqual([true, false])
    expect(second!.path).toStartWith('/labels/')
  })

  test('an address that died is no fault of the keys', async () => {
    let now = Date.now()
    const slow = connected({ now: () => (now += 200_000) })
    const { context } = slow.open()
    const { trackingId } = await carrier.send(context, shipment())
    expect(await carrier.labels!(context, [trackingId])).toHaveLength(1)
    now = Date.now()
    const late = connected({ now: () => (now += 400_000) })
    const other = late.open()
    const sent = await carrier.send(other.context, shipment())
    await expect(carrier.labels!(other.context, [sent.trackingId])).rejects.toMatchObject({ reason: 'unavailable' })
  })
})

describe('places and prices', () => {
  test('desks are known by their codes, whose number is the wilaya', async () => {
    const { context } = rig.open()
    const desks = await carrier.centers!(context, { stateId: '31' })
    expect(desks.map(({ id, stateId }) => [id, stateId])).toEqual([
      ['31A', '31'],
      ['31B', '31'],
    ])
    // The core asks with our codes, which have two digits.
    expect((await carrier.centers!(context, { stateId: '07' })).map(({ id }) => id)).toEqual(['07A'])
    expect(desks[0]).toMatchObject({ phone: '0550000001', cityName: expect.any(String) })
  })

  test('a commune has a desk where one stands', async () => {
    const cities = await carrier.cities!(rig.open().context, { stateId: '31' })
    expect(cities.find(({ name }) => name === 'Bir El Djir')).toMatchObject({ home: true, pickup: true })
    expect(cities.find(({ name }) => name === 'Arzew')).toMatchObject({ home: true, pickup: false })
  })

  test('prices are by wilaya, with the fee of a return', async () => {
    const { context } = rig.open()
    expect(await carrier.fees!(context, { stateCode: '31' })).toEqual([{ stateCode: '31', home: 555, pickup: 405, returnFee: 355 }])
    expect((await carrier.fees!(context, {})).length).toBe(58)
    expect(await carrier.rates!(context, { stateCode: '31', deliveryType: 'pickup' })).toEqual([
      { service: 'standard', deliveryType: 'pickup', price: 405, currency: 'DZD' },
    ])
  })
})

test('the simulator runs as a process of its own and is steered from outside', () =>
  withSpawned('noest', async ({ url, control }) => {
    const { credentials } = (await control('account')) as { credentials: Record<string, string> }
    const away = rigFor(carrier, { ...simulator, url, credentials: credentials as never }, {})
    const { context } = away.open()
    const parcel = shipment()
    const { trackingId: tracking } = await carrier.send(context, parcel)
    expect(await control(`orders?reference=${parcel.reference}`)).toMatchObject([{ tracking }])
    await control('advance', { tracking, event: 'livre' })
    expect(await carrier.track!(context, [tracking])).toMatchObject([{ carrierStatus: 'livre' }])
  }))
