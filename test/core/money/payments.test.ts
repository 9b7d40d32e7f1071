import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { endKeys } from '../../../core/identity/tenants/projects.ts'
import { lockConnection, markConnectionDeleted } from '../../../core/integrations/connections/connections.queries.ts'
import { applyGatewayEvent } from '../../../core/money/payments/events/apply-gateway-event.ts'
import { markStoreDeleted } from '../../../core/shop/stores/stores.queries.ts'
import { lockExistingStore } from '../../../core/shop/stores/stores.ts'
import { startApp } from '../../support/app.ts'
import { findCashDifferences } from '../../support/cash.ts'
import { findDifferences, findPaymentDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'
import { untilWaiting } from '../../support/waiting.ts'
import { paymentShop } from './payment-shop.ts'

const app = await startApp({}, { socket: true })
const { call, ok, person, shop, context } = app
const { sql } = context
const ours = await paymentShop(app, { feePercent: 2 })
const { key, owner, storeId, order, initiate, onPage, paid, read, readOrder, send, onPayment } = ours

const entriesOf = (paymentId: string) =>
  sql<{ kind: string; carrier: number; sales: number; fees: number }[]>`
    select kind, carrier::float8, sales::float8, fees::float8 from ledger_entries where payment_id = ${paymentId} order by id`

test('a store that is deleted at this moment begins no payment: it would not have been while one was under way', async () => {
  const leaving = await paymentShop(app)
  const { id } = await leaving.order()
  const { asked } = await transaction(sql, async (tx) => {
    await lockExistingStore(tx, leaving.storeId)
    const asked = leaving.initiate(id, { as: leaving.key })
    await Promise.race([asked, untilWaiting(sql, 1)])
    await markStoreDeleted(tx, leaving.storeId)
    await endKeys(tx, leaving.projectId)
    return { asked }
  })
  expect((await asked).body.error?.code).toBe('conflict')
  const [begun] = await sql<[{ count: number }]>`select count(*)::int as count from payments where project_id = ${leaving.projectId}`
  expect(begun.count).toBe(0)
})

test('a gateway whose connection goes at this moment begins no payment: nobody would hear of its money', async () => {
  const leaving = await paymentShop(app)
  const { id } = await leaving.order()
  const at = `/v1/stores/${leaving.storeId}/integrations/sandbox-payment`
  const [connection] = await sql<
    [{ projectId: string; id: string }]
  >`select project_id, id from integrations where project_id = ${projectIdOf(leaving.storeId)} and key = 'sandbox-payment'`
  const { asked } = await transaction(sql, async (tx) => {
    await lockConnection(tx, connection)
    const asked = leaving.initiate(id, { as: leaving.key })
    await Promise.race([asked, untilWaiting(sql, 1)])
    await markConnectionDeleted(tx, connection)
    return { asked }
  })
  expect((await asked).body.error?.code).toBe('adapter_not_enabled')
  expect(await sql`select 1 from payments where project_id = ${leaving.projectId}`).toHaveLength(0)

  await ok('PUT', at, { as: leaving.owner.token, body: { enabled: true, credentials: {}, settings: {} } })
  const [begun, gone] = await Promise.all([leaving.initiate(id, { as: leaving.key }), call('DELETE', at, { as: leaving.owner.token })])
  expect(['201 409', '422 204', '422 200']).toContain(`${begun.status} ${gone.status}`)
})

describe('the whole life of a payment', () => {
  test('begun, paid on the page, counted, in the ledger, and the carrier collects the rest', async () => {
    const { id, totals } = await order(2)
    expect(await readOrder(id)).toMatchObject({ paymentStatus: 'unpaid', paid: 0 })
    const begun = await initiate(id, { as: key, body: { language: 'fr' } })
    expect([begun.status, begun.body.data]).toMatchObject([
      201,
      {
        orderId: id,
        gateway: 'sandbox-payment',
        status: 'open',
        amount: totals.total,
        currency: 'DZD',
      },
    ])
    const payment = begun.body.data
    expect((await readOrder(id)).paymentStatus).toBe('pending')
    const again = await initiate(id, { as: key })
    expect(again.body.data).toMatchObject({ id: payment.id, checkoutUrl: payment.checkoutUrl })

    expect((await onPage(payment.checkoutUrl, 'pay')).status).toBe(200)
    const fee = (totals.total * 2) / 100
    expect(await read(id, payment.id)).toMatchObject({
      status: 'paid',
      paid: totals.total,
      fee,
      refunded: 0,
      method: 'sandbox',
      concern: null,
      checkoutUrl: null,
      paidAt: expect.any(String),
    })
    expect(await readOrder(id)).toMatchObject({ paymentStatus: 'paid', paid: totals.total })
    expect([...(await entriesOf(payment.id))]).toEqual([{ kind: 'payment', carrier: totals.total - fee, sales: -totals.total, fees: fee }])

    expect((await initiate(id, { as: key })).body.error.code).toBe('already_paid')
    const sent = await send(id)
    expect(sent.status).toBe(200)
    const [parcel] = await sql`select cod_amount::float8 as cod from parcels where order_id = ${id}`
    expect(parcel!.cod).toBe(0)
  })

  test('what is paid in part leaves the rest to the carrier, also for a parcel that waits already', async () => {
    const { id, totals } = await order(4)
    const first = await paid(id)
    expect(first.status).toBe('paid')
    const more = await call('PATCH', `/v1/orders/${id}`, { as: key, body: { items: [{ productId: ours.product.id, quantity: 5 }] } })
    expect(more.body.data).toMatchObject({ paymentStatus: 'partially_paid', paid: totals.total, totals: { total: totals.total + 2500 } })
    const second = await initiate(id, { as: key })
    expect(second.body.data).toMatchObject({ amount: 2500, status: 'open' })
    await send(id)
    const [parcel] = await sql`select cod_amount::float8 as cod from parcels where order_id = ${id}`
    expect(parcel!.cod).toBe(2500)
  })

  test('declined and given up are over, and it can be begun anew', async () => {
    const { id } = await order()
    for (const [choice, status] of [
      ['decline', 'failed'],
      ['cancel', 'cancelled'],
    ] as const) {
      const { data } = (await initiate(id, { as: key })).body
      await onPage(data.checkoutUrl, choice)
      expect((await read(id, data.id)).status).toBe(status)
      expect((await readOrder(id)).paymentStatus).toBe('unpaid')
    }
    expect((await paid(id)).status).toBe('paid')
    const { data, nextCursor } = await ok('GET', `/v1/orders/${id}/payments?limit=2`, { as: key })
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['paid', 'cancelled'])
    expect((await ok('GET', `/v1/orders/${id}/payments?limit=2&cursor=${nextCursor}`, { as: key })).data).toHaveLength(1)
  })

  test('refunds: in part, the rest, no more than there is, once for each key; by hand where that was done elsewhere', async () => {
    const { id, totals } = await order(2)
    const payment = await paid(id)
    const refund = (body: object, idempotencyKey: string) =>
      call('POST', `/v1/orders/${id}/payments/${payment.id}/refund`, {
        as: owner.token,
        body,
        headers: { 'idempotency-key': idempotencyKey },
      })
    const part = await refund({ amount: 1000, reason: 'a scratch' }, 'a')
    expect([part.status, part.body.data]).toMatchObject([
      201,
      { status: 'partially_refunded', refunded: 1000, refunds: [{ amount: 1000, status: 'done', reason: 'a scratch', byHand: false }] },
    ])
    expect((await refund({ amount: 1000, reason: 'a scratch' }, 'a')).body.data.refunded).toBe(1000)
    expect(await readOrder(id)).toMatchObject({ paymentStatus: 'partially_paid', paid: totals.total - 1000 })
    const tooMuch = await refund({ amount: totals.total }, 'b')
    expect([tooMuch.status, tooMuch.body.error.code]).toEqual([422, 'amount_not_payable'])
    const byHand = await refund({ amount: 500, byHand: true }, 'c')
    expect(byHand.body.data).toMatchObject({ refunded: 1500, status: 'partially_refunded' })
    const rest = await refund({}, 'd')
    // The gateway knows nothing of what was given back elsewhere.
    expect(rest.body.data).toMatchObject({ refunded: totals.total, status: 'refunded' })
    expect(await readOrder(id)).toMatchObject({ paymentStatus: 'refunded', paid: 0 })
    expect((await refund({}, 'e')).body.error.code).toBe('invalid_transition')
    const [{ balance } = { balance: 1 }] = await sql<
      { balance: number }[]
    >`select sum(sales)::float8 as balance from ledger_entries where payment_id = ${payment.id}`
    expect(balance).toBe(0)
  })
})

