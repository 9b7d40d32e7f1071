import { afterAll, describe, expect, test } from 'bun:test'
import chargily from '../../../../adapters/payment/chargily/index.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { checkout } from '../../../../plugins/payment/acceptance.ts'
import type { GatewayEvent, InboundRequest } from '../../../../plugins/payment/index.ts'
import { type ChargilyRig, connected, inbound, stopAll } from './rig.ts'
import type { ChargilyOptions, Status } from './simulator.ts'

afterAll(stopAll)

/** A shop whose address is really called: what it believes it reads, in the order in which it comes. */
function shop(options: ChargilyOptions = {}) {
  const rig: ChargilyRig = connected(chargily, options)
  const { context } = rig.open()
  const heard: GatewayEvent[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = new Uint8Array(await request.arrayBuffer())
      const callback: InboundRequest = { method: request.method, url: '/webhook', headers: Object.fromEntries(request.headers), body }
      if (!(await isProven(chargily, callback, context))) return new Response(null, { status: 401 })
      heard.push(...(await eventsIn(chargily, callback, context)))
      return new Response(null, { status: 200 })
    },
  })
  afterAll(() => server.stop(true))
  const make = async () => {
    const asked = checkout({ webhookUrl: `${server.url}webhook` })
    return { asked, ...(await chargily.createCheckout(context, asked)) }
  }
  return { ...rig, context, heard, make }
}

const statuses = (heard: readonly GatewayEvent[]) => heard.map(({ status }) => status)

test('a signature that was computed elsewhere is believed, of these very bytes', async () => {
  const { context } = connected(chargily).open({ credentials: { secretKey: 'test_secret' } })
  const words = '{"id":"1","name":"مرحبا","url":"https://a.dz/x"}'
  const headers = { signature: 'eb5ab9780476f0b74185e8737edd1b4a5cf0701d53ae8b8987d52f12bda7840e' }
  const believed = [words, JSON.stringify(JSON.parse(words), null, 1)].map((body) =>
    isProven(chargily, inbound({ headers, body: new TextEncoder().encode(body) }), context),
  )
  expect(await Promise.all(believed)).toEqual([true, false])
})

describe('over the wire', () => {
  test('a payment is told to the address of its checkout', async () => {
    const { make, simulator, heard } = shop()
    const { asked, externalId } = await make()
    simulator.move(externalId, 'paid', { amount: 240_000 })
    expect(await simulator.tell(externalId)).toEqual([200])
    expect(heard).toMatchObject([{ externalId, paymentId: asked.paymentId, status: 'paid', amount: 240_000, currency: 'DZD' }])
  })

  test('before the answer that names the checkout', async () => {
    const { make, heard } = shop({ movesBeforeAnswer: 'paid' })
    const { asked, externalId } = await make()
    expect(heard).toMatchObject([{ externalId, paymentId: asked.paymentId, status: 'paid', amount: 250_000 }])
  })

  test('twice, late and out of order, each says what it said', async () => {
    const { make, simulator, heard } = shop()
    const { externalId } = await make()
    simulator.move(externalId, 'failed', { at: Date.parse('2026-11-22T10:00:00Z') })
    const late = simulator.tell(externalId, { times: 2, afterMs: 60 })
    simulator.move(externalId, 'paid', { at: Date.parse('2026-11-22T10:05:00Z') })
    await simulator.tell(externalId)
    expect(await late).toEqual([200, 200])
    expect(statuses(heard)).toEqual(['paid', 'failed', 'failed'])
    expect(heard.map(({ at }) => at)).toEqual(['2026-11-22T10:05:00.000Z', '2026-11-22T10:00:00.000Z', '2026-11-22T10:00:00.000Z'])
  })

  test('signed with the key of the other mode is turned away', async () => {
    const { make, simulator, heard, context } = shop()
    const { asked, externalId } = await make()
    const { body } = simulator.told(externalId)
    const { headers } = simulator.signed(new Uint8Array(body), 'live')
    const answer = await fetch(asked.webhookUrl, { method: 'POST', headers, body: new Uint8Array(body) })
    expect([answer.status, heard.length]).toEqual([401, 0])
    expect((await chargily.read(context, externalId)).status).toBe('open')
  })
})

const rig = connected(chargily)
const { simulator } = rig
const { context } = rig.open()
const made = async (status: Status) => {
  const { externalId } = await chargily.createCheckout(context, checkout({ description: 'قميص 👕 / bleu' }))
  simulator.move(externalId, status)
  return externalId
}
const verify = (request: InboundRequest) => isProven(chargily, request, context)
const parse = (value: unknown) => eventsIn(chargily, inbound(simulator.signed(new TextEncoder().encode(JSON.stringify(value)))), context)

test('written anew, the same event has other bytes, and is not believed', async () => {
  const { headers, body } = simulator.told(await made('paid'))
  const words = new TextDecoder().decode(body)
  expect(words).toContain('\\/')
  expect(words).toContain('\\u0642')
  expect(await verify(inbound({ headers, body }))).toBe(true)
  const anew = new TextEncoder().encode(JSON.stringify(JSON.parse(words)))
  expect(await verify(inbound({ headers, body: anew }))).toBe(false)
})

test('the signature stands in one header, in lower case and alone', async () => {
  const { headers, body } = simulator.told(await made('paid'))
  const signature = headers.signature ?? ''
  const wrong = [signature.toUpperCase(), `sha256=${signature}`, ` ${signature}`, `${signature}${signature}`, `${signature.slice(0, 62)}zz`]
  for (const given of wrong) expect(await verify(inbound({ headers: { signature: given }, body }))).toBe(false)
  expect(await verify(inbound({ headers: { 'x-signature': signature }, body }))).toBe(false)
})

test('an event has `url` instead of `checkout_url`, and "false" for false', async () => {
  const event = simulator.eventOf(await made('paid')) as { livemode: unknown; data: Record<string, unknown> }
  expect(event.livemode).toBe('false')
  expect(Object.keys(event.data)).toContain('url')
  expect(Object.keys(event.data)).not.toContain('checkout_url')
  for (const livemode of ['false', false, 0, null]) expect(statuses(await parse({ ...event, livemode }))).toEqual(['paid'])
})

test('the type says what happened, whatever the checkout became since', async () => {
  const id = await made('paid')
  expect(statuses(await parse(simulator.eventOf(id, { type: 'checkout.failed' })))).toEqual(['failed'])
})

test.each(['checkout.created', 'payment_link.paid', 'checkout.paid.again', 'CHECKOUT.PAID', 'paid', '', null])(
  'the type %p is no news',
  async (type) => {
    expect(await parse({ ...simulator.eventOf(await made('paid')), type })).toEqual([])
  },
)

test('chargily: a checkout that was made in the dashboard is reported under its own id', async () => {
  const id = await made('paid')
  for (const metadata of [null, [], { order: 5 }, 'text', { paymentId: { a: 1 } }]) {
    const [news] = await parse(simulator.eventOf(id, { data: { metadata } }))
    expect(news).toMatchObject({ externalId: id, status: 'paid' })
    expect(news).not.toHaveProperty('paymentId')
  }
})

test('what is paid without an amount that can be read is no news: it is read later', async () => {
  const id = await made('paid')
  for (const amount of [null, 'much', 12.5, -1]) expect(await parse(simulator.eventOf(id, { data: { amount } }))).toEqual([])
  expect(await parse(simulator.eventOf(id, { data: { amount: '250000' } }))).toMatchObject([{ amount: 250_000 }])
})
