import { afterAll, describe, expect, test } from 'bun:test'
import paypal from '../../../../adapters/payment/paypal/index.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import type { InboundRequest } from '../../../../plugins/payment/index.ts'
import { inbound, rig as rigOf } from './rig.ts'
import type { Outcome } from './simulator.ts'

const rig = rigOf(paypal)
const { simulator } = rig
const { context } = rig.open()
afterAll(() => simulator.stop())

const bytes = (words: string) => new TextEncoder().encode(words)
const made = async (outcome: Outcome) => {
  const asked = rig.checkout()
  const { externalId } = await paypal.createCheckout(context, asked)
  simulator.move(externalId, outcome)
  return { asked, externalId }
}
const verify = async (request: InboundRequest, own = context) => isProven(paypal, request, own)
const parse = async (event: unknown) => eventsIn(paypal, inbound(simulator.signed(simulator.written(event))), context)
const asked = () => simulator.requests.filter(({ path }) => path.endsWith('verify-webhook-signature'))

describe('a callback', () => {
  const told = async () =>
    inbound(simulator.signed(simulator.written(simulator.told((await made('paid')).externalId, 'PAYMENT.CAPTURE.COMPLETED'))))

  test('is proven by PayPal, which is given its exact bytes', async () => {
    const request = await told()
    const words = ` ${new TextDecoder().decode(request.body)}\n`
    expect(await verify(request)).toBe(true)
    expect(asked().at(-1)?.body).toEndWith(`,"webhook_event":${words.trim()}}`)
    const spaced = simulator.signed(bytes(words))
    expect(await verify(inbound(spaced))).toBe(true)
    expect(await verify(inbound({ ...spaced, body: bytes(words.trim()) }))).toBe(false)
  })

  test('of another webhook of the same account is not believed', async () => {
    const request = await told()
    const other = rig.open({ credentials: { ...simulator.credentials, webhookId: '1AA11111AA111111A' } }).context
    expect(await verify(request, other)).toBe(false)
    const { webhookId: _, ...without } = simulator.credentials
    const before = asked().length
    for (const webhookId of [undefined, '', ' ']) {
      const credentials = { ...without, ...(webhookId !== undefined && { webhookId }) }
      expect(await verify(request, rig.open({ credentials }).context)).toBe(false)
    }
    expect(asked().length).toBe(before)
  })

  test('that cannot be true is not asked about', async () => {
    const { headers, body } = await told()
    const before = simulator.requests.length
    const bad: Readonly<Record<string, string>>[] = [
      { 'paypal-cert-url': 'https://api.sandbox.paypal.com.evil.example/cert' },
      { 'paypal-cert-url': 'https://evilpaypal.com/cert' },
      { 'paypal-cert-url': 'http://api.paypal.com/cert' },
      { 'paypal-cert-url': 'nowhere' },
      { 'paypal-transmission-id': '' },
      { 'paypal-auth-algo': '' },
      { 'paypal-transmission-sig': 'no base64' },
      { 'paypal-transmission-time': 'x'.repeat(2001) },
    ]
    for (const change of bad) expect(await verify(inbound({ headers: { ...headers, ...change }, body }))).toBe(false)
    expect(simulator.requests.length).toBe(before)
  })

  test('whose body would close the question and ask another is not asked about', async () => {
    const { headers } = await told()
    const before = simulator.requests.length
    const bodies = ['{"id":1},"webhook_id":"THEIRS","x":{}', '{}}', '[]', 'null', '', '"{}"', '{"id":1}, "transmission_sig": "YQ=="']
    for (const body of bodies) expect(await verify(inbound({ headers, body: bytes(body) }))).toBe(false)
    expect(await verify(inbound({ headers, body: new Uint8Array([0x7b, 0xff, 0x7d]) }))).toBe(false)
    expect(simulator.requests.length).toBe(before)
  })

  test('that PayPal will not judge is not believed, and no secret is told of it', async () => {
    const { context, logged } = rig.open()
    const fetch: typeof context.fetch = async (url, init) =>
      url.endsWith('verify-webhook-signature') ? Response.json({ name: 'VALIDATION_ERROR' }, { status: 400 }) : context.fetch(url, init)
    expect(await verify(await told(), { ...context, fetch })).toBe(false)
    expect(logged.length).toBe(1)
    expect(JSON.stringify(logged)).not.toContain(simulator.credentials.clientSecret)
  })

  test('that comes while PayPal does not answer is neither believed nor turned away', async () => {
    const request = await told()
    Object.assign(simulator.faults, { error500: 1, on: 'verify-webhook-signature$' })
    await expect(verify(request)).rejects.toMatchObject({ reason: 'unavailable' })
    Object.assign(simulator.faults, { error500: 0, mumbled: 1 })
    await expect(verify(request)).rejects.toMatchObject({ reason: 'unavailable' })
    simulator.calm()
  })
})