describe('concerns', () => {
  const concernOf = async (orderId: string, paymentId: string) => {
    const payment = await read(orderId, paymentId)
    const { paymentStatus, paid: counted } = await readOrder(orderId)
    return [payment.status, payment.concern, paymentStatus, counted]
  }

  test('paid too little: it counts once a person says so; until then the order is not sent', async () => {
    const { id } = await order(2)
    const payment = await paid(id, 100_000)
    expect(await concernOf(id, payment.id)).toEqual(['paid', 'paid_less', 'needs_attention', 0])
    expect((await send(id)).body.error.code).toBe('payment_needs_attention')
    expect((await initiate(id, { as: key })).body.error.code).toBe('payment_needs_attention')
    expect((await onPayment(id, payment.id, 'accept')).body.data.concern).toBeNull()
    expect(await concernOf(id, payment.id)).toEqual(['paid', null, 'partially_paid', 1000])
    expect((await onPayment(id, payment.id, 'accept')).body.error.code).toBe('invalid_transition')
    expect((await send(id)).status).toBe(200)
    const [parcel] = await sql`select cod_amount::float8 as cod from parcels where order_id = ${id}`
    expect(parcel!.cod).toBe(4000)
  })

  test('those that wait are listed', async () => {
    const waiting = async () =>
      (await ok('GET', `/v1/stores/${storeId}/payments?waiting=true`, { as: key })).data.map(({ id }: { id: string }) => id)
    const { id } = await order(2)
    const payment = await paid(id, 100)
    expect(await waiting()).toContain(payment.id)
    await onPayment(id, payment.id, 'accept')
    expect(await waiting()).not.toContain(payment.id)
    const { data } = await ok('GET', `/v1/stores/${storeId}/payments?status=paid&limit=1`, { as: key })
    expect(data).toMatchObject([{ id: payment.id, status: 'paid' }])
    expect((await call('GET', `/v1/stores/${storeId}/payments`, { as: (await shop()).key })).status).toBe(404)
  })

  test('an order is not begun to be paid for ever', async () => {
    const { id } = await order()
    for (let count = 0; count < 50; count += 1) {
      const { data } = (await initiate(id, { as: key })).body
      await sql`update payments set status = 'failed', read_at = null where id = ${data.id}`
    }
    expect((await initiate(id, { as: key })).body.error.code).toBe('too_many_payments')
    await sql`update orders set payment_status = 'unpaid' where id = ${id}`
  })

  test('name a payment of too much', async () => {
    const { id, totals } = await order()
    const payment = await paid(id, totals.total * 100 + 5000)
    expect(await concernOf(id, payment.id)).toEqual(['paid', 'paid_more', 'needs_attention', 0])
    const back = await onPayment(id, payment.id, 'refund', {})
    expect(back.body.data).toMatchObject({ status: 'refunded', concern: null })
    expect((await readOrder(id)).paymentStatus).toBe('refunded')
  })

  test('what a person accepted is no question again when its order moves on, unless more of it is odd', async () => {
    const { id, totals } = await order(2)
    const payment = await paid(id, totals.total * 100 + 5000)
    await onPayment(id, payment.id, 'accept')
    const change = (body: object) => ok('PATCH', `/v1/orders/${id}`, { as: key, body })
    await change({ status: 'confirmed' })
    expect(await concernOf(id, payment.id)).toEqual(['paid', null, 'paid', totals.total + 50])
    await change({ items: [{ productId: ours.product.id, quantity: 1 }] })
    expect((await read(id, payment.id)).concern).toBe('paid_more')
    await onPayment(id, payment.id, 'accept')
    await change({ status: 'cancelled' })
    expect((await read(id, payment.id)).concern).toBe('order_ended')
    await onPayment(id, payment.id, 'accept')
    await change({ status: 'pending' })
    expect((await read(id, payment.id)).concern).toBe('paid_more')
    await change({ status: 'cancelled' })
    expect((await read(id, payment.id)).concern).toBe('order_ended')
    expect((await onPayment(id, payment.id, 'refund', {})).body.data).toMatchObject({ status: 'refunded', concern: null })
  })

  test('name a payment that was paid twice, in two pages', async () => {
    const { id } = await order()
    const first = (await initiate(id, { as: key })).body.data
    await sql`update payments set expires_at = now() + interval '30 seconds' where id = ${first.id}`
    const second = (await initiate(id, { as: key })).body.data
    expect(second.id).not.toBe(first.id)
    await onPage(second.checkoutUrl, 'pay')
    await onPage(first.checkoutUrl, 'pay')
    // The first page may have been closed in time, which is said by a job.
    await until(async () => (await read(id, first.id)).status !== 'open')
    const states = [await read(id, first.id), await read(id, second.id)].map(({ status, concern }) => [status, concern])
    expect(states[1]).toEqual(['paid', null])
    expect([
      ['paid', 'paid_twice'],
      ['expired', null],
    ]).toContainEqual(states[0]!)
  })

  test('paid twice under one name, however many tell of the second at once', async () => {
    const { id, totals } = await order()
    const payment = await paid(id)
    const named = { payableKind: 'order' as const, payableId: id, projectId: ours.projectId, storeId, id: payment.id }
    const told = { status: 'paid' as const, externalId: `second_${payment.id}`, amount: totals.total * 100, currency: 'DZD' }
    const tell = () => transaction(sql, (tx) => applyGatewayEvent(context, tx, named, told))
    expect((await Promise.all([tell(), tell(), tell()])).toSorted()).toEqual(['applied', 'same', 'same'])
    const { data } = await ok('GET', `/v1/orders/${id}/payments`, { as: key })
    expect(data.map(({ status, concern }: { status: string; concern: string | null }) => [status, concern])).toEqual([
      ['paid', 'paid_twice'],
      ['paid', null],
    ])
  })

  test('paid too late: when its time was over, when the carrier collects it already, when the order is cancelled', async () => {
    const over = await order()
    const payment = (await initiate(over.id, { as: key })).body.data
    await sql`update payments set status = 'expired', read_at = null where id = ${payment.id}`
    await onPage(payment.checkoutUrl, 'pay')
    expect(await concernOf(over.id, payment.id)).toEqual(['paid', 'paid_late', 'needs_attention', 0])

    const gone = await order()
    const late = (await initiate(gone.id, { as: key })).body.data
    expect((await send(gone.id)).status).toBe(200)
    await onPage(late.checkoutUrl, 'pay')
    expect(await concernOf(gone.id, late.id)).toEqual(['paid', 'paid_late', 'needs_attention', 0])
    expect((await initiate(gone.id, { as: key })).body.error.code).toBe('invalid_transition')
  })

  test('an order that is cancelled closes its page, and what was paid of it waits to be given back', async () => {
    const unpaid = await order()
    const begun = (await initiate(unpaid.id, { as: key })).body.data
    await ok('PATCH', `/v1/orders/${unpaid.id}`, { as: key, body: { status: 'cancelled' } })
    await until(async () => (await read(unpaid.id, begun.id)).status === 'expired')
    expect((await onPage(begun.checkoutUrl, 'pay')).status).not.toBe(200)
    expect((await readOrder(unpaid.id)).paymentStatus).toBe('unpaid')

    const { id, totals } = await order()
    const payment = await paid(id)
    const cancelled = await ok('PATCH', `/v1/orders/${id}`, { as: key, body: { status: 'cancelled' } })
    expect(cancelled.data.paymentStatus).toBe('needs_attention')
    expect(await concernOf(id, payment.id)).toEqual(['paid', 'order_ended', 'needs_attention', totals.total])
    expect((await call('DELETE', `/v1/orders/${id}`, { as: owner.token })).body.error.code).toBe('conflict')
    await ok('PATCH', `/v1/orders/${id}`, { as: key, body: { status: 'pending' } })
    expect(await concernOf(id, payment.id)).toEqual(['paid', null, 'paid', totals.total])
    await ok('PATCH', `/v1/orders/${id}`, { as: key, body: { status: 'cancelled' } })
    expect((await onPayment(id, payment.id, 'refund', {})).body.data).toMatchObject({ status: 'refunded', concern: null })
    expect((await call('DELETE', `/v1/orders/${id}`, { as: owner.token })).status).toBe(204)
  })
})

