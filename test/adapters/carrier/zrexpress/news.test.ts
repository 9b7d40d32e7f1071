import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import zrexpress from '../../../../adapters/carrier/zrexpress/index.ts'
import { HOUR_MS } from '../../../../core/lib/durations.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { createStorage, openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, CarrierError } from '../../../../plugins/carrier/contract.ts'
import { withSpawned } from '../../../support/spawned-simulator.ts'
import { inbound, rig as zrRig } from './rig.ts'

const carrier = zrexpress as Carrier
const rig = zrRig(carrier)
const { simulator } = rig
const { books, money, webhooks } = simulator
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

const host = carrier.net[0]!
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const sendOne = async (desk = rig.open(), codAmount = 3200) => (await carrier.send(desk.context, shipment({ codAmount }))).trackingId
const withSettings = (change: object) => rig.open({ settings: { ...rig.settings, ...change } })
const address = 'https://shop.example/v1/stores/sto_1/integrations/zrexpress/webhook'

describe('callbacks', () => {
  const seconds = () => Math.floor(Date.now() / 1000)
  const verify = (stamp: Parameters<typeof webhooks.sign>[1], desk = rig.open()) =>
    isProven(carrier, inbound(webhooks.sign(bytes({}), stamp)), desk.context)

  test('are proven by any of several signatures, so that a secret can be changed', async () => {
    const mine = simulator.credentials.webhookSecret
    const other = `whsec_${btoa('another secret of enough letters')}`
    expect(await verify({ secrets: [other, mine] })).toBe(true)
    expect(await verify({ secrets: [other, other] })).toBe(false)
    const bare = rig.open({ credentials: { ...rig.credentials, webhookSecret: mine.replace('whsec_', '') } })
    expect(await verify({}, bare)).toBe(true)
  })

  test('of a version that is not known prove nothing', async () => {
    const { headers, body } = webhooks.sign(bytes({}))
    const named = { ...headers, 'svix-signature': headers['svix-signature']!.replace('v1,', 'v2,') }
    expect(await isProven(carrier, inbound({ headers: named, body }), rig.open().context)).toBe(false)
  })

  test('are believed for five minutes either way, on the host’s clock', async () => {
    for (const [off, believed] of [
      [-301, false],
      [-299, true],
      [299, true],
      [301, false],
    ] as const)
      expect([off, await verify({ timestamp: seconds() + off })]).toEqual([off, believed])
    const later = openDesk(carrier, { [host]: simulator.url }, { ...rig, now: () => Date.now() + HOUR_MS })
    expect(await verify({}, later)).toBe(false)
    expect(await verify({ timestamp: seconds() + 3600 }, later)).toBe(true)
  })

  test('of all three types are read, with the id that the same event has again', async () => {
    const { context } = rig.open()
    const parcel = shipment()
    const { trackingId } = await carrier.send(context, parcel)
    books.advance(trackingId, 'en_livraison')
    books.situate(trackingId, 'client_absent')
    const read = (type: string, id: string) =>
      eventsIn(carrier, inbound(webhooks.sign(bytes(webhooks.event(type, trackingId)), { id })), context)
    const about = { trackingId, reference: parcel.reference }
    expect(await read('parcel.state.updated', 'msg_1')).toMatchObject([{ ...about, carrierStatus: 'en_livraison', eventId: 'msg_1' }])
    expect(await read('parcel.state.situation.created', 'msg_2')).toMatchObject([
      { ...about, carrierStatus: 'situation: client_absent', reason: 'client absent, rappeler demain', eventId: 'msg_2' },
    ])
    books.turn(trackingId)
    expect(await read('parcel.isReturn.updated', 'msg_3')).toMatchObject([{ carrierStatus: 'return: en_livraison', eventId: 'msg_3' }])
    expect(await read('parcel.state.updated', 'msg_4')).toMatchObject([{ carrierStatus: 'return: en_livraison' }])
    expect(await read('parcel.price.updated', 'msg_5')).toEqual([])
  })

  test('and a later poll of several parcels report one event once', async () => {
    const desk = rig.open()
    const [trackingId, other] = [await sendOne(desk), await sendOne(desk)]
    books.advance(trackingId, 'en_livraison')
    const event = webhooks.event('parcel.state.updated', trackingId)
    const [report] = await eventsIn(carrier, inbound(webhooks.sign(bytes(event), { id: 'msg_7' })), desk.context)
    const late = webhooks.event('parcel.state.updated', trackingId, { state: { name: 'dispatch' } }, '2026-01-01T00:00:00Z')
    await eventsIn(carrier, inbound(webhooks.sign(bytes(late), { id: 'msg_6' })), desk.context)
    const parcels = await carrier.track!(desk.context, [trackingId, other])
    const { carrierStatus, at, eventId } = report!
    expect(parcels.find((parcel) => parcel.trackingId === trackingId)?.history).toEqual([
      { trackingId, carrierStatus: carrierStatus!, at, eventId: eventId! },
    ])
  })
})

