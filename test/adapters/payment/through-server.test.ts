import { afterAll, describe, expect, test } from 'bun:test'
import { enqueueDuePolls, pollPayment } from '../../../core/money/payments/events/poll-payment.ts'
import { submitRefund } from '../../../core/money/payments/refunds/submit-refund.ts'
import { paymentShop } from '../../core/money/payment-shop.ts'
import { startApp } from '../../support/app.ts'
import { findPaymentDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'
import { startPayPal } from './paypal/simulator.ts'
import { startStripe } from './stripe/simulator.ts'

/** What a gateway's own tests cannot show: that the server takes what was approved, once, and counts what was given back, once. */
const [stripe, paypal] = [startStripe(), startPayPal()]
afterAll(() => Promise.all([stripe.stop(), paypal.stop()]))
const app = await startApp({ simulators: { 'api.stripe.com': stripe.url, 'api-m.sandbox.paypal.com': paypal.url } }, { socket: true })
const { call, ok, context } = app
const { sql } = context
// Of the currencies of the Maghreb neither gateway takes all.
const ours = await paymentShop({ ...app, shop: () => app.shop({ currencyCode: 'USD' }) }, {}, 19.99)
const { key, owner, storeId, read, readOrder } = ours
const integrations = `/v1/stores/${storeId}/integrations`
for (const [slug, { credentials }] of Object.entries({ stripe, paypal }))
  await ok('PUT', `${integrations}/${slug}`, { as: owner.token, body: { enabled: true, credentials: { ...credentials }, settings: {} } })

async function begun(gateway: 'stripe' | 'paypal') {
  const { id } = await ours.order()
  const { body, status } = await ours.initiate(id, { as: key, gateway })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const payment = (await read(id, body.data.id)) as { id: string; externalId: string }
  return { orderId: id, ...payment }
}
type Told = { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> }
const tell = (gateway: string, { body, headers }: Told) =>
  call('POST', `${integrations}/${gateway}/webhook`, { raw: body, headers: { ...headers } })
const comesBack = async (id: string, query: string) => {
  await sql`update payments set updated_at = now() - interval '10 seconds' where id = ${id}`
  return call('GET', `/v1/payments/${id}/return?${query}`)
}

describe('stripe', () => {
  test('is told cents, and its signed news are taken once', async () => {
    const { orderId, id, externalId } = await begun('stripe')
    expect(stripe.sessions(id)[0]?.amountTotal).toBe(1_999)
    stripe.move(externalId, 'paid')
    const told = await stripe.signed(stripe.written(stripe.sessionEvent(externalId, 'paid')))
    expect((await tell('stripe', { ...told, body: told.body.slice(1) })).status).toBe(401)
    expect((await tell('stripe', told)).body.data).toEqual({ received: 1, applied: 1 })
    expect((await tell('stripe', told)).body.data).toEqual({ received: 1, applied: 0 })
    expect(await read(orderId, id)).toMatchObject({ status: 'paid', paid: 19.99, currency: 'USD', concern: null })
    expect((await readOrder(orderId)).paymentStatus).toBe('paid')
  })

  test('a payer who is done without the money being there is waited for', async () => {
    const { orderId, id, externalId } = await begun('stripe')
    stripe.move(externalId, 'processing')
    await tell('stripe', await stripe.signed(stripe.written(stripe.sessionEvent(externalId, 'processing'))))
    expect((await read(orderId, id)).status).toBe('processing')
    stripe.move(externalId, 'paid')
    await comesBack(id, `session_id=${externalId}`)
    expect((await read(orderId, id)).status).toBe('paid')
  })

  test('a refund that is pending is looked up again, and its news count nothing twice', async () => {
    const { orderId, id, externalId } = await begun('stripe')
    stripe.move(externalId, 'paid')
    await comesBack(id, `session_id=${externalId}`)
    stripe.habits.refundStatus = 'pending'
    await ours.onPayment(orderId, id, 'refund', { amount: 5 })
    stripe.calm()
    const [session] = stripe.sessions(id)
    expect((await read(orderId, id)).refunds).toMatchObject([{ amount: 5, status: 'pending' }])
    for (const event of stripe.refundEvents(externalId))
      expect((await tell('stripe', await stripe.signed(stripe.written(event)))).status).toBe(200)
    const [refund] = (await read(orderId, id)).refunds
    session!.refunds[0]!.status = 'succeeded'
    await sql`update payment_refunds set asked_at = now() - interval '5 minutes' where id = ${refund.id}`
    await submitRefund(context, refund.id)
    expect(await read(orderId, id)).toMatchObject({ status: 'partially_refunded', refunded: 5, refunds: [{ amount: 5, status: 'done' }] })
    expect(session!.refunds.length).toBe(1)
  })
})

describe('stripe, of what it says later', () => {
  const entriesOf = (id: string) =>
    sql<{ kind: string; carrier: number; sales: number; fees: number }[]>`select kind, carrier::float8, sales::float8, fees::float8
      from ledger_entries where payment_id in (${id}, ${`${id}:fee`}) order by id`

  test('its fee, which its news do not tell, is asked for and stands in the ledger once', async () => {
    const { orderId, id, externalId } = await begun('stripe')
    stripe.move(externalId, 'paid')
    await tell('stripe', await stripe.signed(stripe.written(stripe.sessionEvent(externalId, 'paid'))))
    expect((await read(orderId, id)).fee).toBeNull()
    expect(await sql`select 1 from graphile_worker.jobs where key like ${`fee:${id}:%`}`).toHaveLength(2)
    for (let times = 0; times < 2; times += 1) await ok('POST', `/v1/orders/${orderId}/payments/${id}/sync`, { as: key })
    expect(await read(orderId, id)).toMatchObject({ status: 'paid', paid: 19.99, fee: 0.6 })
    expect([...(await entriesOf(id))]).toEqual([
      { kind: 'payment', carrier: 19.99, sales: -19.99, fees: 0 },
      { kind: 'payment', carrier: -0.6, sales: 0, fees: 0.6 },
    ])
  })

  test('a refund that failed after it was done waits for a person; said to have failed, it is undone, and can be given again', async () => {
    const { orderId, id, externalId } = await begun('stripe')
    stripe.move(externalId, 'paid')
    await comesBack(id, `session_id=${externalId}`)
    for (const times of [1, 2]) {
      const given = (await ours.onPayment(orderId, id, 'refund', {})).body.data
      expect(given).toMatchObject({ status: 'refunded', refunded: 19.99 })
      const refund = stripe.sessions(id)[0]!.refunds.at(-1)!
      refund.status = 'failed'
      await sql`update payment_refunds set updated_at = now() - interval '5 minutes' where payment_id = ${id}`
      const [, event] = stripe.refundEvents(externalId)
      await tell('stripe', await stripe.signed(stripe.written({ ...event, type: 'refund.failed' })))
      expect(await read(orderId, id)).toMatchObject({ status: 'refunded', concern: 'refund_failed' })
      expect((await readOrder(orderId)).paymentStatus).toBe('needs_attention')
      const ourRefund = given.refunds.at(-1).id
      const said = await ours.onPayment(orderId, id, `refunds/${ourRefund}`, { status: 'failed' }, 'PATCH')
      expect(said.body.data).toMatchObject({ status: 'paid', refunded: 0, concern: null })
      expect(said.body.data.refunds.map(({ status }: { status: string }) => status)).toEqual(Array(times).fill('failed'))
      expect(await readOrder(orderId)).toMatchObject({ paymentStatus: 'paid', paid: 19.99 })
      expect((await ours.onPayment(orderId, id, `refunds/${ourRefund}`, { status: 'failed' }, 'PATCH')).status).toBe(409)
    }
    const booked = (await entriesOf(id)).reduce((sum, { sales }) => sum + sales, 0)
    expect(booked).toBeCloseTo(-19.99, 5)
  })

  test('a refund that was only just done, or made elsewhere by hand, is not doubted', async () => {
    const { orderId, id, externalId } = await begun('stripe')
    stripe.move(externalId, 'paid')
    await comesBack(id, `session_id=${externalId}`)
    await ours.onPayment(orderId, id, 'refund', { amount: 5 })
    await ours.onPayment(orderId, id, 'refund', { amount: 2, byHand: true })
    const sync = async () => (await ok('POST', `/v1/orders/${orderId}/payments/${id}/sync`, { as: key })).data
    await sql`update payment_refunds set updated_at = now() - interval '5 minutes' where payment_id = ${id} and by_hand`
    stripe.sessions(id)[0]!.refunds[0]!.status = 'failed'
    expect((await sync()).concern).toBeNull()
    await sql`update payment_refunds set updated_at = now() - interval '5 minutes' where payment_id = ${id}`
    expect((await sync()).concern).toBe('refund_failed')
    const [refund] = (await read(orderId, id)).refunds
    const said = await ours.onPayment(orderId, id, `refunds/${refund.id}`, { status: 'failed' }, 'PATCH')
    expect(said.body.data).toMatchObject({ status: 'partially_refunded', refunded: 2, concern: null })
    expect((await sync()).concern).toBeNull()
  })

  test('a means of payment that takes days outlives its page', async () => {
    const { orderId, id, externalId } = await begun('stripe')
    stripe.move(externalId, 'processing')
    await tell('stripe', await stripe.signed(stripe.written(stripe.sessionEvent(externalId, 'processing'))))
    await sql`update payments set expires_at = now() - interval '1 minute' where id = ${id}`
    await pollPayment(context, id)
    expect((await read(orderId, id)).status).toBe('processing')
    stripe.move(externalId, 'paid')
    await tell(
      'stripe',
      await stripe.signed(stripe.written(stripe.sessionEvent(externalId, 'paid', 'checkout.session.async_payment_succeeded'))),
    )
    expect(await read(orderId, id)).toMatchObject({ status: 'paid', concern: null })
  })
})

describe('paypal', () => {
  test('what the payer approved is taken once, however many ask', async () => {
    const { orderId, id, externalId } = await begun('paypal')
    expect(paypal.orders(id)[0]?.unit.amount).toEqual({ currency_code: 'USD', value: '19.99' })
    paypal.move(externalId, 'authorized')
    const told = paypal.signed(paypal.written(paypal.told(externalId, 'CHECKOUT.ORDER.APPROVED')))
    expect((await tell('paypal', told)).body.data).toEqual({ received: 1, applied: 1 })
    // Nobody has to come back for it.
    const page = `token=${externalId}&PayerID=QYR5Z8XDVJNXQ`
    await Promise.all([comesBack(id, page), comesBack(id, page), ok('POST', `/v1/orders/${orderId}/payments/${id}/sync`, { as: key })])
    await until(async () => (await read(orderId, id)).status === 'paid')
    expect(paypal.orders(id)[0]?.captures.length).toBe(1)
    await tell('paypal', paypal.signed(paypal.written(paypal.told(externalId, 'PAYMENT.CAPTURE.COMPLETED'))))
    expect(await read(orderId, id)).toMatchObject({ status: 'paid', paid: 19.99, fee: 0.8, concern: null })
    expect(await ok('GET', `/v1/orders/${orderId}/payments`, { as: key })).toMatchObject({ data: { length: 1 } })
  })

  test('what was approved for an order that was cancelled meanwhile is not taken', async () => {
    const { orderId, id, externalId } = await begun('paypal')
    await ok('PATCH', `/v1/orders/${orderId}`, { as: key, body: { status: 'cancelled' } })
    paypal.move(externalId, 'authorized')
    await until(async () => (await read(orderId, id)).status === 'expired')
    await comesBack(id, `token=${externalId}`)
    await tell('paypal', paypal.signed(paypal.written(paypal.told(externalId, 'CHECKOUT.ORDER.APPROVED'))))
    await comesBack(id, `token=${externalId}`)
    expect(paypal.orders(id)[0]?.captures).toEqual([])
    expect((await read(orderId, id)).paid).toBeNull()
  })

  test('a payment that the payer approved without coming back is captured by the poller', async () => {
    const { orderId, id, externalId } = await begun('paypal')
    paypal.move(externalId, 'authorized')
    await sql`update payments set read_at = now() where id = ${id}`
    await enqueueDuePolls(context)
    await until(async () => (await read(orderId, id)).status === 'paid')
  })

  test('money that PayPal looks at first is waited for', async () => {
    const { orderId, id, externalId } = await begun('paypal')
    paypal.move(externalId, 'authorized')
    paypal.habits.captureStatus = 'PENDING'
    await comesBack(id, `token=${externalId}`)
    paypal.calm()
    expect((await read(orderId, id)).status).toBe('processing')
    paypal.orders(id)[0]!.captures[0]!.status = 'COMPLETED'
    await tell('paypal', paypal.signed(paypal.written(paypal.told(externalId, 'PAYMENT.CAPTURE.COMPLETED'))))
    expect((await read(orderId, id)).status).toBe('paid')
  })

  test('what was given back in its dashboard is written down here', async () => {
    const { orderId, id, externalId } = await begun('paypal')
    paypal.move(externalId, 'paid')
    await comesBack(id, `token=${externalId}`)
    const [order] = paypal.orders(id)
    order!.captures[0]!.refunds.push({
      id: 'R1',
      amount: { currency_code: 'USD', value: '4.50' },
      invoiceId: null,
      at: Date.now(),
      status: 'COMPLETED',
    })
    expect((await tell('paypal', paypal.signed(paypal.written(paypal.toldRefund(externalId))))).status).toBe(200)
    expect(await read(orderId, id)).toMatchObject({ status: 'partially_refunded', refunded: 4.5, refunds: [{ amount: 4.5, byHand: true }] })
  })
})

test('money that a bank took from the shop again at PayPal waits for a person', async () => {
  const { orderId, id, externalId } = await begun('paypal')
  paypal.move(externalId, 'paid')
  await comesBack(id, `token=${externalId}`)
  await tell('paypal', paypal.signed(paypal.written(paypal.told(externalId, 'PAYMENT.CAPTURE.REVERSED'))))
  expect(await read(orderId, id)).toMatchObject({ status: 'paid', refunded: 0, concern: 'taken_back' })
  expect((await readOrder(orderId)).paymentStatus).toBe('needs_attention')
  // It is written down as what it is, and then nothing is left to look at.
  const written = await ours.onPayment(orderId, id, 'refund', { byHand: true, reason: 'reversed' })
  expect(written.body.data).toMatchObject({ status: 'refunded', concern: null })
  await ok('POST', `/v1/orders/${orderId}/payments/${id}/sync`, { as: key })
  expect((await read(orderId, id)).concern).toBeNull()
})

test('payments: a chargeback that a person dismissed is not flagged again when its event comes twice', async () => {
  const { orderId, id, externalId } = await begun('paypal')
  paypal.move(externalId, 'paid')
  await comesBack(id, `token=${externalId}`)
  const event = paypal.written(paypal.told(externalId, 'PAYMENT.CAPTURE.REVERSED'))
  await tell('paypal', paypal.signed(event))
  expect((await ours.onPayment(orderId, id, 'accept')).body.data).toMatchObject({ status: 'paid', concern: null })
  await tell('paypal', paypal.signed(event))
  expect((await read(orderId, id)).concern).toBeNull()
})

test('payments: the totals of all payments add up', async () => {
  expect(await findPaymentDifferences(sql)).toEqual([])
})