describe('news', () => {
  test('that the payer approved are no payment', async () => {
    const { externalId, asked } = await made('authorized')
    const [news] = await parse(simulator.told(externalId, 'CHECKOUT.ORDER.APPROVED'))
    expect(news).toMatchObject({ externalId, paymentId: asked.paymentId, status: 'authorized' })
    expect(news).not.toHaveProperty('amount')
  })

  test('of money name the order, by what they say or by where they lead', async () => {
    const { externalId, asked } = await made('paid')
    const event = simulator.told(externalId, 'PAYMENT.CAPTURE.COMPLETED')
    const { supplementary_data: _, ...resource } = event.resource as Record<string, unknown>
    for (const told of [event, { ...event, resource }])
      expect(await parse(told)).toMatchObject([
        { externalId, paymentId: asked.paymentId, status: 'paid', amount: 250_000, currency: 'USD', fee: 10_000 },
      ])
    const { links: __, ...nameless } = resource
    expect(await parse({ ...event, resource: nameless })).toMatchObject([{ paymentId: asked.paymentId, status: 'paid' }])
  })

  test('of money given back, by us or in the dashboard, are read from the order', async () => {
    const { externalId, asked } = await made('paid')
    await paypal.refund!(context, { externalId, refundId: 'rfd_news', amount: 40_000, whole: false, currency: 'USD', reason: '' })
    const expected = { externalId, paymentId: asked.paymentId, status: 'paid', amount: 250_000, refunded: 40_000 }
    const event = simulator.toldRefund(externalId)
    expect(await parse(event)).toMatchObject([expected])
    const reversed = simulator.told(externalId, 'PAYMENT.CAPTURE.REVERSED')
    expect(await parse(reversed)).toMatchObject([expected])
    expect(await parse({ ...event, resource: { id: 'R', links: [] } })).toEqual([])
  })

  test('of money that was taken from the shop again say so, also where no refund explains it', async () => {
    const { externalId } = await made('paid')
    expect((await paypal.read(context, externalId)).takenBack).toBeUndefined()
    expect(await parse(simulator.told(externalId, 'PAYMENT.CAPTURE.REVERSED'))).toMatchObject([{ status: 'paid', takenBack: true }])
    const reversed: typeof context.fetch = async (url, init) => {
      const answer = await context.fetch(url, init)
      return url.endsWith(externalId)
        ? Response.json(JSON.parse((await answer.text()).replace(/"COMPLETED","amount"/, '"REFUNDED","amount"')))
        : answer
    }
    expect(await paypal.read({ ...context, fetch: reversed }, externalId)).toMatchObject({ status: 'paid', refunded: 0, takenBack: true })
    await paypal.refund!(context, { externalId, refundId: 'rfd_all', amount: 250_000, whole: true, currency: 'USD', reason: '' })
    const news = await paypal.read(context, externalId)
    expect([news.refunded, news.takenBack]).toEqual([250_000, undefined])
  })

  test.each(['PAYMENT.CAPTURE.DANCED', 'CHECKOUT.ORDER.COMPLETED', 'toString', ''])('of the type %p are none', async (type) => {
    const { externalId } = await made('paid')
    expect(await parse(simulator.told(externalId, type))).toEqual([])
  })

  test('as paid without an amount that can be read are none: it is read later', async () => {
    const { externalId } = await made('paid')
    const event = simulator.told(externalId, 'PAYMENT.CAPTURE.COMPLETED')
    for (const amount of [null, { currency_code: 'USD', value: 'much' }, { value: '1.00' }])
      expect(await parse({ ...event, resource: { ...(event.resource as object), amount } })).toEqual([])
  })
})