describe('rights', () => {
  test('a customer pays an order without an account, where the store takes orders from the public, and says not where the way goes on', async () => {
    const { id } = await order()
    expect((await initiate(id)).status).toBe(201)
    expect((await initiate(id, { body: { returnTo: 'https://elsewhere.example/' } })).status).toBe(400)
    await ok('PATCH', `/v1/stores/${storeId}`, { as: owner.token, body: { settings: { publicOrders: false } } })
    expect((await initiate(id)).status).toBe(401)
    expect((await initiate(id, { as: key })).status).toBe(201)
    await ok('PATCH', `/v1/stores/${storeId}`, { as: owner.token, body: { settings: { publicOrders: true } } })
  })

  test('a stranger sees nothing, an agent gives nothing back', async () => {
    const { id } = await order()
    const payment = await paid(id)
    const stranger = await shop()
    const path = `/v1/orders/${id}/payments/${payment.id}`
    expect((await call('GET', path)).status).toBe(401)
    expect((await call('GET', path, { as: stranger.key })).status).toBe(404)
    expect((await call('POST', `${path}/refund`, { as: stranger.owner.token, body: {} })).status).toBe(404)
    const agent = await person('Agent')
    await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: agent.email, role: 'agent' } })
    expect((await call('POST', `${path}/refund`, { as: agent.token, body: {} })).status).toBe(403)
    expect((await call('GET', path, { as: agent.token })).status).toBe(200)
    const other = await order()
    expect((await call('GET', `/v1/orders/${other.id}/payments/${payment.id}`, { as: key })).status).toBe(404)
  })

  test('the name of a gateway', async () => {
    const { id } = await order()
    expect((await initiate(id, { as: key, gateway: 'sandbox' })).body.data.gateway).toBe('sandbox-payment')
    expect((await initiate(id, { as: key, gateway: 'nobody' })).status).toBe(404)
    expect((await initiate(id, { as: key, gateway: 'yalidine' })).status).toBe(404)
    expect((await initiate(id, { as: key, gateway: 'chargily' })).body.error.code).toBe('adapter_not_enabled')
    expect((await initiate('ord_nobody', { as: key })).status).toBe(404)
    expect((await initiate(id, { as: key, body: { amount: 1 } })).status).toBe(400)
  })
})

