import { describe, expect, test } from 'bun:test'
import { submitRefund } from '../../../core/money/payments/refunds/submit-refund.ts'
import { startApp } from '../../support/app.ts'
import { findPaymentDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'
import { type Said, startTeller } from '../connectors/teller.ts'
import { paymentShop } from './payment-shop.ts'

const teller = await startTeller()
const app = await startApp(teller.with)
const { ok, context } = app
const { sql } = context
const ours = await paymentShop(app)
const { key, owner, storeId, readOrder } = ours
const integration = `/v1/stores/${storeId}/integrations/teller`
await ok('PUT', integration, { as: owner.token, body: { enabled: true, credentials: {}, settings: {} } })

async function begun() {
  const { id: orderId } = await ours.order()
  const { id } = (await ours.initiate(orderId, { as: key, gateway: 'teller' })).body.data
  const externalId = id.slice(4) as string
  const now = () => ours.read(orderId, id)
  return {
    id: id as string,
    orderId,
    now,
    is: (said: Said) => void teller.says.set(externalId, said),
    tell: (said: Said) => ok('POST', `${integration}/webhook`, { body: { externalId, ...said } }),
    sync: async () => (await ok('POST', `/v1/orders/${orderId}/payments/${id}/sync`, { as: key })).data,
    act: async (act: string, body?: object, method = 'POST') => (await ours.onPayment(orderId, id, act, body, method)).body.data,
    /** Once the gateway was asked all that it had to be asked. */
    async calm() {
      await until(async () => (await sql`select 1 from graphile_worker.jobs where key = ${`payment:${id}`}`).length === 0, 20_000)
      return now()
    },
  }
}

const PAID = { status: 'paid', refunded: 0 } as const
/** What can follow what. */
const follows: readonly (readonly [Said, Said])[] = [
  [{ status: 'processing' }, { status: 'authorized' }],
  [{ status: 'processing' }, { status: 'failed' }],
  [{ status: 'processing' }, PAID],
  [{ status: 'authorized' }, { status: 'cancelled' }],
  [{ status: 'authorized' }, PAID],
  [{ status: 'failed' }, { status: 'processing' }],
  [{ status: 'failed' }, PAID],
  [{ status: 'cancelled' }, { status: 'authorized' }],
  [{ status: 'expired' }, { status: 'processing' }],
  [{ status: 'open' }, { status: 'expired' }],
  [PAID, { ...PAID, refunded: 100_000 }],
  [PAID, { ...PAID, refunded: 250_000 }],
  [
    { ...PAID, refunded: 100_000 },
    { ...PAID, refunded: 250_000 },
  ],
  [PAID, { ...PAID, takenBack: true }],
]
const orders: Readonly<Record<string, readonly (0 | 1)[]>> = {
  'in their order': [0, 1],
  'the other way round': [1, 0],
  'each twice': [0, 1, 0, 1],
  'the later one alone': [1],
}

describe('of two answers the later one stands, whatever order they come in:', () => {
  test.each(follows.map(([first, then]) => [JSON.stringify(first), JSON.stringify(then), first, then] as const))(
    '%s, then %s',
    async (_, __, first, then) => {
      const ends: unknown[] = []
      for (const order of Object.values(orders)) {
        const one = await begun()
        one.is(then)
        for (const at of order) {
          await one.tell([first, then][at]!)
          await one.calm()
        }
        const { status, refunded, concern } = await one.now()
        ends.push({ status, refunded, concern, order: (await readOrder(one.orderId)).paymentStatus })
      }
      expect(ends).toEqual(Array(ends.length).fill(ends.at(-1)))
      expect((ends[0] as Said).status).toBe(
        then.refunded === 250_000 ? ('refunded' as Said['status']) : then.refunded ? ('partially_refunded' as Said['status']) : then.status,
      )
    },
  )
})

test('callback of a gateway: the payment of an event beyond the hundredth is polled, so that nothing is lost', async () => {
  const one = await begun()
  one.is(PAID)
  const others = Array.from({ length: 100 }, (_, at) => ({ externalId: `nobody-${at}`, status: 'open' }))
  const body = [...others, { externalId: one.id.slice(4), status: 'processing' }]
  expect((await ok('POST', `${integration}/webhook`, { body })).data).toEqual({ received: 101, applied: 0 })
  await until(async () => (await one.now()).status === 'paid', 20_000)
})

describe('a decided concern is not raised again when the gateway repeats itself', () => {
  test('of money that a bank took back', async () => {
    const one = await begun()
    one.is({ ...PAID, takenBack: true })
    expect((await one.sync()).concern).toBe('taken_back')
    expect((await one.act('accept')).concern).toBeNull()
    for (const told of [{ ...PAID, takenBack: true }, PAID, { ...PAID, takenBack: true }]) {
      await one.tell(told)
      one.is(told)
      expect(await one.sync()).toMatchObject({ status: 'paid', concern: null })
    }
    expect(await readOrder(one.orderId)).toMatchObject({ paymentStatus: 'paid', paid: 2500 })
  })

  test('a chargeback of a payment with a decided concern raises a new one', async () => {
    const one = await begun()
    await sql`update payments set status = 'expired' where id = ${one.id}`
    one.is(PAID)
    expect((await one.sync()).concern).toBe('paid_late')
    await one.tell({ ...PAID, takenBack: true })
    expect((await one.now()).concern).toBe('taken_back')
    await one.act('accept')
    expect(await readOrder(one.orderId)).toMatchObject({ paymentStatus: 'paid', paid: 2500 })
  })

  test('of refunds that it does not count; of more that is missing it is asked', async () => {
    const one = await begun()
    one.is(PAID)
    await one.sync()
    const given = [await one.act('refund', { amount: 1000 }), await one.act('refund', { amount: 500 })].at(-1).refunds
    await sql`update payment_refunds set updated_at = now() - interval '5 minutes' where payment_id = ${one.id}`
    one.is({ ...PAID, refunded: 50_000 })
    expect((await one.sync()).concern).toBe('refund_failed')
    expect((await one.act(`refunds/${given[0].id}`, { status: 'done' }, 'PATCH')).concern).toBeNull()
    expect(await one.sync()).toMatchObject({ concern: null, refunded: 1500 })
    one.is(PAID)
    expect((await one.sync()).concern).toBe('refund_failed')
    // Two are missing: what was said of one leaves the other.
    expect(await one.act(`refunds/${given[1].id}`, { status: 'failed' }, 'PATCH')).toMatchObject({
      concern: 'refund_failed',
      refunded: 1000,
    })
    expect(await one.act(`refunds/${given[0].id}`, { status: 'failed' }, 'PATCH')).toMatchObject({
      concern: null,
      refunded: 0,
      status: 'paid',
    })
    expect((await one.sync()).concern).toBeNull()
  })
})

test('what was given back in another currency is no sum of ours: a person is asked', async () => {
  const one = await begun()
  one.is({ status: 'paid', currency: 'EUR' })
  expect((await one.sync()).concern).toBe('other_currency')
  expect((await one.act('accept')).paid).toBe(2500)
  one.is({ status: 'paid', currency: 'EUR', refunded: 700 })
  expect(await one.sync()).toMatchObject({ status: 'paid', refunded: 0, concern: 'taken_back', refunds: [] })
})

test('a refund that the gateway does not let us ask for fails at once, and says why; one that is asked for again says why too', async () => {
  const one = await begun()
  one.is(PAID)
  await one.sync()
  teller.state.refunds = () => new Response('', { status: 401 })
  const [failed] = (await one.act('refund', {})).refunds
  expect(failed).toMatchObject({ status: 'failed', message: expect.stringContaining('Teller answered 401') })
  teller.state.refunds = () => new Response('', { status: 503 })
  const [, waiting] = (await one.act('refund', {})).refunds
  expect(waiting).toMatchObject({ status: 'pending', message: expect.stringContaining('Teller answered 503') })
  // What may have been done before is not called failed for that.
  teller.state.refunds = () => new Response('', { status: 401 })
  await sql`update payment_refunds set asked_at = now() - interval '2 minutes' where id = ${waiting.id}`
  await expect(submitRefund(context, waiting.id)).rejects.toThrow('Teller')
  expect((await one.now()).refunds[1].status).toBe('pending')
  teller.state.refunds = () => Response.json({ externalId: 'r2', status: 'done' })
  await sql`update payment_refunds set asked_at = now() - interval '2 minutes' where id = ${waiting.id}`
  await submitRefund(context, waiting.id)
  expect(await one.now()).toMatchObject({ status: 'refunded', refunded: 2500, concern: null })
})

test('a refund that gets no answer is asked for until it gets one, however soon its turn comes again', async () => {
  const one = await begun()
  one.is(PAID)
  await one.sync()
  teller.state.refunds = () => new Response('', { status: 503 })
  const [{ id }] = (await one.act('refund', {})).refunds
  const jobs = () => sql<{ attempts: number; isWorked: boolean }[]>`
    select attempts, locked_at is not null as is_worked from graphile_worker._private_jobs where payload ->> 'refundId' = ${id}`
  const asked = () => sql`update payment_refunds set asked_at = now() - interval '2 minutes' where id = ${id}`
  const turn = () => sql`select graphile_worker.reschedule_jobs((select array_agg(id) from graphile_worker._private_jobs
    where payload ->> 'refundId' = ${id} and locked_at is null), run_at => now())`
  await asked()
  for (const attempts of [1, 2]) {
    await turn()
    await until(async () => (await jobs()).every((job) => job.attempts >= attempts && !job.isWorked))
    expect(await jobs()).toMatchObject([{ attempts }])
  }
  teller.state.refunds = () => Response.json({ externalId: 'r3', status: 'done' })
  await asked()
  await turn()
  await until(async () => (await one.now()).status === 'refunded')
})

test('payments: the totals of all payments add up', async () => {
  expect(await findPaymentDifferences(sql)).toEqual([])
})
