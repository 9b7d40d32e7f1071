import { afterAll, describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import stripe from '../../../../adapters/payment/stripe/index.ts'
import type { Checkout, RefundAsked } from '../../../../plugins/payment/index.ts'
import { rig as rigOf } from './rig.ts'
import { at, nested } from './simulator/form.ts'

const rig = rigOf(stripe)
const { simulator } = rig
const { context } = rig.open()
afterAll(() => simulator.stop())

const make = async (change: Partial<Checkout> = {}) => {
  const asked = rig.checkout(change)
  return { asked, ...(await stripe.createCheckout(context, asked)) }
}
const lastCall = () => simulator.requests.at(-1)!
const failure = async (work: () => unknown) => {
  try {
    await work()
  } catch (error) {
    return error as { reason: string; message: string; upstream: Record<string, unknown> }
  }
  throw new Error('It did not fail.')
}

describe('a session', () => {
  test('is asked for in a form of the pinned version, with both of our names twice', async () => {
    const { asked, externalId, url, expiresAt } = await make()
    const { paymentId, reference } = asked
    expect(nested(lastCall().body)).toEqual({
      mode: 'payment',
      line_items: {
        0: { quantity: '1', price_data: { currency: 'usd', unit_amount: '250000', product_data: { name: asked.description } } },
      },
      client_reference_id: paymentId,
      metadata: { paymentId, reference },
      payment_intent_data: { metadata: { paymentId, reference } },
      success_url: `${asked.returnUrl}&session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: asked.cancelUrl,
      locale: 'fr',
      customer_email: 'karim@shop.example',
    })
    const { headers } = lastCall()
    expect(headers.get('stripe-version')).toBe('2026-10-28.endive')
    expect(headers.get('idempotency-key')).toStartWith(`checkout-${paymentId}-`)
    expect(url).toContain(externalId)
    expect(expiresAt).toBeString()
  })

  test.each([
    ['fr', 'fr'],
    ['en', 'en'],
    ['ar', 'auto'],
  ] as const)('in the language %s is asked for in %s', async (language, locale) => {
    await make({ language })
    expect(nested(lastCall().body).locale).toBe(locale)
  })

  test('asked for again is the same; asked for otherwise it is another, and no refusal', async () => {
    const { asked, externalId } = await make()
    expect((await stripe.createCheckout(context, asked)).externalId).toBe(externalId)
    const other = await stripe.createCheckout(context, { ...asked, returnUrl: 'https://elsewhere.example/back' })
    expect(other.externalId).not.toBe(externalId)
    expect(simulator.sessions(asked.paymentId).length).toBe(2)
  })

  test.each(['30', '720'])('that can be paid for %s minutes says until when, the same when it is asked again', async (payableMinutes) => {
    const at = Date.now()
    const own = rig.open({ settings: { payableMinutes }, now: () => at }).context
    const asked = rig.checkout()
    const { externalId, expiresAt } = await stripe.createCheckout(own, asked)
    const minutes = (Date.parse(expiresAt!) - at) / 60_000
    expect(minutes).toBeGreaterThan(Number(payableMinutes))
    expect(minutes).toBeLessThan(Number(payableMinutes) + 12)
    expect((await stripe.createCheckout(own, asked)).externalId).toBe(externalId)
  })

  test.each([
    ['KWD', 250_001, 'third_decimal'],
    ['TND', 99_999, 'third_decimal'],
    ['ISK', 100_000, 'currency'],
    ['UGX', 100_000, 'currency'],
    ['MGA', 100_000, 'currency'],
  ])('of %s %d is refused before anything is asked', async (currency, amount, code) => {
    const before = simulator.requests.length
    const error = await failure(() => stripe.createCheckout(context, rig.checkout({ currency, amount })))
    expect([error.reason, error.upstream.code, simulator.requests.length]).toEqual(['refused', code, before])
  })

  test.each([
    ['JPY', 12_345],
    ['KWD', 250_010],
  ])('of %s %d arrives as it is', async (currency, amount) => {
    await make({ currency, amount })
    expect(at(nested(lastCall().body), 'line_items.0.price_data')).toMatchObject({
      currency: currency.toLowerCase(),
      unit_amount: `${amount}`,
    })
  })
})

test.each([
  [409, { code: 'idempotency_key_in_use' }, 'unavailable'],
  [402, { code: 'card_declined', message: 'Your card was declined.' }, 'refused'],
  [403, { message: 'The key has no permission.' }, 'unauthorized'],
  [404, { code: 'resource_missing' }, 'not_found'],
  [404, {}, 'unavailable'],
])('a %d with %j is %s', async (status, error, reason) => {
  const answering = { ...context, fetch: async () => Response.json({ error }, { status }) }
  expect((await failure(() => stripe.createCheckout(answering, rig.checkout()))).reason).toBe(reason)
})

test('stripe: the key decides between test and live mode', async () => {
  expect(await stripe.testConnection(context)).toEqual({ account: 'test mode' })
  const live = { ...context, credentials: { secretKey: ' rk_live_0123456789 ' }, fetch: async () => Response.json({ data: [] }) }
  expect(await stripe.testConnection(live)).toEqual({ account: 'live mode' })
})

describe('a payment that is read', () => {
  const readAs = async (change: Record<string, unknown>) => {
    const row = { id: 'cs_test_1', status: 'complete', payment_status: 'paid', amount_total: 1999, currency: 'usd', ...change }
    return stripe.read({ ...context, fetch: async () => Response.json(row) }, 'cs_test_1')
  }

  test.each([
    ['unpaid', 'processing', 'processing'],
    ['unpaid', 'requires_action', 'processing'],
    ['unpaid', 'requires_capture', 'authorized'],
    ['unpaid', 'requires_payment_method', 'failed'],
    ['unpaid', 'canceled', 'cancelled'],
    ['unpaid', 'succeeded', 'processing'],
    ['paid', 'succeeded', 'paid'],
    ['no_payment_required', null, 'paid'],
  ] as const)('as complete and %s with a payment that is %s is %s', async (payment_status, intent, status) => {
    expect((await readAs({ payment_status, payment_intent: intent && { id: 'pi_1', status: intent } })).status).toBe(status)
  })

  test('is asked for with what it cost', async () => {
    const { externalId } = await make()
    await stripe.read(context, externalId)
    expect(new URLSearchParams(lastCall().query).getAll('expand[]')).toEqual(['payment_intent.latest_charge.balance_transaction'])
  })

  test('of a page that costs nothing and nobody finished is open', async () => {
    expect((await readAs({ status: 'open', payment_status: 'no_payment_required' })).status).toBe('open')
  })

  test.each([
    { status: 'dancing' },
    { status: 'constructor' },
    { payment_status: 'owed' },
    { payment_status: 'unpaid', payment_intent: { id: 'pi_1', status: 'dancing' } },
    { amount_total: null },
    { amount_total: 1.5 },
    { id: 'x' },
  ])('with %j is known to nobody', async (change) => {
    expect((await failure(() => readAs(change))).reason).toBe('unavailable')
  })

  test('has a fee only in the currency that was paid', async () => {
    const charge = (currency: string) => ({ payment_intent: { id: 'pi_1', latest_charge: { balance_transaction: { currency, fee: 88 } } } })
    expect((await readAs(charge('usd'))).fee).toBe(88)
    expect(await readAs(charge('eur'))).not.toHaveProperty('fee')
  })

  test('of a declined payment has the words of the bank', async () => {
    const { externalId } = await make()
    simulator.move(externalId, 'failed')
    expect(await stripe.read(context, externalId)).toMatchObject({ status: 'failed', message: 'Your card was declined.' })
  })
})

describe('a refund', () => {
  const asking = async (change: Partial<RefundAsked> = {}) => {
    const { externalId } = await make()
    simulator.move(externalId, 'paid')
    const asked: RefundAsked = {
      externalId,
      refundId: `rfd_${externalId}`,
      amount: 40_000,
      whole: false,
      currency: 'USD',
      reason: '',
      ...change,
    }
    return { asked, session: simulator.sessions().find(({ id }) => id === externalId)! }
  }
  const give = async (asked: RefundAsked) => stripe.refund!(context, asked)

  test.each([
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['succeeded', 'done'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ] as const)('that is %s is %s', async (refundStatus, status) => {
    const { asked } = await asking()
    simulator.habits.refundStatus = refundStatus
    expect((await give(asked)).status).toBe(status)
    simulator.calm()
  })

  test('asked for again tells what became of it, where Stripe would repeat its first answer', async () => {
    const { asked, session } = await asking()
    simulator.habits.refundStatus = 'pending'
    expect((await give(asked)).status).toBe('pending')
    session.refunds[0]!.status = 'succeeded'
    expect((await give(asked)).status).toBe('done')
    session.refunds[0]!.status = 'failed'
    expect(await give(asked)).toMatchObject({ status: 'failed', message: 'expired_or_canceled_card' })
    simulator.calm()
  })

  test('is given once, also where its key is forgotten', async () => {
    const { asked, session } = await asking()
    simulator.habits.forgetsKeys = true
    const first = await give(asked)
    expect(await give(asked)).toEqual(first)
    expect(session.refunds.length).toBe(1)
    simulator.calm()
  })

  test('has our words where no payer reads them, and a key against giving twice', async () => {
    const { asked } = await asking({ reason: 'too small' })
    await give(asked)
    expect(lastCall().headers.get('idempotency-key')).toBe(`refund-${asked.refundId}`)
    expect(nested(lastCall().body)).toMatchObject({ metadata: { refundId: asked.refundId, reason: 'too small' } })
    expect(nested(lastCall().body)).not.toHaveProperty('reason')
  })

  test('in another currency is refused', async () => {
    const { asked, session } = await asking({ currency: 'EUR' })
    expect((await failure(() => give(asked))).reason).toBe('refused')
    expect(session.refunds.length).toBe(0)
  })
})

test("the simulator is one that Stripe's own library talks to", async () => {
  const { hostname: host, port } = new URL(simulator.url)
  const theirs = new Stripe(simulator.credentials.secretKey, { host, port: Number(port), protocol: 'http' })
  const price_data = { currency: 'usd', unit_amount: 1999, product_data: { name: 'A shirt' } }
  const made = await theirs.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price_data, quantity: 1 }],
    success_url: 'https://shop.example/?id={CHECKOUT_SESSION_ID}',
    metadata: { paymentId: 'pay_theirs' },
  })
  simulator.move(made.id, 'paid')
  expect(await stripe.read(context, made.id)).toMatchObject({ status: 'paid', amount: 1999, currency: 'USD', paymentId: 'pay_theirs' })
  const read = await theirs.checkout.sessions.retrieve(made.id, { expand: ['payment_intent'] })
  expect([read.payment_status, typeof read.payment_intent]).toEqual(['paid', 'object'])
})

test('a dispute stands in the lines of its payout as one, with the session that it is about', async () => {
  const { externalId } = await make()
  simulator.move(externalId, 'paid')
  simulator.payOut()
  const disputed = simulator.sessions().find(({ id }) => id === externalId)
  simulator.stray({ type: 'adjustment', amount: -1999, fee: 1500, ...(disputed && { disputed }) })
  const { id } = simulator.payOut()
  const { lines } = await stripe.payouts!.lines(context, { externalId: id, cursor: null })
  expect(lines).toMatchObject([{ kind: 'dispute', gross: -1999, fee: 1500, net: -3499, checkoutId: externalId }])
})