describe('the page that a payer comes back to', () => {
  test("says the outcome in the payer's language, and leads on to the shop if it named a page", async () => {
    const { id, reference } = await order(1, '<b>Lina</b>')
    const { data } = (await initiate(id, { as: key, body: { language: 'fr' } })).body
    const back = `/v1/payments/${data.id}/return`
    const waiting = await call('GET', back)
    expect(waiting.status).toBe(200)
    expect(waiting.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(waiting.body).toContain('lang="fr" dir="ltr"')
    expect(waiting.body).toContain('<a class="again" href="">Actualiser</a>')
    expect(waiting.body).toContain(reference)
    await onPage(data.checkoutUrl, 'pay')
    const done = await call('GET', back)
    expect(done.body).toContain('Paiement effectué')
    expect(done.body).not.toContain('class="again" href')
    expect((await call('GET', '/v1/payments/pay_nobody/return')).status).toBe(404)

    const other = await order()
    expect((await initiate(other.id, { as: key, body: { returnTo: 'https://[' } })).status).toBe(400)
    const begun = (await initiate(other.id, { as: key, body: { returnTo: 'https://shop.example/thanks?x=1' } })).body.data
    const answer = await fetch(`${app.origin}/v1/payments/${begun.id}/return`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `https://shop.example/thanks?x=1&payment=${begun.id}&order=${other.id}&outcome=waiting`,
    ])
  })
})

