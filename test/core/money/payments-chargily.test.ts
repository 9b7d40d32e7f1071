import { afterAll, describe, expect, test } from 'bun:test'
import { enqueueDuePolls } from '../../../core/money/payments/events/poll-payment.ts'
import { type Chargily, startChargily } from '../../adapters/payment/chargily/simulator.ts'
import { startApp } from '../../support/app.ts'
import { findPaymentDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'
import { paymentShop } from './payment-shop.ts'

const simulator: Chargily = startChargily()
const early = startChargily({ movesBeforeAnswer: 'paid' })
afterAll(async () => {
  await simulator.stop()
  await early.stop()
})
const app = await startApp({ simulators: { 'pay.chargily.net': simulator.url } }, { socket: true })
const { call, ok, context } = app
const { sql } = context
const ours = await paymentShop(app)
const { key, owner, storeId, order, read, readOrder } = ours
const integration = `/v1/stores/${storeId}/integrations/chargily`
const connected = await ok('PUT', integration, {
  as: owner.token,
  body: { enabled: true, credentials: { ...simulator.credentials }, settings: {} },
})

const initiate = (orderId: string, body: object = {}) => ours.initiate(orderId, { as: key, gateway: 'chargily', body })
const begun = async (quantity = 1) => {
  const { id, totals } = await order(quantity)
  const { status, body } = await initiate(id)
  expect(status).toBe(201)
  const payment = (await read(id, body.data.id)) as { id: string; externalId: string; checkoutUrl: string }
  return { orderId: id, total: totals.total, payment }
}
/** All that are under way are due now. */
const poll = async () => {
  await sql`update payments set read_at = now() where read_at is not null`
  await enqueueDuePolls(context)
}

test('connected with its key, which is never shown', () => {
  expect(connected.data).toMatchObject({ key: 'chargily', kind: 'payment', status: 'connected' })
  expect(JSON.stringify(connected)).not.toContain(simulator.credentials.secretKey)
})

test('what the gateway was asked for: whole dinars from the order, our addresses, our name of it', async () => {
  const { orderId, payment } = await begun(2)
  const [checkout] = simulator.checkouts(payment.id)
  const { reference } = await readOrder(orderId)
  expect(checkout!.asked).toMatchObject({
    amount: 5000,
    currency: 'dzd',
    locale: 'ar',
    webhook_endpoint: `${app.origin}${integration}/webhook`,
    success_url: `${app.origin}/v1/payments/${payment.id}/return`,
    failure_url: `${app.origin}/v1/payments/${payment.id}/return?given_up=1`,
    metadata: { paymentId: payment.id, reference },
  })
  expect(payment.externalId).toBe(checkout!.id)
})

test('signed news are taken over their exact bytes, once; others are not', async () => {
  const { orderId, total, payment } = await begun()
  simulator.move(payment.externalId, 'paid')
  const { headers, body } = simulator.told(payment.externalId)
  const send = (bytes: Uint8Array, with_: Record<string, string>) => call('POST', `${integration}/webhook`, { raw: bytes, headers: with_ })
  const forged = Uint8Array.from(body)
  forged[body.length - 3]! ^= 1
  expect((await send(forged, headers)).status).toBe(401)
  expect((await send(body, { signature: '0'.repeat(64) })).status).toBe(401)
  expect((await send(body, {})).status).toBe(401)
  expect((await read(orderId, payment.id)).status).toBe('open')
  expect((await send(body, headers)).body.data).toEqual({ received: 1, applied: 1 })
  expect((await send(body, headers)).body.data).toEqual({ received: 1, applied: 0 })
  expect(await read(orderId, payment.id)).toMatchObject({ status: 'paid', paid: total, concern: null })
  expect((await readOrder(orderId)).paymentStatus).toBe('paid')
})

test('news that come late change nothing', async () => {
  const { orderId, payment } = await begun()
  simulator.move(payment.externalId, 'failed')
  const late = simulator.told(payment.externalId)
  simulator.move(payment.externalId, 'paid')
  expect(await simulator.tell(payment.externalId)).toEqual([200])
  const answer = await call('POST', `${integration}/webhook`, { raw: late.body, headers: { ...late.headers } })
  expect(answer.body.data.applied).toBe(0)
  expect((await read(orderId, payment.id)).status).toBe('paid')
})

test('a gateway that tells before it answers', async () => {
  const fast = await startApp({ simulators: { 'pay.chargily.net': early.url } }, { socket: true })
  const shop = await paymentShop(fast)
  await fast.ok('PUT', `/v1/stores/${shop.storeId}/integrations/chargily`, {
    as: shop.owner.token,
    body: { enabled: true, credentials: { ...early.credentials }, settings: {} },
  })
  const { id } = await shop.order()
  const { body } = await shop.initiate(id, { as: shop.key, gateway: 'chargily' })
  expect(await shop.read(id, body.data.id)).toMatchObject({ status: 'paid', concern: null })
  expect((await shop.readOrder(id)).paymentStatus).toBe('paid')
})

describe('lost gateway events', () => {
  test('the return of the payer asks the gateway', async () => {
    const { orderId, payment } = await begun()
    simulator.move(payment.externalId, 'paid')
    await sql`update payments set updated_at = now() - interval '10 seconds' where id = ${payment.id}`
    const page = await call('GET', `/v1/payments/${payment.id}/return?checkout_id=${payment.externalId}`)
    expect(page.body).toContain('تم الدفع')
    expect((await read(orderId, payment.id)).status).toBe('paid')
  })

  test('the poller asks', async () => {
    const { orderId, payment } = await begun()
    simulator.move(payment.externalId, 'paid')
    await poll()
    await until(async () => (await read(orderId, payment.id)).status === 'paid')
    const [row] = await sql`select read_at from payments where id = ${payment.id}`
    expect(row!.readAt).toBeNull()
  })

  test('a person asks', async () => {
    const { orderId, payment } = await begun()
    simulator.move(payment.externalId, 'canceled')
    const { data } = await ok('POST', `/v1/orders/${orderId}/payments/${payment.id}/sync`, { as: key })
    expect(data.status).toBe('cancelled')
  })

  test('the address that bears its name: what is named is asked for, and nothing is believed', async () => {
    const { orderId, payment } = await begun()
    const path = '/v1/actions/chargilyWebhook'
    expect((await call('GET', `${path}?checkout_id=${payment.externalId}`)).body).toEqual({ data: { received: true } })
    await Bun.sleep(300)
    expect((await read(orderId, payment.id)).status).toBe('open')
    // Who calls again at once has it asked for with the next that are due, and no sooner.
    const before = simulator.requests.length
    for (let times = 0; times < 20; times += 1) await call('GET', `${path}?checkout_id=${payment.externalId}`)
    await Bun.sleep(300)
    expect(simulator.requests.length - before).toBeLessThanOrEqual(1)
    simulator.move(payment.externalId, 'paid')
    await sql`update payments set updated_at = now() - interval '10 seconds' where id = ${payment.id}`
    expect((await call('GET', `${path}?checkout_id=${payment.externalId}`)).status).toBe(200)
    await until(async () => (await read(orderId, payment.id)).status === 'paid')
    expect((await call('GET', `${path}?checkout_id=nobody`)).body).toEqual({ data: { received: true } })
    expect((await call('GET', path)).status).toBe(400)

    const other = await begun()
    simulator.move(other.payment.externalId, 'failed')
    const { body, headers } = simulator.told(other.payment.externalId)
    expect((await call('POST', `${path}?storeId=${storeId}`, { raw: body, headers: { ...headers, signature: 'no' } })).status).toBe(401)
    expect((await call('POST', `${path}?storeId=${storeId}`, { raw: body, headers: { ...headers } })).status).toBe(200)
    expect((await read(other.orderId, other.payment.id)).status).toBe('failed')
  })
})

test('chargily: an expired payment is closed at the gateway, so that it cannot be paid', async () => {
  const { orderId, payment } = await begun()
  await sql`update payments set created_at = now() - interval '2 days' where id = ${payment.id}`
  await poll()
  await until(async () => (await read(orderId, payment.id)).status === 'expired')
  expect(simulator.checkouts(payment.id)[0]!.status).toBe('expired')
  const anew = await initiate(orderId)
  expect(anew.body.data.id).not.toBe(payment.id)
})

test('a refund is made in its dashboard, and written down here', async () => {
  const { orderId, total, payment } = await begun()
  simulator.move(payment.externalId, 'paid')
  await simulator.tell(payment.externalId)
  const refund = (body: object) => ours.onPayment(orderId, payment.id, 'refund', body)
  const refused = await refund({})
  expect([refused.status, refused.body.error.code]).toEqual([422, 'refund_unsupported'])
  expect(refused.body.error.message).toContain('dashboard')
  expect((await refund({ byHand: true, reason: 'came back' })).body.data).toMatchObject({
    status: 'refunded',
    refunded: total,
    refunds: [{ byHand: true, status: 'done' }],
  })
})

test('an amount that is no whole dinar is refused before anybody is asked', async () => {
  const fine = await paymentShop(app, {}, 10.5)
  await ok('PUT', `/v1/stores/${fine.storeId}/integrations/chargily`, {
    as: fine.owner.token,
    body: { enabled: true, credentials: { ...simulator.credentials }, settings: {} },
  })
  const { id } = await fine.order()
  const before = simulator.requests.length
  const { status, body } = await fine.initiate(id, { as: fine.key, gateway: 'chargily' })
  expect([status, body.error.code]).toEqual([422, 'amount_not_payable'])
  expect(simulator.requests.length).toBe(before)
})

test('chargily: an unreachable gateway is reported, and the same payment is retried', async () => {
  const { id } = await order()
  simulator.faults.error500 = 1
  const away = await initiate(id)
  expect([away.status, away.body.error.code]).toEqual([502, 'upstream_error'])
  simulator.calm()
  const { body } = await initiate(id)
  expect(await read(id, body.data.id)).toMatchObject({ status: 'open', message: null })
  expect(await sql`select 1 from payments where order_id = ${id}`).toHaveLength(1)
})

test('chargily: a payment that the gateway refuses ends, and a new one can be started', async () => {
  const cheap = await paymentShop(app, {}, 20)
  await ok('PUT', `/v1/stores/${cheap.storeId}/integrations/chargily`, {
    as: cheap.owner.token,
    body: { enabled: true, credentials: { ...simulator.credentials }, settings: {} },
  })
  const { id } = await cheap.order()
  const { status, body } = await cheap.initiate(id, { as: cheap.key, gateway: 'chargily' })
  expect([status, body.error.code]).toEqual([422, 'adapter_refused'])
  expect((await cheap.readOrder(id)).paymentStatus).toBe('unpaid')
  const { data } = await ok('GET', `/v1/orders/${id}/payments`, { as: cheap.key })
  expect(data).toMatchObject([{ status: 'failed', message: expect.any(String) }])
})

test('a connection stays as long as payments are under way', async () => {
  await begun()
  const answer = await call('DELETE', integration, { as: owner.token })
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
})

test('payments: the totals of all payments add up', async () => {
  expect(await findPaymentDifferences(sql)).toEqual([])
})
