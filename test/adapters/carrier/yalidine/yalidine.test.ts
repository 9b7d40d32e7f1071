import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import companies from '../../../../adapters/carrier/yalidine/index.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest } from '../../../../plugins/carrier/contract.ts'
import { statusReader } from '../../../../plugins/carrier/statuses.ts'
import { to } from '../../../support/simulated-rig.ts'
import { url, rig as yalidineRig } from './rig.ts'
import { startYalidine, usualLimits } from './simulator.ts'

const carrier = companies[0] as Carrier
const rig = yalidineRig(carrier)
const { simulator } = rig
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

const settings = (change: object) => rig.open({ settings: { ...rig.settings, ...change } })

describe('answers', () => {
  test('a partial success is told row by row', async () => {
    const [first, bad, unsendable] = [shipment(), rig.refusable!(), to({ cityName: 'Nowhere' })]
    const rows = await carrier.sendMany!(rig.open().context, [first!, bad!, unsendable!])
    expect(rows.find(({ reference }) => reference === first.reference)?.sent?.trackingId).toStartWith('yal-')
    expect(rows.find(({ reference }) => reference === bad.reference)?.refused?.message).toBe('Dimensions invalides')
    expect(rows.find(({ reference }) => reference === unsendable.reference)?.refused?.code).toBe('unknown_place')
    expect(simulator.requests.filter(({ method }) => method === 'POST').length).toBe(1)
  })

  test('a label comes with the parcel, from whatever host prints it', async () => {
    const sent = await carrier.send(rig.open().context, shipment())
    expect(sent).toMatchObject({
      labelUrl: `https://yalidine.app/app/bordereau/${sent.trackingId}`,
      carrierData: { importId: expect.any(Number) },
    })
  })

  test('labels that are files on the company’s own pages are fetched; pages, too many, and those elsewhere are addresses', async () => {
    const { context, asked } = rig.open()
    const ids = [await carrier.send(context, shipment()), await carrier.send(context, shipment())].map(({ trackingId }) => trackingId)
    const printed = async (trackingIds: string[], of: Carrier = carrier) => {
      const desk = openDesk(of, Object.fromEntries(of.net.map((host) => [host, simulator.url])), { ...rig, settings: rig.settings })
      return (await of.labels!(desk.context, trackingIds)).map(({ trackingId, contentType, base64 }) => [
        trackingId,
        contentType,
        atob(base64 ?? '').slice(0, 5),
      ])
    }
    expect(await printed(ids)).toEqual(ids.map((id) => [id, 'text/html', '']))
    simulator.habits.labels = 'file'
    expect(await printed(ids)).toEqual(ids.map((id) => [id, 'application/pdf', '%PDF-']))
    expect(await printed(ids, companies[1] as Carrier)).toEqual(ids.map((id) => [id, 'text/html', '']))
    expect(await printed(Array(21).fill(ids[0]))).toEqual(Array(21).fill([ids[0], 'text/html', '']))
    expect(asked).not.toContain('yalidine.app')
  })

  test('numbers that hold a comma are no lists', async () => {
    const { context } = rig.open()
    const [one, other] = [await carrier.send(context, shipment()), await carrier.send(context, shipment())]
    const both = `${one.trackingId},${other.trackingId}`
    expect(await carrier.track!(context, [both])).toEqual([])
    await expect(carrier.cancel!(context, both)).rejects.toMatchObject({ reason: 'not_found' })
    expect(simulator.parcels().length).toBe(2)
  })

  test('wrong keys that are answered with 500 are wrong keys in the connection test, and there alone', async () => {
    const other = startYalidine({ badKeys: 500 })
    const credentials = { ...rig.credentials, apiToken: 'nonsense-nonsense' }
    const { context } = openDesk(carrier, { [carrier.net[0]!]: other.url }, { ...rig, credentials })
    await expect(carrier.testConnection(context)).rejects.toMatchObject({ reason: 'unauthorized' })
    await expect(carrier.states!(context)).rejects.toMatchObject({ reason: 'unavailable' })
    await other.stop()
  })

  test('the carrier’s own windows are obeyed as 429 with Retry-After', async () => {
    simulator.setLimits({ ...usualLimits, second: 2 })
    const { context } = rig.open()
    await carrier.states!(context)
    await carrier.states!(context)
    await expect(carrier.states!(context)).rejects.toMatchObject({
      reason: 'rate_limited',
      upstream: { retryAfterSeconds: 1 },
    })
    simulator.setLimits(null)
  })

  test('two parcels under one reference are found and said to be two', async () => {
    const parcel = shipment()
    const { context } = rig.open()
    await carrier.send(context, parcel)
    await carrier.send(context, parcel)
    expect(simulator.parcels(parcel.reference).length).toBe(2)
    expect((await carrier.findByReference!(context, parcel.reference))?.warnings?.[0]?.code).toBe('sent_more_than_once')
  })

  test('a row that cannot be read is left out, the others stay', async () => {
    const { context, logged } = rig.open()
    const [one, other] = [await carrier.send(context, shipment()), await carrier.send(context, shipment())]
    simulator.advance(one.trackingId, '')
    expect((await carrier.list!(context, { limit: 10 })).rows.map(({ trackingId }) => trackingId)).toEqual([other.trackingId])
    expect(logged).toEqual([{ message: 'left out rows that cannot be read', fields: { rows: 1 } }])
  })

  test('times without a zone are local', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    simulator.advance(trackingId, 'Livré', { at: '2027-03-01T10:00:00Z', reason: 'remis' })
    const [parcel] = await carrier.track!(context, [trackingId])
    expect(parcel).toMatchObject({
      at: '2027-03-01T10:00:00.000Z',
      history: [{}, { carrierStatus: 'Livré', reason: 'remis' }],
    })
  })

  test('a list is narrowed by status and day', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    await carrier.send(context, shipment())
    simulator.advance(trackingId, 'Livré')
    const since = new Date().toISOString()
    expect((await carrier.list!(context, { limit: 10, status: 'Livré', since })).rows.map((row) => row.trackingId)).toEqual([trackingId])
    for (const cursor of ['zzz', '0', '-1', '1e3'])
      await expect(carrier.list!(context, { limit: 10, cursor })).rejects.toMatchObject({ upstream: { code: 'bad_cursor' } })
  })
})