describe('setting up callbacks', () => {
  const subscribe = (url: string, eventTypes = ['parcel.state.updated']) => webhooks.subscribe({ url, description: 'Other', eventTypes })!

  test('subscribes to all three events and brings the secret that proves them', async () => {
    const { credentials } = await carrier.setupWebhook!(rig.open().context, address)
    expect(webhooks.endpoints()).toMatchObject([
      { url: address, eventTypes: ['parcel.state.updated', 'parcel.state.situation.created', 'parcel.isReturn.updated'] },
    ])
    const request = inbound(webhooks.sign(bytes({}), { secrets: [webhooks.secretFor(address)] }))
    expect(await isProven(carrier, request, rig.open().context)).toBe(false)
    const { context } = rig.open({ credentials: { ...rig.credentials, ...credentials } })
    expect(await isProven(carrier, request, context)).toBe(true)
  })

  test('uses the same endpoint again, unless it hears less', async () => {
    const { context } = rig.open()
    const { id } = subscribe(address)
    const first = await carrier.setupWebhook!(context, address)
    const [made, ...others] = webhooks.endpoints()
    expect([made!.id === id, others]).toEqual([false, []])
    expect(await carrier.setupWebhook!(context, address)).toEqual(first)
    expect(webhooks.endpoints()).toEqual([made!])
  })

  test('tells what to do where all five places are taken, without anybody’s address', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) subscribe(`https://${name}.example/hook?token=secret`)
    const error = await Promise.resolve(carrier.setupWebhook!(rig.open().context, address)).catch((thrown: CarrierError) => thrown)
    const { reason, message } = error as CarrierError
    expect(reason).toBe('refused')
    expect(message).toMatch(/five.*a\.example, b\.example.*Delete one/)
    expect(message).not.toContain('token')
  })

  test('asks nothing for an address that is not https', async () => {
    const since = simulator.requests.length
    const attempt = carrier.setupWebhook!(rig.open().context, 'http://shop.example/hook')
    await expect(attempt).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining('PUBLIC_URL') })
    expect(simulator.requests.length).toBe(since)
  })
})

