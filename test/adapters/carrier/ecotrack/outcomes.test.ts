import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { acceptance, createStorage, type Desk, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { CarrierError, Shipment } from '../../../../plugins/carrier/contract.ts'
import { to } from '../../../support/simulated-rig.ts'
import { company, rig as ecotrackRig, failure } from './rig.ts'
import { NOT_SERVED, statusOf } from './simulator.ts'

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

describe('parcels that cannot be found', () => {
  const fill = async (count: number) => {
    const row = { nom_client: 'A', telephone: '0550000000', adresse: 'x', commune: 'Oran', code_wilaya: 31, montant: 1, type: 1 }
    const headers = { authorization: `Bearer ${simulator.credentials.token}`, 'content-type': 'application/json' }
    for (let made = 0; made < count; made += 100) {
      const orders = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [at, { ...row, reference: `other-${made + at}` }]))
      await fetch(`${simulator.url}/api/v1/create/orders`, { method: 'POST', headers, body: JSON.stringify({ orders }) })
    }
  }

  test('every page is read before a parcel counts as missing', async () => {
    const parcel = shipment()
    const { tracking } = await sent(parcel)
    await fill(100)
    expect((await carrier.findByReference!(rig.open().context, parcel.reference))?.trackingId).toBe(tracking)
    expect(calls('get/orders').length).toBe(3)
    expect(await carrier.findByReference!(rig.open().context, 'never-sent')).toBeNull()
  })

  test('among too many orders the outcome stays unknown', async () => {
    await fill(1300)
    const error = await failure(carrier.findByReference!(rig.open().context, 'never-sent'))
    expect(error).toMatchObject({ reason: 'unavailable', message: expect.stringContaining('never-sent') })
    expect(calls('get/orders').length).toBe(30)
  })

  test('of two parcels with one reference the active one counts, and both are reported', async () => {
    const parcel = shipment()
    const real = await sent(parcel)
    simulator.advance(real.tracking, 'en_ramassage')
    const draft = await sent(parcel, drafts())
    const found = await carrier.findByReference!(rig.open().context, parcel.reference)
    expect(found).toMatchObject({ trackingId: real.tracking, warnings: [{ code: 'sent_more_than_once' }] })
    expect(draft.isValidated).toBe(false)
  })
})