describe('editing', () => {
  test('sends the carrier’s own field names and nothing masked', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    await carrier.edit!(context, trackingId, {
      codAmount: 4000,
      destination: { ...shipment().destination, cityName: 'Arzew' },
    })
    const { body } = simulator.requests.findLast(({ method }) => method === 'PATCH')!
    expect(JSON.parse(body)).toMatchObject({ price: 4000, to_wilaya_name: 'Oran', to_commune_name: 'Arzew' })
    expect(body).not.toContain('*')
  })

  test('an answer that shows nothing of the parcel leaves the change unsure', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    for (const body of ['{}', '[]', 'null', '{"data":[]}', '{"tracking":"yal-OTHER"}']) {
      const mute = Bun.serve({ port: 0, fetch: () => new Response(body) })
      const desk = openDesk(carrier, { [carrier.net[0]!]: mute.url.origin }, { ...rig, storage: context.storage })
      await expect(carrier.edit!(desk.context, trackingId, { codAmount: 4000 })).rejects.toMatchObject({ reason: 'unavailable' })
      await mute.stop(true)
    }
  })

  test('a change of nothing asks nothing', async () => {
    const { context } = rig.open()
    await carrier.edit!(context, 'yal-NONE', { notes: 'later' })
    expect(simulator.requests.length).toBe(0)
  })
})

