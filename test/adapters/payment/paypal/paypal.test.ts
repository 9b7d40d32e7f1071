import { afterAll, describe, expect, test } from 'bun:test'
import paypal from '../../../../adapters/payment/paypal/index.ts'
import { amountIn, moneyFor } from '../../../../adapters/payment/paypal/money.ts'
import { createStorage } from '../../../../plugins/payment/acceptance.ts'
import type { Checkout, RefundAsked } from '../../../../plugins/payment/index.ts'
import { rig as rigOf } from './rig.ts'

const rig = rigOf(paypal)
const { simulator } = rig
const { context } = rig.open()
afterAll(() => simulator.stop())

const make = async (change: Partial<Checkout> = {}) => {
  const asked = rig.checkout(change)
  return { asked, ...(await paypal.createCheckout(context, asked)) }
}
const lastCall = () => simulator.requests.at(-1)!
const lastBody = () => JSON.parse(lastCall().body) as Record<string, unknown>
const callsOf = (pattern: RegExp) => simulator.requests.filter(({ method, path }) => pattern.test(`${method} ${path}`))
const failure = async (work: () => unknown) => {
  try {
    await work()
  } catch (error) {
    return error as { reason: string; message: string; upstream: Record<string, unknown> }
  }
  throw new Error('It did not fail.')
}

describe('an order', () => {
  test('is asked for with texts for amounts, our names, and an id that makes it once', async () => {
    const { asked, externalId, url } = await make({ amount: 1_999 })
    const { paymentId, reference, description, returnUrl, cancelUrl } = asked
    expect(lastBody()).toEqual({
      intent: 'CAPTURE',
      purchase_units: [
        {
          reference_id: reference,
          custom_id: paymentId,
          invoice_id: paymentId,
          description,
          amount: { currency_code: 'USD', value: '19.99' },
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: returnUrl,
            cancel_url: cancelUrl,
            user_action: 'PAY_NOW',
            shipping_preference: 'NO_SHIPPING',
            locale: 'fr-FR',
          },
        },
      },
    })
    expect(lastCall().headers.get('paypal-request-id')).toStartWith(`checkout-${paymentId}-`)
    expect(url).toBe(`https://www.sandbox.paypal.com/checkoutnow?token=${externalId}`)
    expect((await paypal.createCheckout(context, asked)).externalId).toBe(externalId)
  })

  test('says whose page it is where somebody chose', async () => {
    const own = rig.open({ settings: { brandName: 'Boutique Lina', landingPage: 'GUEST_CHECKOUT' } }).context
    await paypal.createCheckout(own, rig.checkout())
    expect(lastCall().body).toContain('"brand_name":"Boutique Lina","landing_page":"GUEST_CHECKOUT"')
  })

  test('of long words keeps as many as PayPal does', async () => {
    await make({ description: `${'x'.repeat(126)}👕 and more` })
    expect(lastBody()).toMatchObject({ purchase_units: [{ description: 'x'.repeat(126) }] })
  })

  test('is asked for where its mode is', async () => {
    const hosts: string[] = []
    const live = rig.open({ settings: { mode: 'live' } })
    await paypal.createCheckout(live.context, rig.checkout())
    hosts.push(...live.asked)
    expect(new Set(hosts)).toEqual(new Set(['api-m.paypal.com']))
    expect(await paypal.testConnection(live.context)).toEqual({ account: 'live mode' })
  })

  test('of the currencies of the Maghreb is refused before anything is asked', async () => {
    const before = simulator.requests.length
    for (const currency of ['DZD', 'MAD', 'TND', 'EGP'])
      expect((await failure(() => paypal.createCheckout(context, rig.checkout({ currency })))).reason).toBe('refused')
    expect(simulator.requests.length).toBe(before)
  })
})

