import { afterAll, expect, test } from 'bun:test'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import { statusReader } from '../../../../plugins/carrier/statuses.ts'
import { callbackToken, carrier, connected, inbound, stopAll } from './rig.ts'

const rig = connected()
const { simulator } = rig
afterAll(stopAll)

const minute = (count: number) => new Date(Date.UTC(2027, 0, 5, 10, count)).toISOString()
const parse = (words: string, desk = rig.open()) =>
  eventsIn(carrier, { ...inbound(words), url: `/webhook?token=${callbackToken}` }, desk.context)

test.each([1, 2] as const)('encoded %d times are read', async (rounds) => {
  const parcel = shipment()
  const { trackingId } = await carrier.send(rig.open().context, parcel)
  const words = simulator.callback({ id: trackingId, status: 41, at: minute(1), messageId: 'msg-1' }, rounds)
  expect(await parse(words)).toEqual([{ trackingId, reference: parcel.reference, carrierStatus: '41', at: minute(1), eventId: 'msg-1' }])
})

test('three times is not how they are encoded', async () => {
  const words = simulator.callback({ id: 'x', status: 41 })
  const { message } = JSON.parse(words) as { message: { data: string } }
  expect(await parse(JSON.stringify({ message: { ...message, data: btoa(message.data) } }))).toEqual([])
})

test('an abort is not taken for a cancellation: only the history tells', async () => {
  const { context } = rig.open()
  const { trackingId } = await carrier.send(context, shipment())
  simulator.advance(trackingId, '31')
  simulator.advance(trackingId, '50')
  const [report] = await parse(simulator.callback({ id: trackingId }))
  expect(statusReader(carrier.statuses)(report!.carrierStatus!)).toEqual({})
  const [parcel] = await carrier.track!(context, [report!.trackingId!])
  expect(statusReader(carrier.statuses)(parcel!.carrierStatus)?.status).toBe('returning')
})

test('a parcel that is named without a status that can be read is named all the same', async () => {
  const data = btoa(JSON.stringify({ id: 'some-uuid', display_id_order: 'MD1' }))
  const now = Date.parse(minute(7))
  const desk = openDesk(carrier, {}, { credentials: rig.credentials, now: () => now })
  const reports = await parse(JSON.stringify({ message: { data } }), desk)
  expect(reports).toEqual([{ trackingId: 'some-uuid', carrierStatus: 'callback without a status', at: minute(7) }])
  expect(statusReader(carrier.statuses)(reports[0]!.carrierStatus!)).toEqual({})
})

test('maystro: a callback without the secret in its address is refused', async () => {
  const { context } = rig.open()
  const verify = (url: string) => isProven(carrier, { ...inbound('{}'), url }, context)
  expect(await verify(`/webhook?token=${callbackToken}`)).toBe(true)
  expect(await verify(`/webhook?token=${callbackToken}&token=other`)).toBe(true)
  expect(await verify(`/webhook?Token=${callbackToken}`)).toBe(false)
  expect(await verify(`/webhook#token=${callbackToken}`)).toBe(false)
  expect(carrier.webhook!.unsigned).toBe('callbackToken')
})

test('are set up with a fresh secret each time, which reaches the address and replaces the older one', async () => {
  const other = connected()
  const { context } = other.open()
  const received: string[] = []
  const shop = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const callback = { method: 'POST', url: request.url, headers: {}, body: new Uint8Array(await request.arrayBuffer()) }
      const credentials = { ...other.credentials, callbackToken: received.at(-1) }
      const ok = await isProven(carrier, callback, other.open({ credentials }).context)
      return new Response(null, { status: ok ? 200 : 401 })
    },
  })
  for (let count = 0; count < 2; count++) {
    const { credentials } = await carrier.setupWebhook!(context, `${shop.url}hook`)
    received.push(credentials!.callbackToken!)
  }
  expect(received[0]).not.toBe(received[1])
  expect(received[1]!.length).toBeGreaterThanOrEqual(32)
  expect(other.simulator.hooks().map(({ endpoint }) => endpoint)).toEqual([`${shop.url}hook?token=${received[1]}`])
  expect(await other.simulator.deliver({ id: 'x', status: 41 })).toEqual([200])
  received.push('another-secret')
  expect(await other.simulator.deliver({ id: 'x', status: 41 })).toEqual([401])
  await shop.stop(true)
})

test('a refusal that repeats the address does not give the secret away', async () => {
  const { context, logged } = connected({ refusesHooks: true }).open()
  const error = (await Promise.resolve(carrier.setupWebhook!(context, 'https://shop.example/hook')).catch(
    (thrown: unknown) => thrown,
  )) as Error
  expect(error).toMatchObject({ reason: 'refused' })
  expect(`${error.message} ${JSON.stringify(error)} ${JSON.stringify(logged)} ${Bun.inspect(error)}`).not.toMatch(/[0-9a-f]{64}/)
})