describe('prices', () => {
  const quote = { stateCode: '31', cityName: 'Oran', deliveryType: 'home' as const }

  test('differ by commune, with the fee of a return', async () => {
    const fees = await carrier.fees!(rig.open().context, { stateCode: '31' })
    expect(fees.length).toBeGreaterThan(20)
    expect(fees[0]).toMatchObject({ stateCode: '31', cityName: 'Oran', returnFee: 200 })
  })

  test('a heavy or large parcel pays for each kilogram above five', async () => {
    const { context } = rig.open()
    const price = async (more: object) => (await carrier.rates!(context, { ...quote, ...more }))[0]
    const base = (await price({ weightKg: 1 }))!.price
    expect(await price({ weightKg: 7.2 })).toMatchObject({ price: base + 3 * 50, billableKg: 8 })
    expect(await price({ weightKg: 1, dimensions: { lengthCm: 50, widthCm: 40, heightCm: 30 } })).toMatchObject({
      price: base + 7 * 50,
      billableKg: 12,
    })
  })

  test('without a city the dearest commune is quoted', async () => {
    const { context } = rig.open()
    const [dearest] = await carrier.rates!(context, { stateCode: '31', deliveryType: 'home' })
    const fees = await carrier.fees!(context, { stateCode: '31' })
    expect(dearest?.price).toBe(Math.max(...fees.map(({ home }) => home ?? 0)))
  })

  test('a grid that the quota cut short goes on where it stopped', async () => {
    const { context } = rig.open()
    simulator.setLimits({ ...usualLimits, second: 1000, minute: 30 })
    await expect(carrier.fees!(context, {})).rejects.toMatchObject({ reason: 'rate_limited' })
    simulator.setLimits(null)
    const before = simulator.requests.length
    await carrier.fees!(context, {})
    expect(simulator.requests.length - before).toBeLessThan(40)
  })
})

describe('callbacks', () => {
  const inbound = ({ headers, body }: { headers: Readonly<Record<string, string>>; body: Uint8Array }): InboundRequest => ({
    method: 'POST',
    url,
    headers,
    body,
  })

  test('of every type are read', async () => {
    const { context } = rig.open()
    const parcel = shipment()
    const { trackingId } = await carrier.send(context, parcel)
    simulator.advance(trackingId, 'Tentative échouée', { reason: 'Client absent (reporté)' })
    simulator.pay(trackingId, 'payed', 'pmt-77')
    const read = async (type: Parameters<typeof simulator.callback>[0]) =>
      (await eventsIn(carrier, inbound(simulator.callback(type, [trackingId])), context))[0]
    expect(await read('parcel_created')).toMatchObject({
      trackingId,
      reference: parcel.reference,
      carrierStatus: 'parcel_created',
    })
    expect(await read('parcel_edited')).toBeUndefined()
    expect(await read('parcel_status_updated')).toMatchObject({
      carrierStatus: 'Tentative échouée',
      reason: 'Client absent (reporté)',
    })
    expect(await read('parcel_payment_updated')).toMatchObject({
      trackingId,
      cash: { status: 'paid_out', payoutId: 'pmt-77' },
    })
    expect(await read('parcel_deleted')).toMatchObject({ trackingId, carrierStatus: 'parcel_deleted' })
  })

  test('a payment status that is not known is passed on, not guessed', async () => {
    const callback = simulator.callback('parcel_payment_updated', [{ data: { tracking: 'yal-1', status: 'blocked' } }])
    const [report] = await eventsIn(carrier, inbound(callback), rig.open().context)
    expect(report).toMatchObject({ carrierStatus: 'payment_status blocked' })
    expect(report?.cash).toBeUndefined()
  })

  test('the header may be spelt with underscores, or be named otherwise by a clone', async () => {
    const { headers, body } = simulator.callback('parcel_status_updated', [{ data: { tracking: 'yal-1', status: 'Livré' } }])
    const signature = headers['x-yalidine-signature']!
    const verify = (name: string, desk = rig.open()) => isProven(carrier, inbound({ headers: { [name]: signature }, body }), desk.context)
    expect(await verify('x_yalidine_signature')).toBe(true)
    expect(await verify('x-guepex-signature')).toBe(false)
    expect(await verify('x-guepex-signature', settings({ signatureHeader: 'X-GUEPEX-SIGNATURE' }))).toBe(true)
  })
})