describe('money', () => {
  test.each([
    [1_999, 'USD', '19.99'],
    [5, 'EUR', '0.05'],
    [100, 'EUR', '1.00'],
    [12_345, 'JPY', '12345'],
    [250_000, 'HUF', '2500'],
    [9_999_999_999_999, 'USD', '99999999999.99'],
  ])('%d of %s is %s, and back', (amount, currency, value) => {
    expect(moneyFor(amount, currency)).toEqual({ currency_code: currency, value })
    expect(amountIn({ currency_code: currency, value })).toEqual({ amount, currency })
  })

  test('of forints and Taiwan dollars has no decimals', async () => {
    expect((await failure(() => moneyFor(250_050, 'HUF'))).upstream.code).toBe('decimals')
    expect(amountIn({ currency_code: 'TWD', value: '25.00' })).toEqual({ amount: 2_500, currency: 'TWD' })
  })

  test.each(['', '-1.00', '1e3', '1,000.00', '1.999', 'much', null, {}])('written %p is none', (value) => {
    expect(amountIn({ currency_code: 'USD', value })).toEqual({ currency: 'USD' })
  })
})

describe('the token', () => {
  const own = () => rig.open({ storage: createStorage() }).context
  const issued = async (work: () => Promise<unknown>) => {
    const before = simulator.tokensIssued()
    await work()
    return simulator.tokensIssued() - before
  }

  test('is asked for once, and kept sealed', async () => {
    const context = own()
    expect(
      await issued(async () => {
        for (let count = 0; count < 4; count += 1) await paypal.createCheckout(context, rig.checkout())
      }),
    ).toBe(1)
    const token = lastCall().headers.get('authorization')?.slice('Bearer '.length) ?? ''
    expect(token).toStartWith('A21AA')
    expect(JSON.stringify(await context.storage.list(''))).not.toContain(token)
  })

  test('is renewed once when its time is nearly over, by one of many', async () => {
    simulator.habits.tokenSeconds = 1_000
    const context = own()
    await paypal.createCheckout(context, rig.checkout())
    const later = { ...context, now: () => Date.now() + 950_000 }
    const asks = Array.from({ length: 5 }, () => () => paypal.createCheckout(later, rig.checkout()))
    expect(await issued(() => Promise.all(asks.map((ask) => ask())))).toBe(1)
    simulator.calm()
  })

  test('that PayPal takes no more is renewed, and what was asked is asked again', async () => {
    const context = own()
    const { externalId } = await paypal.createCheckout(context, rig.checkout())
    simulator.revokeTokens()
    expect(await issued(async () => expect((await paypal.read(context, externalId)).status).toBe('open'))).toBe(1)
  })

  test('of other keys is not used', async () => {
    const context = own()
    await paypal.createCheckout(context, rig.checkout())
    const credentials = { ...simulator.credentials, clientSecret: 'EKanother' }
    const attempt = () => paypal.createCheckout({ ...context, credentials }, rig.checkout())
    expect((await failure(attempt)).reason).toBe('unauthorized')
  })
})

describe('an approved payment', () => {
  const approved = async () => {
    const { externalId, asked } = await make()
    simulator.move(externalId, 'authorized')
    return { externalId, asked, order: simulator.orders(asked.paymentId)[0]! }
  }
  const capture = async (externalId: string) => paypal.capture!(context, externalId)

  test('is not paid before it is taken', async () => {
    const { externalId, order } = await approved()
    expect(await paypal.read(context, externalId)).toMatchObject({ status: 'authorized' })
    expect(order.captures).toEqual([])
    expect(await capture(externalId)).toMatchObject({ externalId, status: 'paid', amount: 250_000, currency: 'USD', fee: 10_000 })
    expect(
      callsOf(/\/capture$/)
        .at(-1)
        ?.headers.get('paypal-request-id'),
    ).toBe(`capture-${externalId}`)
  })

  test('that is already captured is read, also when the request id has expired', async () => {
    const { externalId, order } = await approved()
    simulator.habits.forgetsIds = true
    const first = await capture(externalId)
    expect(await capture(externalId)).toEqual(first)
    expect(order.captures.length).toBe(1)
    simulator.calm()
  })

  test.each([
    ['PENDING', 'processing'],
    ['DECLINED', 'failed'],
  ] as const)('and is %s when it is taken is %s', async (captureStatus, status) => {
    const { externalId } = await approved()
    simulator.habits.captureStatus = captureStatus
    const news = await capture(externalId)
    expect(news).toMatchObject({ externalId, status })
    expect(news).not.toHaveProperty('amount')
    expect(await paypal.read(context, externalId)).toEqual(news)
    simulator.calm()
  })

  test('with a card that is declined came to nothing, in the words of PayPal', async () => {
    const { externalId, order } = await approved()
    simulator.habits.captureStatus = 'refused'
    expect(await capture(externalId)).toMatchObject({ status: 'failed', message: expect.stringContaining('declined by the bank') })
    expect(order.captures).toEqual([])
    simulator.calm()
  })

  test('twice for one payment is paid once', async () => {
    const { externalId, asked } = await approved()
    const other = await paypal.createCheckout(context, { ...asked, returnUrl: 'https://elsewhere.example/back' })
    expect(other.externalId).not.toBe(externalId)
    simulator.move(other.externalId, 'authorized')
    await capture(externalId)
    expect((await failure(() => capture(other.externalId))).message).toContain('Duplicate Invoice ID')
  })
})