describe('two at once', () => {
  test('twenty who begin to pay one order get one page', async () => {
    const { id } = await order()
    const answers = await Promise.all(Array.from({ length: 20 }, () => initiate(id, { as: key })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.data.checkoutUrl)).size).toBe(1)
    expect(await sql`select 1 from payments where order_id = ${id}`).toHaveLength(1)
  })

  test('news that come ten times at once are taken once', async () => {
    const { id, totals } = await order()
    const { data } = (await initiate(id, { as: key })).body
    await Promise.all(Array.from({ length: 10 }, () => onPage(data.checkoutUrl, 'pay')))
    expect(await read(id, data.id)).toMatchObject({ status: 'paid', paid: totals.total })
    expect(await entriesOf(data.id)).toHaveLength(1)
  })

  test('refunds at once give back no more than was paid', async () => {
    const { id, totals } = await order()
    const payment = await paid(id)
    const half = totals.total * 0.6
    const answers = await Promise.all(Array.from({ length: 6 }, () => onPayment(id, payment.id, 'refund', { amount: half })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    expect((await read(id, payment.id)).refunded).toBe(half)
  })

  test('paying and sending: what the carrier collects and what was paid are never more than the order, or it is named', async () => {
    for (let delay = 0; delay < 12; delay += 1) {
      const { id, totals } = await order()
      const { data } = (await initiate(id, { as: key })).body
      await Promise.all([send(id), Bun.sleep(delay * 3).then(() => onPage(data.checkoutUrl, 'pay'))])
      const [parcel] = await sql`select cod_amount::float8 as cod from parcels where order_id = ${id}`
      const payment = await read(id, data.id)
      const { paid: counted } = await readOrder(id)
      expect(payment.status).toBe('paid')
      if (payment.concern === null && parcel) expect(parcel.cod + counted).toBe(totals.total)
      else if (parcel) expect([payment.concern, parcel.cod]).toEqual(['paid_late', totals.total])
    }
  })
})

test('payments: the totals of all payments add up', async () => {
  expect(await findPaymentDifferences(sql)).toEqual([])
  expect(await findDifferences(sql)).toEqual([])
  expect(await findCashDifferences(sql)).toEqual([])
})