describe('money', () => {
  const delivered = async (codAmount = 2_500) => {
    const trackingId = await sendOne(rig.open(), codAmount)
    books.advance(trackingId, 'livre')
    return trackingId
  }

  test('of a line is what was collected, and every part of what the carrier keeps, exactly', async () => {
    const trackingId = await delivered()
    const lines = await carrier.cash!.preview!(rig.open().context)
    // Delivery 600, management 20.2, change of telephone "50.10".
    expect(lines.find((line) => line.trackingId === trackingId)).toMatchObject({
      amount: 2_500,
      fee: 670.3,
      status: 'collected',
      reference: expect.any(String),
    })
  })

  test('a debit collects nothing and costs', async () => {
    const trackingId = await delivered()
    books.get(trackingId)!.fields.amount = -200
    const lines = await carrier.cash!.preview!(rig.open().context)
    expect(lines.find((line) => line.trackingId === trackingId)).toMatchObject({ amount: 0, fee: 200 })
  })

  test('of a parcel is one line, whatever stands in the books of it, its delivery counted once', async () => {
    const trackingId = await delivered()
    money.debit(trackingId, 120.5)
    money.pay(trackingId, 'pmt-debit')
    const { lines } = await carrier.cash!.batch(rig.open().context, 'pmt-debit')
    expect(lines).toMatchObject([{ trackingId, amount: 2_500, fee: 790.8 }])
  })

  test('in a payout is no longer awaited, also where the books do not mark it', async () => {
    const [paid, open] = [await delivered(), await delivered()]
    money.pay(paid, 'pmt-unmarked')
    for (const marksPaid of [true, false]) {
      simulator.quirks.marksPaid = marksPaid
      const waiting = (await carrier.cash!.preview!(rig.open().context)).map(({ trackingId }) => trackingId)
      expect([waiting.includes(open), waiting.includes(paid)]).toEqual([true, false])
    }
  })

  test('of a payout is ready until it is accepted: never more than the carrier said', async () => {
    const { context } = rig.open()
    money.pay(await delivered(), 'pmt-9')
    expect(await carrier.cash!.batch(context, 'pmt-9')).toMatchObject({
      status: 'payout_ready',
      amount: 2_500,
      parcels: 1,
      lines: [{ status: 'payout_ready' }],
    })
    await expect(carrier.cash!.confirm!(context, 'pmt-none')).rejects.toMatchObject({ reason: 'not_found' })
    expect(await carrier.cash!.confirm!(context, 'pmt-9')).toMatchObject({ id: 'pmt-9', status: 'payout_confirmed' })
    // Another connection has not seen the confirmation: the carrier's own word tells it, whatever that is.
    expect((await carrier.cash!.batch(rig.open().context, 'pmt-9')).status).toBe('payout_confirmed')
    const otherWord = withSettings({ acceptedStatus: 'Réglé' }).context
    expect((await carrier.cash!.batch(otherWord, 'pmt-9')).status).toBe('payout_ready')
    await carrier.cash!.confirm!(otherWord, 'pmt-9')
    expect((await carrier.cash!.batches(otherWord)).find(({ id }) => id === 'pmt-9')?.status).toBe('payout_confirmed')
  })

  test('of many payouts costs a call each, not two', async () => {
    const { context } = rig.open({ storage: createStorage() })
    for (const id of ['pmt-a', 'pmt-b', 'pmt-c']) money.pay(await delivered(), id)
    await carrier.cash!.batches(context)
    const since = simulator.requests.length
    for (const id of ['pmt-a', 'pmt-b', 'pmt-c']) await carrier.cash!.batch(context, id)
    expect(simulator.requests.length - since).toBe(3)
  })
})

test('the simulator runs as a process of its own and is steered from outside', () =>
  withSpawned('zrexpress', async ({ url, control }) => {
    const { credentials } = (await control('account')) as { credentials: Record<string, string> }
    const { context } = openDesk(carrier, { [host]: url }, { credentials, settings: {} })
    const { trackingId: tracking } = await carrier.send(context, shipment())
    await control('advance', { tracking, state: 'en_livraison' })
    await control('situate', { tracking, slug: 'reporte' })
    expect((await carrier.track!(context, [tracking]))[0]?.carrierStatus).toBe('situation: reporte')
    await control('advance', { tracking, state: 'livre' })
    await control('pay', { tracking, payment: 'pmt-1' })
    expect(await carrier.cash!.batches(context)).toMatchObject([{ id: 'pmt-1', parcels: 1 }])
    const received: Promise<boolean>[] = []
    const shop = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const body = new Uint8Array(await request.arrayBuffer())
        received.push(Promise.resolve(isProven(carrier, inbound({ headers: Object.fromEntries(request.headers), body }), context)))
        return new Response('ok')
      },
    })
    const told = await control('callback', { url: shop.url.href, type: 'parcel.state.updated', tracking })
    expect([told, await Promise.all(received)]).toEqual([{ status: 200, body: 'ok' } as never, [true]])
    await shop.stop(true)
    await control('turn', { tracking })
    expect((await carrier.track!(context, [tracking]))[0]?.carrierStatus).toBe('return: livre')
  }))