describe('a payment that is read', () => {
  const readAs = async (order: Record<string, unknown>) => {
    const { context } = rig.open()
    const fetch: typeof context.fetch = async (url, init) =>
      url.includes('/oauth2/') ? context.fetch(url, init) : Response.json({ id: 'ORDER1', ...order })
    return paypal.read({ ...context, fetch }, 'ORDER1')
  }
  const captured = (...statuses: string[]) => ({
    status: 'COMPLETED',
    purchase_units: [{ payments: { captures: statuses.map((status) => ({ status, amount: { currency_code: 'USD', value: '1.50' } })) } }],
  })

  test.each([
    [{ status: 'CREATED' }, 'open'],
    [{ status: 'SAVED' }, 'open'],
    [{ status: 'PAYER_ACTION_REQUIRED' }, 'open'],
    [{ status: 'APPROVED' }, 'authorized'],
    [{ status: 'VOIDED' }, 'cancelled'],
    [captured('DECLINED', 'COMPLETED'), 'paid'],
    [captured('DECLINED', 'PENDING'), 'processing'],
    [captured('REFUNDED'), 'paid'],
    [captured('PARTIALLY_REFUNDED'), 'paid'],
    [captured('FAILED'), 'failed'],
  ] as const)('as %j is %s', async (order, status) => {
    expect((await readAs(order)).status).toBe(status)
  })

  test.each([
    { status: 'DANCING' },
    { status: 'constructor' },
    { status: 'COMPLETED' },
    captured('DANCING'),
    { id: 'ORDER2', status: 'CREATED' },
  ])('as %j is known to nobody', async (order) => {
    expect((await failure(() => readAs(order))).reason).toBe('unavailable')
  })
})

test.each([
  [409, { name: 'RESOURCE_CONFLICT' }, 'unavailable'],
  [422, { details: [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }] }, 'unavailable'],
  [422, { details: [{ issue: 'PAYEE_ACCOUNT_RESTRICTED', description: 'The account is restricted.' }] }, 'refused'],
  [403, { name: 'NOT_AUTHORIZED' }, 'unauthorized'],
  [404, {}, 'unavailable'],
])('a %d with %j is %s', async (status, answer, reason) => {
  const fetch: typeof context.fetch = async (url, init) =>
    url.includes('/oauth2/') ? context.fetch(url, init) : Response.json(answer, { status })
  expect((await failure(() => paypal.createCheckout({ ...context, fetch }, rig.checkout()))).reason).toBe(reason)
})

