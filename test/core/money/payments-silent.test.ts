import { afterAll, describe, expect, test } from 'bun:test'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { enqueueDuePolls, expirePayment, pollPayment } from '../../../core/money/payments/events/poll-payment.ts'
import { expiryOf, isOutcomeOverdue, nextPollAt } from '../../../core/money/payments/events/poll-schedule.ts'
import { startGuiddini } from '../../adapters/payment/guiddini/simulator.ts'
import { POOR_CARD, startSatim } from '../../adapters/payment/satim/simulator.ts'
import { startApp } from '../../support/app.ts'
import { findPaymentDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'
import { formOf, jpegOf } from '../../support/uploads.ts'
import { paymentShop } from './payment-shop.ts'

/** What a gateway does not say: nothing of it is over before somebody has said so. */
const [guiddini, satim] = [startGuiddini(), startSatim()]
afterAll(() => Promise.all([guiddini.stop(), satim.stop()]))
const app = await startApp({ simulators: { 'epay.guiddini.dz': guiddini.url, 'test2.satim.dz': satim.url } }, { socket: true })
const { call, ok, context } = app
const { sql } = context
const ours = await paymentShop(app)
const { key, owner, storeId, read, readOrder } = ours

const connect = (gateway: string, body: object) =>
  ok('PUT', `/v1/stores/${storeId}/integrations/${gateway}`, { as: owner.token, body: { enabled: true, settings: {}, ...body } })
await connect('guiddini', { credentials: { ...guiddini.credentials } })
await connect('satim', { credentials: { ...satim.credentials } })
await connect('offline', { credentials: {}, settings: { account: '00799999000123456789' } })

async function begun(gateway = 'guiddini') {
  const { id: orderId } = await ours.order()
  const { body, status } = await ours.initiate(orderId, { as: key, gateway })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { externalId } = await read(orderId, body.data.id)
  return { orderId, id: body.data.id as string, externalId: externalId as string }
}
type Begun = Awaited<ReturnType<typeof begun>>
const now = ({ orderId, id }: Begun) => read(orderId, id)
const began = ({ id }: Begun, days: number) =>
  sql`update payments set created_at = now() - ${days} * interval '1 day', expires_at = expires_at - ${days} * interval '1 day' where id = ${id}`
async function nextIn({ id }: Begun): Promise<number | null> {
  const [row] = await sql<{ readAt: string | null }[]>`select read_at from payments where id = ${id}`
  return row?.readAt ? Date.parse(row.readAt) - Date.now() : null
}
const settle = (one: Begun, body: object) => ours.onPayment(one.orderId, one.id, 'settle', body)
async function sendReceipt({ id }: Begun) {
  const { raw, type } = await formOf(await jpegOf(40, 30), 'receipt.jpg')
  expect((await call('POST', `/v1/payments/${id}/proof`, { raw, headers: { 'content-type': type } })).status).toBe(200)
}

describe('a payment whose end comes', () => {
  test('while its gateway does not answer is not over, and counts once the gateway says that it is paid', async () => {
    const one = await begun()
    await began(one, 1.01)
    guiddini.move(one.externalId)
    Object.assign(guiddini.faults, { error500: 1, on: 'payment/show' })
    await pollPayment(context, one.id)
    await expirePayment(context, one.id)
    guiddini.calm()
    expect((await now(one)).status).toBe('open')
    expect(await nextIn(one)).toBeGreaterThan(60_000)
    expect(await nextIn(one)).toBeLessThan(10 * 60_000)
    await pollPayment(context, one.id)
    expect(await now(one)).toMatchObject({ status: 'paid', concern: null })
    expect((await readOrder(one.orderId)).paymentStatus).toBe('paid')
  })

  test('while its gateway is switched off is not over; switched on again, and not paid, it is', async () => {
    const one = await begun()
    await began(one, 1.01)
    await connect('guiddini', { credentials: { ...guiddini.credentials }, enabled: false })
    await pollPayment(context, one.id)
    expect((await now(one)).status).toBe('open')
    await connect('guiddini', { credentials: { ...guiddini.credentials } })
    await pollPayment(context, one.id)
    expect(await now(one)).toMatchObject({ status: 'expired', concern: null })
    expect(await nextIn(one)).toBeNull()
  })

  test('as it was given up while nobody answered is no page that anybody is given again', async () => {
    const one = await begun()
    Object.assign(guiddini.faults, { error500: 1, on: 'payment/show' })
    await expirePayment(context, one.id)
    guiddini.calm()
    expect((await now(one)).status).toBe('open')
    const again = await ours.initiate(one.orderId, { as: key, gateway: 'guiddini' })
    expect(again.body.data.id).not.toBe(one.id)
    await until(async () => (await now(one)).status === 'expired')
  })

  test('that nobody reports for a day waits for a person, who decides whether the money is there', async () => {
    for (const [said, becomes] of [
      [{ status: 'paid' }, { status: 'paid', paid: 2500, concern: null }],
      [
        { status: 'failed', reason: 'Nothing came.' },
        { status: 'failed', paid: null, concern: null },
      ],
    ] as const) {
      const one = await begun()
      await began(one, 2.01)
      expect((await settle(one, said)).status).toBe(409)
      Object.assign(guiddini.faults, { error500: 1, on: 'payment/show' })
      await pollPayment(context, one.id)
      guiddini.calm()
      expect(await now(one)).toMatchObject({ status: 'open', concern: 'outcome_unknown' })
      expect((await readOrder(one.orderId)).paymentStatus).toBe('needs_attention')
      expect(await nextIn(one)).toBeGreaterThan(60 * 60_000)
      expect((await ours.onPayment(one.orderId, one.id, 'accept')).body.error.code).toBe('invalid_transition')
      expect((await settle(one, said)).body.data).toMatchObject(becomes)
      expect((await readOrder(one.orderId)).paymentStatus).toBe(said.status === 'paid' ? 'paid' : 'unpaid')
    }
  })

  test('that its gateway reports after all waits for nobody', async () => {
    const one = await begun()
    await began(one, 2.01)
    await connect('guiddini', { credentials: { ...guiddini.credentials }, enabled: false })
    await pollPayment(context, one.id)
    expect((await now(one)).concern).toBe('outcome_unknown')
    await connect('guiddini', { credentials: { ...guiddini.credentials } })
    await pollPayment(context, one.id)
    expect(await now(one)).toMatchObject({ status: 'expired', concern: null })
  })
})

describe('a payment in processing, whose payer has paid', () => {
  test('is not over with its page: a person is told once nobody has looked for a month', async () => {
    const one = await begun('offline')
    await sendReceipt(one)
    await sql`update payments set expires_at = now() - interval '1 minute' where id = ${one.id}`
    await pollPayment(context, one.id)
    await expirePayment(context, one.id)
    expect(await now(one)).toMatchObject({ status: 'processing', concern: null })
    expect(await nextIn(one)).toBeGreaterThan(0)
    await began(one, 31)
    await pollPayment(context, one.id)
    expect(await now(one)).toMatchObject({ status: 'processing', concern: 'outcome_unknown' })
    expect((await settle(one, { status: 'paid' })).body.data).toMatchObject({ status: 'paid', concern: null })
  })

  test('is not closed by who begins another, nor by an order that changes; nothing more is taken meanwhile', async () => {
    const one = await begun('offline')
    await sendReceipt(one)
    const other = await ours.initiate(one.orderId)
    expect([other.status, other.body.error.code]).toEqual([409, 'outcome_unknown'])
    expect((await ours.initiate(one.orderId, { gateway: 'offline' })).body.data.id).toBe(one.id)
    await ok('PATCH', `/v1/orders/${one.orderId}`, { as: key, body: { status: 'cancelled' } })
    expect(await sql`select 1 from graphile_worker.jobs where key = ${`expire:${one.id}`}`).toHaveLength(0)
    expect((await now(one)).status).toBe('processing')
    expect((await settle(one, { status: 'paid' })).body.data).toMatchObject({ status: 'paid', concern: 'paid_late' })
  })
})

test('payments: a declined card can be followed by another on the same page, also without an event', async () => {
  const one = await begun('satim')
  satim.pay(one.externalId, POOR_CARD)
  await pollPayment(context, one.id)
  expect((await now(one)).status).toBe('failed')
  expect(await nextIn(one)).toBeLessThanOrEqual(2 * 60_000)
  satim.pay(one.externalId)
  await sql`update payments set read_at = now() where id = ${one.id}`
  await enqueueDuePolls(context)
  await until(async () => (await now(one)).status === 'paid')
  expect((await readOrder(one.orderId)).paymentStatus).toBe('paid')

  const closed = await begun('satim')
  satim.pay(closed.externalId, POOR_CARD)
  await began(closed, 1)
  await pollPayment(context, closed.id)
  expect([(await now(closed)).status, await nextIn(closed)]).toEqual(['failed', null])
})

test('the longer a gateway is silent, the more seldom it is asked, and not for ever', () => {
  const at = Date.parse('2026-03-01T00:00:00Z')
  const hours = (count: number) => count * HOUR_MS
  const one = { status: 'open' as const, reads: 30, createdAt: new Date(at - hours(24)).toISOString(), expiresAt: null }
  const waits = [0, 1, 4, 24, 100].map((late) => Date.parse(nextPollAt(one, at + hours(late))!) - at - hours(late))
  expect(waits).toEqual([hours(1 / 30), hours(1 / 4), hours(1), hours(6), hours(6)])
  expect(nextPollAt(one, at + hours(24 * 8))).toBeNull()
  expect([23, 24].map((late) => isOutcomeOverdue(one, at + hours(late)))).toEqual([false, true])
  const paying = { ...one, status: 'processing' as const, expiresAt: new Date(at).toISOString() }
  expect(expiryOf(paying)).toBe(at + hours(24 * 29))
  expect(Date.parse(nextPollAt(paying, at + hours(48))!) - at - hours(48)).toBe(hours(1))
})

test('payments: the totals of all payments add up', async () => {
  expect(await findPaymentDifferences(sql)).toEqual([])
})