describe('many at once', () => {
  const many = (parcels: Shipment[], desk = rig.open()) => carrier.sendMany!(desk.context, parcels)

  test.each(['reference', 'position'] as const)('are told apart by %s, refused ones with what is wrong', async (bulk) => {
    simulator.habits.bulk = bulk
    const parcels = [shipment(), rig.refusable!(), shipment(), to({ cityName: 'Nowhere' })]
    const told = new Map((await many(parcels)).map((row) => [row.reference, row]))
    for (const parcel of [parcels[0]!, parcels[2]!]) {
      expect(simulator.orders(parcel.reference)).toMatchObject([
        { tracking: told.get(parcel.reference)!.sent!.trackingId, isValidated: true },
      ])
    }
    expect(told.get(parcels[1]!.reference)?.refused?.message).toContain('Wilaya non desservie')
    expect(told.get(parcels[3]!.reference)?.refused?.code).toBe('unknown_place')
    expect(calls('create/orders').length).toBe(1)
    expect(Object.keys(fields('create/orders').orders as object)).toEqual(['0', '1', '2'])
  })

  test('references that look like positions prove nothing by themselves', async () => {
    const parcels = [shipment({ reference: '1' }), shipment({ reference: '0' })]
    expect(await many(parcels)).toEqual([])
    simulator.habits.bulk = 'position'
    const mixed = [shipment({ reference: '2' }), shipment(), shipment({ reference: '0' })]
    for (const { reference, sent } of await many(mixed)) {
      expect(simulator.orders(reference).map(({ tracking }) => tracking)).toContain(sent!.trackingId)
    }
  })

  test('one that was not validated is left out, looked up and seen through', async () => {
    const desk = rig.open()
    const parcels = [shipment(), shipment()]
    Object.assign(simulator.faults, { on: 'valid/order$', error500: 1 })
    expect(await many(parcels, desk)).toEqual([])
    expect(desk.logged.length).toBe(2)
    simulator.calm()
    for (const { reference } of parcels) {
      const found = await carrier.findByReference!(desk.context, reference)
      expect(simulator.orders(reference)).toMatchObject([{ tracking: found!.trackingId, isValidated: true }])
    }
  })

  test('as many as a minute’s quota lets be validated', async () => {
    const parcels = Array.from({ length: carrier.sendManyMax! }, () => shipment())
    expect((await many(parcels)).filter(({ sent }) => sent).length).toBe(40)
    expect(simulator.requests.slice(-41).map(({ path }) => path.split('/').at(-1))).toEqual(['orders', ...Array(40).fill('order')])
  })

  test('a company that fails at it sends one by one', async () => {
    expect([company('packers'), company('ecotrack')].map(({ sendMany, sendManyMax }) => [sendMany, sendManyMax])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
    simulator.habits.bulk = 'broken'
    expect((await failure(many([shipment()]))).reason).toBe('unavailable')
  })
})

describe('editing and deleting', () => {
  test('an edit has other names, and carries what some companies always want', async () => {
    const { context } = drafts()
    const parcel = shipment({ recipient: { name: 'Karim Test', phone: '0550000000' } })
    const { trackingId } = await carrier.send(context, parcel)
    await carrier.edit!(context, trackingId, { codAmount: 4000, notes: 'Fragile', recipient: { name: 'Lina', phone: '0661000000' } })
    expect(calls('update/order').at(-1)!.query.get('tracking')).toBe(trackingId)
    expect(fields('update/order')).toEqual({
      reference: parcel.reference,
      client: 'Lina',
      tel: '0661000000',
      adresse: '12 rue des Tests',
      commune: 'Oran',
      wilaya: 31,
      montant: 4000,
      type: 1,
      remarque: 'Fragile',
    })
    expect(simulator.orders(parcel.reference)[0]?.fields).toMatchObject({ nom_client: 'Lina', montant: '4000', remarque: 'Fragile' })
  })

  test('change a destination or a description alone, and ask nothing for no change', async () => {
    const { context } = drafts()
    const { trackingId } = await carrier.send(context, shipment())
    await carrier.edit!(context, trackingId, { destination: { ...shipment().destination, cityName: 'Arzew' } })
    expect(fields('update/order')).toMatchObject({ commune: 'Arzew', wilaya: 31, stop_desk: 0, montant: '3200.00' })
    await carrier.edit!(context, trackingId, { contents: 'Two items' })
    expect(fields('update/order')).toMatchObject({ product: 'Two items', commune: 'Arzew' })
    const before = simulator.requests.length
    await carrier.edit!(context, trackingId, {})
    expect(simulator.requests.length).toBe(before)
  })

  test('an edit that is too late is refused, also where the company says nothing of it', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    expect(await failure(carrier.edit!(context, trackingId, { codAmount: 1 }))).toMatchObject({
      reason: 'refused',
      upstream: { code: '10001' },
    })
    simulator.habits.silentEdits = true
    expect(await failure(carrier.edit!(context, trackingId, { codAmount: 1 }))).toMatchObject({
      reason: 'refused',
      upstream: { code: 'edit_ignored' },
    })
    // Nothing was asked to become otherwise.
    await carrier.edit!(context, trackingId, { codAmount: 3200 })
  })

  test.each(['message', 'word'] as const)('a draft is deleted, a validated order is not (%s)', async (deletion) => {
    simulator.habits.deletion = deletion
    const draft = await carrier.send(drafts().context, shipment())
    await carrier.cancel!(drafts().context, draft.trackingId)
    const parcel = shipment()
    const { tracking } = await sent(parcel)
    expect(await failure(carrier.cancel!(rig.open().context, tracking))).toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('validated'),
    })
    expect(statusOf(simulator.orders(parcel.reference)[0]!).status).toBe('prete_a_expedier')
  })
})

test('ecotrack: a refusal inside a 200 gives its code and what to do', async () => {
  const error = await failure(carrier.send(rig.open().context, rig.refusable!()))
  expect(error).toMatchObject({
    reason: 'refused',
    message: expect.stringContaining('Choose another carrier'),
    upstream: { code: '10002', message: 'Wilaya non desservie' },
  })
  expect(NOT_SERVED).toBe(54)
})

describe('shipping at once passes what every carrier must do about sending', () => {
  // The two that need a draft are proven with drafts.
  const concerned =
    /^(exactly one|a parcel is (sent|tracked|validated)|several|a refusal|over quota|an amount with|a reference that|a parcel goes)/
  for (const { name, skip, run } of acceptance(carrier, ecotrackRig(carrier, { validate: true }))) {
    if (concerned.test(name)) test.skipIf(skip !== undefined)(name, run)
  }
})

test('whatever gets lost on the way, each reference has one order in the end, and it ships', async () => {
  const desk = () => openDesk(carrier, { [rig.host]: simulator.url }, { ...rig, storage: notes })
  const notes = createStorage()
  Object.assign(simulator.faults, {
    on: '^(POST|GET)',
    loseAnswer: 0.15,
    error500: 0.1,
    error500After: 0.1,
    malformed: 0.1,
    rateLimit: 0.1,
  })
  const deliverOnce = async (parcel: Shipment): Promise<string> => {
    let isOpen = false
    for (let tries = 0; tries < 200; tries++) {
      try {
        const found = isOpen ? await carrier.findByReference!(desk().context, parcel.reference) : null
        if (found) return found.trackingId
        isOpen = false
        return (await carrier.send(desk().context, parcel)).trackingId
      } catch (error) {
        isOpen ||= (error as CarrierError).reason === 'unavailable'
      }
    }
    throw new Error('It was never sent.')
  }
  const parcels = Array.from({ length: 100 }, () => shipment())
  const trackingIds = await Promise.all(parcels.map(deliverOnce))
  const found = parcels.map(({ reference }) => simulator.orders(reference).map(({ tracking, isValidated }) => [tracking, isValidated]))
  expect(found).toEqual(trackingIds.map((tracking) => [[tracking, true]]))
})