test.each([
  ['USD', 12],
  ['EUR', undefined],
])('a fee in %s of what was paid in dollars is %p cents', async (currency_code, cents) => {
  const { context } = rig.open()
  const amount = { currency_code: 'USD', value: '1.50' }
  const capture = { id: 'CAP1', status: 'COMPLETED', amount, seller_receivable_breakdown: { paypal_fee: { currency_code, value: '0.12' } } }
  const order = { id: 'ORDER1', status: 'COMPLETED', purchase_units: [{ payments: { captures: [capture] } }] }
  const fetch: typeof context.fetch = async (url, init) => (url.includes('/oauth2/') ? context.fetch(url, init) : Response.json(order))
  const news = await paypal.read({ ...context, fetch }, 'ORDER1')
  expect([news.status, news.fee]).toEqual(['paid', cents])
})

describe('a refund', () => {
  const asking = async (change: Partial<RefundAsked> = {}) => {
    const { externalId, asked: checkout } = await make()
    simulator.move(externalId, 'paid')
    const refundId = `rfd_${externalId}`
    const asked: RefundAsked = { externalId, refundId, amount: 40_000, whole: false, currency: 'USD', reason: 'ours alone', ...change }
    return { asked, capture: simulator.orders(checkout.paymentId)[0]!.captures[0]! }
  }
  const give = async (asked: RefundAsked) => paypal.refund!(context, asked)

  test.each([
    ['COMPLETED', 'done'],
    ['PENDING', 'pending'],
    ['FAILED', 'failed'],
    ['CANCELLED', 'failed'],
  ] as const)('that is %s is %s', async (refundStatus, status) => {
    const { asked } = await asking()
    simulator.habits.refundStatus = refundStatus
    expect((await give(asked)).status).toBe(status)
    expect(lastBody()).toEqual({ amount: { currency_code: 'USD', value: '400.00' }, invoice_id: asked.refundId })
    simulator.calm()
  })

  test('of which PayPal says something that nobody knows has an unknown outcome', async () => {
    const { asked } = await asking()
    Object.assign(simulator.habits, { refundStatus: 'DANCING' })
    expect((await failure(() => give(asked))).reason).toBe('unavailable')
    Object.assign(simulator.habits, { refundStatus: 'COMPLETED' })
    simulator.calm()
  })

  test('asked for again tells what became of it, also where the id of the request is forgotten', async () => {
    const { asked, capture } = await asking()
    Object.assign(simulator.habits, { refundStatus: 'PENDING', forgetsIds: true })
    expect((await give(asked)).status).toBe('pending')
    capture.refunds[0]!.status = 'COMPLETED'
    expect((await give(asked)).status).toBe('done')
    capture.refunds[0]!.status = 'FAILED'
    expect(await give(asked)).toMatchObject({ status: 'failed', message: 'ECHECK' })
    expect(capture.refunds.length).toBe(1)
    simulator.calm()
  })

  test('that is pending is not counted as given back', async () => {
    const { asked, capture } = await asking()
    simulator.habits.refundStatus = 'PENDING'
    await give(asked)
    expect((await paypal.read(context, asked.externalId)).refunded ?? 0).toBe(0)
    capture.refunds[0]!.status = 'COMPLETED'
    expect((await paypal.read(context, asked.externalId)).refunded).toBe(40_000)
    simulator.calm()
  })

  test('of what was not paid yet is refused before it is asked for', async () => {
    const { externalId } = await make()
    simulator.move(externalId, 'authorized')
    simulator.habits.captureStatus = 'PENDING'
    await paypal.capture!(context, externalId)
    simulator.calm()
    const before = callsOf(/\/refund$/).length
    const asked = { externalId, refundId: 'rfd_early', amount: 40_000, whole: false, currency: 'USD', reason: '' }
    expect(await failure(() => give(asked))).toMatchObject({ reason: 'refused', upstream: { code: 'not_paid' } })
    expect(callsOf(/\/refund$/).length).toBe(before)
  })

  test('in another currency is refused', async () => {
    const { asked, capture } = await asking({ currency: 'EUR' })
    expect((await failure(() => give(asked))).reason).toBe('refused')
    expect(capture.refunds).toEqual([])
    expect(callsOf(/\/refund$/).some(({ body }) => body.includes('EUR'))).toBe(false)
  })
})