describe('money', () => {
  test('the axis of money is read beside that of delivery', async () => {
    const { context } = rig.open()
    const { trackingId } = await carrier.send(context, shipment())
    const cash = async () => (await carrier.track!(context, [trackingId]))[0]?.cash
    expect((await cash())?.status).toBe('none')
    simulator.advance(trackingId, 'Livré')
    expect(await cash()).toMatchObject({ status: 'collected', amount: 3200, fee: expect.any(Number) })
    simulator.pay(trackingId, 'receivable', 'pmt-1')
    expect(await cash()).toMatchObject({ status: 'payout_ready', payoutId: 'pmt-1' })
    simulator.pay(trackingId, 'payed')
    expect(await cash()).toMatchObject({ status: 'paid_out', payoutId: 'pmt-1' })
  })

  test('a payout is paid when all its parcels are', async () => {
    const { context } = rig.open()
    const sent = [await carrier.send(context, shipment()), await carrier.send(context, shipment())]
    for (const { trackingId } of sent) simulator.advance(trackingId, 'Livré')
    for (const { trackingId } of sent) simulator.pay(trackingId, 'receivable', 'pmt-2')
    simulator.pay(sent[0]!.trackingId, 'payed')
    expect(await carrier.cash!.batches(context)).toEqual([{ id: 'pmt-2', status: 'payout_ready', amount: 6400, parcels: 2 }])
    simulator.pay(sent[1]!.trackingId, 'payed')
    expect((await carrier.cash!.batch(context, 'pmt-2')).status).toBe('paid_out')
  })

  test('nothing was collected on what came back, though it is in a payout', async () => {
    const { context } = rig.open()
    const sent = [await carrier.send(context, shipment()), await carrier.send(context, shipment())]
    simulator.advance(sent[0]!.trackingId, 'Livré')
    simulator.advance(sent[1]!.trackingId, 'Retourné au vendeur')
    for (const { trackingId } of sent) simulator.pay(trackingId, 'payed', 'pmt-3')
    expect(await carrier.cash!.batches(context)).toEqual([{ id: 'pmt-3', status: 'paid_out', amount: 3200, parcels: 1 }])
  })

  test('where there are more parcels than are read, a payout that may go on behind them is left out', async () => {
    const row = { price: 3200, last_status: 'Livré', payment_status: 'payed' }
    const pages = Bun.serve({
      port: 0,
      fetch: ({ url }) => {
        const first = (Number(new URL(url).searchParams.get('page')) - 1) * 1000
        const data = Array.from({ length: 1000 }, (_, at) => ({
          ...row,
          tracking: `yal-${first + at}`,
          payment_id: first + at < 8500 ? 'pmt-2' : 'pmt-1',
        }))
        return Response.json({ has_more: true, data })
      },
    })
    const { context } = openDesk(carrier, { [carrier.net[0]!]: pages.url.origin }, rig)
    expect(await carrier.cash!.batches(context)).toEqual([{ id: 'pmt-2', status: 'paid_out', amount: 8500 * 3200, parcels: 8500 }])
    await expect(carrier.cash!.batch(context, 'pmt-1')).rejects.toMatchObject({ reason: 'not_found' })
    await pages.stop(true)
  })
})

test('abandoned goods do not count as returned, damaged ones are lost', () => {
  const read = statusReader(carrier.statuses)
  expect(read('COLIS ABANDONNE')).toEqual({ status: 'returning', flag: 'abandoned' })
  expect(read('endommagé')).toEqual({ status: 'lost', flag: 'damaged' })
  expect(read('Echec livraison')).toEqual({ status: 'returning' })
  expect(read('Retourné')).toEqual({ status: 'returning' })
})

test('every company has its own host and address of documentation', () => {
  expect(companies.map(({ slug }) => slug)).toEqual(['yalidine', 'yalitec', 'guepex', 'economiqua', 'easyandspeed', 'wecan'])
  expect(new Set(companies.flatMap(({ net }) => net)).size).toBe(12)
  expect(carrier.net).toEqual(['api.yalidine.app', 'yalidine.app'])
})
