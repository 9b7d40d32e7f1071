import { describe, expect, test } from 'bun:test'
import sandbox from '../../../../adapters/carrier/sandbox/index.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { createStorage, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../../plugins/carrier/contract.ts'
import { byTheClock } from '../../../support/clock.ts'
import { to } from '../../../support/simulated-rig.ts'
import { callbackOf, rig as sandboxRig } from './rig.ts'

const carrier = sandbox as Carrier
const rig = sandboxRig(carrier)
const named = (name: string) => shipment({ recipient: { name, phone: '+213550000000' } })

test('numbers are SBX and digits, and differ between connections', async () => {
  const parcel = shipment()
  const send = (connectionId: string) => carrier.send(openDesk(carrier, {}, { connectionId }).context, parcel)
  const [one, other] = [await send('int_1'), await send('int_2')]
  expect(one.trackingId).toMatch(/^SBX\d{18}$/)
  expect(other.trackingId).not.toBe(one.trackingId)
})

describe('rehearsed faults', () => {
  test('SLOW answers after five seconds, once', { ...byTheClock, timeout: 120_000 }, async () => {
    const { context } = rig.open()
    const parcel = named('SLOW Karim')
    const began = Date.now()
    const sent = await carrier.send(context, parcel)
    expect(Date.now() - began).toBeGreaterThanOrEqual(4_900)
    expect(await carrier.send(context, parcel)).toEqual(sent)
    expect(Date.now() - began).toBeLessThan(7_000)
  })

  test('TIMEOUT takes the parcel and is silent until the caller gives up', async () => {
    const notes = createStorage()
    const parcel = named('TIMEOUT Karim')
    await expect(carrier.send(rig.open({ storage: notes, deadlineMs: 100 }).context, parcel)).rejects.toMatchObject({
      reason: 'unavailable',
    })
    const { context } = rig.open({ storage: notes })
    const found = await carrier.findByReference!(context, parcel.reference)
    expect(found?.trackingId).toStartWith('SBX')
    expect(await carrier.send(context, parcel)).toEqual(found!)
  })

  test('in a bulk send each row fails for itself', async () => {
    const parcels = [named('Karim Test'), named('FAIL Karim'), named('TIMEOUT Karim')]
    const rows = await carrier.sendMany!(rig.open().context, parcels)
    expect(rows.map(({ sent, refused }) => [Boolean(sent), refused?.code])).toEqual([
      [true, undefined],
      [false, 'rehearsed'],
    ])
  })

  test('a name that only contains the word is a name', async () => {
    expect((await carrier.send(rig.open().context, named('Karim FAIL '))).trackingId).toStartWith('SBX')
  })
})

test.each([
  ['a state that is none', to({ stateCode: '59' })],
  ['another country', to({ country: 'TN' })],
  ['a centre of another state', to({ deliveryType: 'pickup', pickupId: 'SBC16' })],
  ['a return point', to({ deliveryType: 'return_point' })],
])('%s is refused', async (_, parcel) => {
  await expect(carrier.send(rig.open().context, parcel)).rejects.toMatchObject({ reason: 'refused' })
})

test('sandbox carrier: amounts keep their centimes, and cities are stored as sent', async () => {
  const { context } = rig.open()
  const { trackingId } = await carrier.send(context, { ...to({ cityName: 'Bled Moi' }), codAmount: 1234.56 })
  expect(await carrier.track!(context, [trackingId])).toMatchObject([
    { codAmount: 1234.56, cityName: 'Bled Moi', carrierStatus: 'submitted' },
  ])
})

test('a draft becomes a parcel when it is validated', async () => {
  const { context } = rig.open({ settings: { drafts: true } })
  const { trackingId } = await carrier.send(context, shipment())
  const status = async () => (await carrier.track!(context, [trackingId]))[0]?.carrierStatus
  expect(await status()).toBe('draft')
  await carrier.validate!(context, trackingId)
  expect(await status()).toBe('submitted')
})

describe('callbacks', () => {
  test('move the parcel by their own time, each once', async () => {
    const { context } = rig.open()
    const { trackingId: tracking } = await carrier.send(context, shipment())
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const late = { tracking, status: 'delivered', at: at(9), eventId: 'e-2' }
    const early = { tracking, status: 'out for delivery', at: at(5), eventId: 'e-1' }
    for (const event of [late, early, late]) await eventsIn(carrier, callbackOf(event), context)
    const [parcel] = await carrier.track!(context, [tracking])
    expect(parcel?.carrierStatus).toBe('delivered')
    expect(parcel?.history?.map(({ carrierStatus }) => carrierStatus)).toEqual(['submitted', 'out for delivery', 'delivered'])
  })

  test('of a parcel that is not here are news all the same', async () => {
    const event = { tracking: 'SBX1', status: 'lost', at: '2026-01-05T10:00:00Z', eventId: 'e-1' }
    expect(await eventsIn(carrier, callbackOf(event), rig.open().context)).toEqual([
      { trackingId: 'SBX1', at: '2026-01-05T10:00:00.000Z', carrierStatus: 'lost', eventId: 'e-1' },
    ])
  })

  test('a new secret is made, and believed from then on', async () => {
    const { credentials } = await carrier.setupWebhook!(rig.open().context, 'https://shop.example/hook')
    const webhookSecret = credentials!.webhookSecret!
    expect(webhookSecret).toMatch(/^[0-9a-f]{64}$/)
    const { context } = rig.open({ credentials: { webhookSecret } })
    expect(await isProven(carrier, callbackOf({}, webhookSecret), context)).toBe(true)
  })
})

test('sandbox carrier: the money collected on a day is paid out after that day', async () => {
  let now = Date.parse('2026-05-04T12:00:00Z')
  const notes = createStorage()
  const context = () => openDesk(carrier, {}, { credentials: rig.credentials, storage: notes, now: () => now }).context
  const { trackingId: tracking } = await carrier.send(context(), shipment())
  await eventsIn(carrier, callbackOf({ tracking, status: 'delivered', at: '2026-05-04T13:00:00Z' }), context())
  expect(await carrier.cash!.preview!(context())).toMatchObject([{ trackingId: tracking, amount: 3200, status: 'collected' }])
  expect(await carrier.cash!.batches(context())).toEqual([])
  now = Date.parse('2026-05-05T00:00:01Z')
  expect(await carrier.cash!.preview!(context())).toEqual([])
  expect(await carrier.cash!.batches(context())).toEqual([{ id: 'SBP-2026-05-04', status: 'paid_out', amount: 3200, parcels: 1 }])
})

test('every state has a fee, and the sending one is cheapest', async () => {
  const fees = await carrier.fees!(rig.open({ settings: { fromStateCode: '31' } }).context, {})
  expect(fees.length).toBe(58)
  const cheapest = fees.reduce((best, fee) => ((fee.home ?? 0) < (best.home ?? 0) ? fee : best))
  expect(cheapest.stateCode).toBe('31')
})
