import { afterAll, describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import stripe from '../../../../adapters/payment/stripe/index.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { inbound, rig as rigOf } from './rig.ts'
import { shownSession } from './simulator/books.ts'

const rig = rigOf(stripe)
const { simulator } = rig
const { context } = rig.open()
afterAll(() => simulator.stop())

const bytes = (text: string) => new TextEncoder().encode(text)
const seconds = () => Math.floor(Date.now() / 1000)

describe('a signature', () => {
  // Worked out apart from this code.
  const vector = {
    body: bytes('{"id":"1","name":"مرحبا","url":"https://a.dz/x"}'),
    header: 't=1700000000,v1=61fa641c924ff09c17fb5ed8149dd1b6abbd9960916f0c461b93e25dba503041',
    secret: 'whsec_test',
  }
  const verifyAt = (at: number, header: string, body = vector.body) => {
    const credentials = { ...simulator.credentials, webhookSecret: vector.secret }
    const own = rig.open({ credentials, now: () => at * 1000 }).context
    return isProven(stripe, inbound({ headers: { 'stripe-signature': header }, body }), own)
  }

  test('is over the time and the exact bytes, with the secret as it is written', async () => {
    expect(await verifyAt(1_700_000_000, vector.header)).toBe(true)
    expect(await verifyAt(1_700_000_001, vector.header, bytes('{"id":"1"}'))).toBe(false)
  })

  test.each([
    [-3_600, false],
    [-301, false],
    [-300, true],
    [299, true],
    [300, true],
    [301, false],
  ])('%d seconds old: %p', async (age, isBelieved) => {
    expect(await verifyAt(1_700_000_000 + age, vector.header)).toBe(isBelieved)
  })

  const [time = '', good = ''] = vector.header.split(',')
  const other = `v1=${'0'.repeat(64)}`
  test.each([
    [`${time},${other},${good}`, true],
    [`${time},${good},${other}`, true],
    [`${time},v0=${'a'.repeat(64)},${good}`, true],
    [`${time},${good},later=xyz`, true],
    [`${time},${good.replace('v1', 'v0')}`, false],
    [`${time},${good.toUpperCase()}`, false],
    [`${good},${time}`, false],
    [`t=1700000001,${good}`, false],
    [time, false],
    [good, false],
    ['', false],
  ])('written as %s: %p', async (header, isBelieved) => {
    expect(await verifyAt(1_700_000_000, header)).toBe(isBelieved)
  })

  test("is accepted exactly where Stripe's own library accepts it, for every signer and age", async () => {
    const body = bytes('{"id":"evt_1","object":"event","name":"قميص 👕"}')
    const payload = new TextDecoder().decode(body)
    for (const secret of [simulator.credentials.webhookSecret, 'whsec_another'])
      for (const timestamp of [seconds(), seconds() - 200, seconds() - 900])
        for (const words of [payload, `${payload} `]) {
          const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: words, secret, timestamp })
          const theirs = await Stripe.webhooks.constructEventAsync(payload, header, simulator.credentials.webhookSecret).then(
            () => true,
            () => false,
          )
          const ours = await isProven(stripe, inbound({ headers: { 'stripe-signature': header }, body }), context)
          expect([timestamp - seconds(), secret, words === payload, ours]).toEqual([
            timestamp - seconds(),
            secret,
            words === payload,
            theirs,
          ])
        }
  })
})

describe('news', () => {
  const made = async () => {
    const asked = rig.checkout()
    return { asked, ...(await stripe.createCheckout(context, asked)) }
  }
  const parse = async (event: unknown) => eventsIn(stripe, inbound(await simulator.signed(simulator.written(event))), context)

  test('that the payer is done are no payment while nothing is paid', async () => {
    const { externalId } = await made()
    simulator.move(externalId, 'processing')
    expect(await parse(simulator.sessionEvent(externalId, 'processing'))).toMatchObject([{ externalId, status: 'processing' }])
    simulator.move(externalId, 'paid')
    const later = simulator.sessionEvent(externalId, 'paid', 'checkout.session.async_payment_succeeded')
    expect(await parse(later)).toMatchObject([{ externalId, status: 'paid', amount: 250_000, currency: 'USD' }])
  })

  test.each(['payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.canceled', 'charge.succeeded', 'toString', ''])(
    'of the type %p are none',
    async (type) => {
      const { externalId, asked } = await made()
      simulator.move(externalId, 'paid')
      const metadata = { paymentId: asked.paymentId }
      expect(await parse(simulator.eventOf(type, { id: 'pi_1', object: 'payment_intent', status: 'succeeded', metadata }))).toEqual([])
    },
  )

  test('of money given back, by us or in the dashboard, are read from the session', async () => {
    const { externalId, asked } = await made()
    simulator.move(externalId, 'paid')
    const refund = { externalId, refundId: 'rfd_1', amount: 40_000, whole: false, currency: 'USD', reason: '' }
    await stripe.refund!(context, refund)
    for (const event of simulator.refundEvents(externalId))
      expect(await parse(event)).toMatchObject([
        { externalId, paymentId: asked.paymentId, status: 'paid', amount: 250_000, refunded: 40_000, currency: 'USD' },
      ])
  })

  test('of money given back that was paid elsewhere are none', async () => {
    expect(await parse(simulator.eventOf('charge.refunded', { object: 'charge', payment_intent: 'pi_elsewhere' }))).toEqual([])
    expect(await parse(simulator.eventOf('refund.created', { object: 'refund', payment_intent: null }))).toEqual([])
  })

  test('that come while Stripe does not answer are told again later', async () => {
    const { externalId } = await made()
    simulator.move(externalId, 'paid')
    await stripe.refund!(context, { externalId, refundId: 'rfd_2', amount: 1_000, whole: false, currency: 'USD', reason: '' })
    Object.assign(simulator.faults, { error500: 1, on: '^GET ' })
    const [event] = simulator.refundEvents(externalId)
    await expect(parse(event)).rejects.toMatchObject({ reason: 'unavailable' })
    simulator.calm()
  })

  test('of a session that was made in the dashboard are told by its own name', async () => {
    const { externalId } = await made()
    const session = shownSession(simulator.move(externalId, 'paid'), { expanded: false })
    for (const metadata of [null, [], {}, { paymentId: { a: 1 } }, { paymentId: 'x'.repeat(65) }]) {
      const [news] = await parse(simulator.eventOf('checkout.session.completed', { ...session, metadata }))
      expect(news).toMatchObject({ externalId, status: 'paid' })
      expect(news).not.toHaveProperty('paymentId')
    }
  })
})
