import { afterAll, describe, expect, test } from 'bun:test'
import { enqueueDuePolls, expirePayment } from '../../../core/money/payments/events/poll-payment.ts'
import { paymentShop } from '../../core/money/payment-shop.ts'
import { sellingPlatform } from '../../core/money/subscription-shop.ts'
import { startApp } from '../../support/app.ts'
import { findPaymentDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'
import { startGuiddini } from './guiddini/simulator.ts'
import { POOR_CARD, startSatim } from './satim/simulator.ts'
import { startSlickpay } from './slickpay/simulator.ts'

const [satim, slickpay, guiddini] = [startSatim(), startSlickpay(), startGuiddini()]
const simulators = { 'test2.satim.dz': satim.url, 'devapi.slick-pay.com': slickpay.url, 'epay.guiddini.dz': guiddini.url }
afterAll(() => Promise.all([satim.stop(), slickpay.stop(), guiddini.stop()]))
const app = await startApp({ simulators }, { socket: true })
const { call, ok, context } = app
const { sql } = context
const { admin, subscriber } = await sellingPlatform(app)
const ours = await paymentShop(app)
const { key, owner, storeId, order, read, readOrder } = ours
const addressOf = (gateway: string) => `/v1/stores/${storeId}/integrations/${gateway}`

const credentials = {
  satim: { ...satim.credentials },
  slickpay: { ...slickpay.credentials, webhookSecret: 'secret-of-callbacks-0123456789' },
  guiddini: { ...guiddini.credentials },
}
for (const [gateway, given] of Object.entries(credentials))
  await ok('PUT', addressOf(gateway), { as: owner.token, body: { enabled: true, credentials: given, settings: {} } })

interface Begun {
  readonly orderId: string
  readonly payment: { readonly id: string; readonly externalId: string; readonly expiresAt: string | null }
}
async function begun(gateway: keyof typeof credentials): Promise<Begun> {
  const { id } = await order()
  const { status, body } = await ours.initiate(id, { as: key, gateway })
  expect(status).toBe(201)
  return { orderId: id, payment: await read(id, body.data.id) }
}
const becomes = ({ orderId, payment }: Begun, status: string) => until(async () => (await read(orderId, payment.id)).status === status)
/** All that are under way are due now. */
const poll = async () => {
  await sql`update payments set read_at = now() where read_at is not null`
  await enqueueDuePolls(context)
}
const longAgo = ({ payment }: Begun) => sql`update payments set updated_at = now() - interval '10 seconds' where id = ${payment.id}`

describe('SATIM', () => {
  test('is confirmed by the poller where the payer never comes back', async () => {
    const one = await begun('satim')
    satim.pay(one.payment.externalId)
    await poll()
    await becomes(one, 'paid')
    expect(satim.of(one.payment.externalId)).toMatchObject({ state: 'deposited', deposited: 250_000 })
    expect(await read(one.orderId, one.payment.id)).toMatchObject({ paid: 2500, concern: null, method: 'card 628058****7215' })
    expect((await readOrder(one.orderId)).paymentStatus).toBe('paid')
  })

  test('is asked every other minute as long as its page lives', async () => {
    const one = await begun('satim')
    await sql`update payments set reads = 20 where id = ${one.payment.id}`
    await poll()
    await until(async () => {
      const [row] = await sql`select read_at from payments where id = ${one.payment.id}`
      const inMs = Date.parse(row!.readAt) - Date.now()
      return inMs > 60_000 && inMs <= 120_000
    })
    expect(Date.parse(one.payment.expiresAt!) - Date.now()).toBeLessThanOrEqual(900_000)
  })

  test('is confirmed when the payer comes back, whatever the address says', async () => {
    const one = await begun('satim')
    const back = `/v1/payments/${one.payment.id}/return?orderId=${one.payment.externalId}`
    await longAgo(one)
    expect((await call('GET', back)).body).not.toContain('تم الدفع')
    satim.pay(one.payment.externalId)
    await longAgo(one)
    expect((await call('GET', back)).body).toContain('تم الدفع')
    expect(satim.of(one.payment.externalId).state).toBe('deposited')
  })

  test('that lost its answer is asked anew under another number, and one page is given', async () => {
    const { id } = await order()
    const before = satim.orders().length
    satim.faults.loseAnswer = 1
    expect((await ours.initiate(id, { as: key, gateway: 'satim' })).status).toBeGreaterThanOrEqual(500)
    satim.calm()
    const { body } = await ours.initiate(id, { as: key, gateway: 'satim' })
    const [lost, given] = satim.orders().slice(before)
    expect(lost!.asked.orderNumber).not.toBe(given!.asked.orderNumber!)
    expect(lost!.params.udf2).toBe(given!.params.udf2 as string)
    expect((await read(id, body.data.id)).externalId).toBe(given!.orderId)
  })

  test('says no in the words of the bank, and may be paid all the same', async () => {
    const one = await begun('satim')
    satim.pay(one.payment.externalId, POOR_CARD)
    const { data } = await ok('POST', `/v1/orders/${one.orderId}/payments/${one.payment.id}/sync`, { as: key })
    expect(data).toMatchObject({ status: 'failed', message: 'Solde insuffisant' })

    // On the same page the payer took another card, and comes back: nobody else would confirm that.
    satim.pay(one.payment.externalId)
    await longAgo(one)
    await call('GET', `/v1/payments/${one.payment.id}/return?orderId=${one.payment.externalId}`)
    expect(await read(one.orderId, one.payment.id)).toMatchObject({ status: 'paid', concern: null })
  })

  test('gives back a part, once', async () => {
    const one = await begun('satim')
    satim.pay(one.payment.externalId)
    await poll()
    await becomes(one, 'paid')
    const { body } = await ours.onPayment(one.orderId, one.payment.id, 'refund', { amount: 500 })
    expect(body.data).toMatchObject({ status: 'partially_refunded', refunded: 500, refunds: [{ status: 'done', byHand: false }] })
    expect(satim.of(one.payment.externalId).refunds).toEqual([50_000])
    const { data } = await ok('POST', `/v1/orders/${one.orderId}/payments/${one.payment.id}/sync`, { as: key })
    expect(data).toMatchObject({ status: 'partially_refunded', refunded: 500 })
  })
})

describe('SlickPay', () => {
  test('tells where to look, and is believed in nothing', async () => {
    const one = await begun('slickpay')
    const { externalId } = one.payment
    const forged = { ...slickpay.told(externalId), completed: 1, data: { id: Number(externalId), completed: 1, amount: 2500 } }
    const path = `${addressOf('slickpay')}/webhook`
    expect((await call('POST', path, { body: forged })).status).toBe(401)
    expect((await call('POST', `${path}?token=${credentials.slickpay.webhookSecret}`, { body: forged })).status).toBe(200)
    await until(async () => slickpay.requests.some(({ path }) => path.endsWith(`/invoices/${externalId}`)))
    expect((await read(one.orderId, one.payment.id)).status).toBe('open')
    slickpay.pay(externalId)
    expect(await slickpay.tell(externalId)).toBe(200)
    await becomes(one, 'paid')
    expect(await read(one.orderId, one.payment.id)).toMatchObject({ paid: 2500, concern: null, method: 'satim' })
  })
})

describe('Guiddini', () => {
  test('is read when its payer comes back to the one address that it knows', async () => {
    const one = await begun('guiddini')
    const back = `/v1/actions/guiddiniWebhook?order_number=${one.payment.externalId}`
    guiddini.move(one.payment.externalId)
    await longAgo(one)
    expect((await call('GET', back)).body).toEqual({ data: { received: true } })
    await becomes(one, 'paid')
  })

  test('is polled, and closed here alone when nobody paid for a day', async () => {
    const [paid, given] = [await begun('guiddini'), await begun('guiddini')]
    guiddini.move(paid.payment.externalId)
    await sql`update payments set created_at = now() - interval '2 days' where id = ${given.payment.id}`
    await poll()
    await becomes(paid, 'paid')
    await becomes(given, 'expired')
  })
})

test('subscriptions: an unsigned event of a gateway only says what to poll, and starts no plan by itself', async () => {
  const body = { enabled: true, credentials: credentials.slickpay, settings: {} }
  await ok('PUT', '/v1/platform/integrations/slickpay', { as: admin.token, body })
  const store = await subscriber()
  const { payment } = (await store.checkout('basic', { gateway: 'slickpay' })).body.data
  const [row] = await sql<{ externalId: string; amount: number }[]>`
    select external_id, amount::float8 from payments where id = ${payment.id}`
  const { externalId, amount } = row!
  const forged = { ...slickpay.told(externalId), completed: 1, data: { id: Number(externalId), completed: 1, amount } }
  const path = `/v1/platform/integrations/slickpay/webhook?token=${credentials.slickpay.webhookSecret}`
  expect((await call('POST', path, { body: forged })).status).toBe(200)
  await until(() => slickpay.requests.some(({ path }) => path.endsWith(`/invoices/${externalId}`)))
  expect((await store.read()).plan).toBe('free')
  slickpay.pay(externalId)
  expect(await slickpay.tell(externalId)).toBe(200)
  await until(async () => (await store.read()).plan === 'basic')
})

test("subscriptions: an expired payment counts as paid when the payer or the gateway's event comes late", async () => {
  const body = { enabled: true, credentials: credentials.guiddini, settings: {} }
  await ok('PUT', '/v1/platform/integrations/guiddini', { as: admin.token, body })
  const addressesOf = [
    (_: string, externalId: string) => `/v1/actions/guiddiniWebhook?order_number=${externalId}`,
    (id: string) => `/v1/subscription-payments/${id}/return`,
  ]
  for (const addressOf of addressesOf) {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic', { gateway: 'guiddini' })).body.data
    await expirePayment(context, payment.id)
    const [row] = await sql<{ externalId: string; status: string }[]>`
      update payments set updated_at = now() - interval '10 seconds' where id = ${payment.id} returning external_id, status`
    expect(row?.status).toBe('expired')
    guiddini.move(row!.externalId)
    await call('GET', addressOf(payment.id, row!.externalId))
    await until(async () => (await store.read()).plan === 'basic')
  }
})

test('each that is due is asked for in the same minute, also where they are many', async () => {
  const { orderId, payment } = await begun('guiddini')
  await sql`insert into payments (id, project_id, payable_kind, payable_id, connection_id, gateway, status, amount, currency, decimals, language, read_at)
    select id || '-' || n, project_id, payable_kind, payable_id, connection_id, gateway, status, amount, currency, decimals, language, now()
    from payments, generate_series(1, 450) n where id = ${payment.id}`
  await enqueueDuePolls(context)
  const left = await sql`select 1 from payments where order_id = ${orderId} and read_at <= now()`
  await sql`delete from payments where order_id = ${orderId} and id <> ${payment.id}`
  expect(left.length).toBe(0)
})

test('an amount with centimes is refused in words before anybody is asked, and no payment is begun of it', async () => {
  const fine = await paymentShop(app, {}, 100.5)
  for (const [gateway, given] of Object.entries(credentials)) {
    const path = `/v1/stores/${fine.storeId}/integrations/${gateway}`
    await ok('PUT', path, { as: fine.owner.token, body: { enabled: true, credentials: given, settings: {} } })
    const { id } = await fine.order()
    const { status, body } = await fine.initiate(id, { as: fine.key, gateway })
    expect([gateway, status, body.error?.message]).toEqual([gateway, 422, expect.stringContaining('multiples of 1 DZD')])
    expect((await ok('GET', `/v1/orders/${id}/payments`, { as: fine.key })).data).toEqual([])
  }
})

test('payments: the totals equal the sum of the payments', async () => {
  expect(await findPaymentDifferences(sql)).toEqual([])
})
