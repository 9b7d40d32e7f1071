import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { choosePlan } from '../../../core/money/billing/choose-plan.ts'
import { payDueInvoices } from '../../../core/money/billing/periods/pay-invoices.ts'
import { addMonths, buildPeriod, proratedPrice } from '../../../core/money/billing/periods/periods.ts'
import { advanceDueSubscriptions, advanceSubscription } from '../../../core/money/billing/periods/renew.ts'
import { notifyOrderLimits } from '../../../core/money/billing/plans/limits.ts'
import { statusRules, subscriptionStatuses } from '../../../core/money/billing/statuses.ts'
import { insertCredit, lockSubscription } from '../../../core/money/billing/subscriptions.queries.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { letterTo } from '../../support/letters.ts'
import { readOutbox } from '../../support/outbox.ts'
import { differences, type Subscriber, sellingPlatform } from './subscription-shop.ts'

const app = await startApp({ domainTarget: 'shops.example.net' })
const { call, ok, context } = app
const { sql } = context
const { admin, subscriber, onPage } = await sellingPlatform(app)

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
/** What time brings to it, seen from then. */
const later = async (store: Subscriber, at: number) => {
  await transaction(sql, (tx) => advanceSubscription(tx, store.storeId, at))
  return store.read()
}
const after = (time: string, days: number) => Date.parse(time) + days * DAY_MS

/** A store that takes orders, each of a phone number of its own. */
async function ordering(store: Subscriber) {
  const { data: product } = await ok('POST', '/v1/products', {
    as: store.key,
    body: { storeId: store.storeId, name: 'Basket', price: 100, stockKeeping: false },
  })
  return (phone: string) =>
    call('POST', '/v1/orders', {
      body: {
        storeId: store.storeId,
        customer: { name: 'Lina', phone },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Alger', address: '', deliveryType: 'home' },
        items: [{ productId: product.id, quantity: 1 }],
      },
    })
}

describe('periods', () => {
  const utc = (text: string) => Date.parse(`${text}T10:00:00Z`)

  test('end on the same day of the month, or on the last of a shorter one, and find back', () => {
    const start = utc('2028-01-31')
    const ends = [1, 2, 3, 13].map((months) => new Date(addMonths(start, months)).toISOString().slice(0, 10))
    expect(ends).toEqual(['2028-02-29', '2028-03-31', '2028-04-30', '2029-02-28'])
    expect(buildPeriod(utc('2028-02-29'), start)).toEqual({ start: utc('2028-02-29'), end: utc('2028-03-31') })
  })

  test('follow each other without a gap, each of 28 to 31 days', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }), (anchor) => {
        let period = buildPeriod(anchor.getTime())
        for (let month = 0; month < 14; month += 1) {
          const days = (period.end - period.start) / DAY_MS
          expect(days).toBeGreaterThanOrEqual(28)
          expect(days).toBeLessThanOrEqual(31)
          period = buildPeriod(period.end, anchor.getTime())
        }
      }),
      { seed: 20_261_127, numRuns: 50 },
    )
  })

  test('what is left of a price is exact, never more than it, and nothing at the end', () => {
    const period = { start: 0, end: 30 * DAY_MS }
    expect(proratedPrice(30_000_000n, period, 10 * DAY_MS, 2)).toBe(20_000_000n)
    expect(proratedPrice(10_000n, { start: 0, end: 3 }, 2, 2)).toBe(3_300n)
    expect(proratedPrice(10_000n, { start: 0, end: 3 }, 2, 0)).toBe(0n)
    expect([proratedPrice(999n, period, -1, 2), proratedPrice(999n, period, 31 * DAY_MS, 2)]).toEqual([1_000n, 0n])
  })

  test('every status leads somewhere, and to one that there is', () => {
    for (const status of subscriptionStatuses) expect(statusRules[status].next.length).toBeGreaterThan(0)
  })
})

describe('plans', () => {
  test('are offered to anybody; what is not offered is read by administrators', async () => {
    const { data } = await ok('GET', '/v1/plans?sort=price')
    expect(data.map(({ code }: { code: string }) => code)).toEqual(['free', 'basic', 'tried', 'pro'])
    expect(outcome(await call('GET', '/v1/plans/hidden'))).toBe('404 not_found')
    expect((await ok('GET', '/v1/plans/hidden', { as: admin.token })).data.price).toBe(500)
  })

  test('are written by administrators alone', async () => {
    const { owner } = await subscriber()
    const body = { code: 'gold', name: 'Gold', price: 9000, currency: 'DZD' }
    expect(outcome(await call('POST', '/v1/plans', { body }))).toBe('401 unauthenticated')
    expect(outcome(await call('POST', '/v1/plans', { as: owner.token, body }))).toBe('403 forbidden')
    expect(outcome(await call('POST', '/v1/plans', { as: admin.token, body: { ...body, limits: { pages: 1 } } }))).toBe(
      '400 invalid_request',
    )
    expect(outcome(await call('POST', '/v1/plans', { as: admin.token, body: { ...body, code: 'basic' } }))).toBe('409 conflict')
    expect(outcome(await call('DELETE', '/v1/plans/free', { as: admin.token }))).toBe('409 conflict')
    expect(outcome(await call('PATCH', '/v1/plans/free', { as: admin.token, body: { price: 10 } }))).toBe('409 conflict')
  })

  test('that stores have are not deleted', async () => {
    await ok('POST', '/v1/plans', { as: admin.token, body: { code: 'old', name: 'Old', price: 0, currency: 'DZD', available: true } })
    const store = await subscriber()
    expect((await store.subscribe('old')).body.data.plan).toBe('old')
    expect(outcome(await call('DELETE', '/v1/plans/old', { as: admin.token }))).toBe('409 conflict')
    await store.subscribe('free')
    expect(outcome(await call('DELETE', '/v1/plans/old', { as: admin.token }))).toBe('204')
  })
})

describe('a store', () => {
  test('of which nothing was said has the free plan, without limits and without an end', async () => {
    const store = await subscriber()
    expect(await store.read()).toMatchObject({ plan: 'free', status: 'active', periodEnd: null, limits: {}, dues: [], due: null })
    expect((await store.read()).usage.members).toEqual({ used: 1, limit: null })
    const { data } = await ok('GET', `${store.at}/integrations/subscription/catalog`, { as: store.owner.token })
    const changes = Object.fromEntries(data.map(({ code, change }: { code: string; change: string }) => [code, change]))
    expect(changes).toEqual({ free: 'current', basic: 'now', tried: 'now', pro: 'now' })
  })

  test('its owner alone steers; its people and keys read', async () => {
    const store = await subscriber()
    const agent = await app.person('Agent')
    await ok('POST', `${store.at}/members`, { as: store.owner.token, body: { email: agent.email, role: 'admin' } })
    const steering: [string, object?][] = [
      ['integrations/subscription/subscribe', { plan: 'basic' }],
      ['integrations/subscription/cancel'],
      ['subscription/upgrade', { plan: 'basic' }],
      ['subscription/checkout', { plan: 'basic' }],
      ['subscription/payDue'],
      ['subscription/activate'],
    ]
    const stranger = await app.person('Stranger')
    for (const [path, body] of steering) {
      expect(outcome(await store.ask(path, body, agent.token))).toBe('403 forbidden')
      expect(outcome(await store.ask(path, body, store.key))).toBe('403 forbidden')
      expect(outcome(await store.ask(path, body, stranger.token))).toBe('404 not_found')
      expect(outcome(await call('POST', `${store.at}/${path}`, body && { body }))).toBe('401 unauthenticated')
    }
    for (const what of ['integrations/subscription/status', 'integrations/subscription/catalog', 'subscription/invoices']) {
      expect(outcome(await call('GET', `${store.at}/${what}`, { as: store.key }))).toBe('200')
      expect(outcome(await call('GET', `${store.at}/${what}`, { as: stranger.token }))).toBe('404 not_found')
    }
    expect(outcome(await store.subscribe('hidden'))).toBe('404 not_found')
    expect(outcome(await store.subscribe('nonsense'))).toBe('404 not_found')
    expect(outcome(await store.subscribe('no plan'))).toBe('400 invalid_request')
  })

  test('has a plan once it is paid, and not before', async () => {
    const store = await subscriber()
    expect((await store.subscribe('basic')).body.data).toMatchObject({ plan: 'free', due: { amount: 1000, currency: 'DZD' } })
    expect(outcome(await store.activate())).toBe('402 payment_required')
    const { status, body } = await store.payDue()
    expect([status, body.data.amount, body.data.status]).toEqual([201, 1000, 'open'])
    await onPage(body.data.checkoutUrl)
    const now = await store.read()
    expect(now).toMatchObject({ plan: 'basic', status: 'active', due: null, dues: [], credits: [], limits: { products: 2 } })
    expect(addMonths(Date.parse(now.periodStart), 1)).toBe(Date.parse(now.periodEnd))
    expect(outcome(await store.payDue())).toBe('409 already_paid')
    expect(outcome(await store.activate())).toBe('200')
    expect((await store.list('invoices')).map(({ reason, status }: { reason: string; status: string }) => [reason, status])).toEqual([
      ['start', 'paid'],
    ])
  })
})

describe('a change of plan', () => {
  test('to a dearer one costs the rest of the period, less what is left of the one that was paid', async () => {
    const store = await subscriber()
    const { periodStart, periodEnd } = await store.on('basic')
    const half = [periodStart, periodEnd].map((time) => new Date(Date.parse(time) - (Date.parse(periodEnd) - Date.parse(periodStart)) / 2))
    await sql`update subscriptions set period_start = ${half[0]!}, period_end = ${half[1]!} where project_id = ${projectIdOf(store.storeId)}`
    const { data } = (await store.upgrade('pro')).body
    const [rest, unused] = data.dues[0].lines
    expect(rest).toMatchObject({ kind: 'rest', plan: 'pro' })
    expect(unused).toMatchObject({ kind: 'unused', plan: 'basic' })
    expect(data.due.amount).toBeCloseTo(1000, 0)
    expect(Math.abs(rest.amount + unused.amount - data.due.amount)).toBeLessThan(0.001)
    expect(data.plan).toBe('basic')
    await onPage((await store.payDue()).body.data.checkoutUrl)
    const now = await store.read()
    expect(now).toMatchObject({ plan: 'pro', periodEnd: half[1]!.toISOString(), due: null })
    expect(outcome(await store.upgrade('basic'))).toBe('409 conflict')
  })

  test('to a cheaper one is had from the next period on, and can be taken back', async () => {
    const store = await subscriber()
    const { periodEnd } = await store.on('pro')
    expect((await store.subscribe('basic')).body.data).toMatchObject({ plan: 'pro', nextPlan: 'basic', due: null })
    expect((await store.subscribe('pro')).body.data).toMatchObject({ plan: 'pro', nextPlan: null })
    await store.subscribe('basic')
    const asked = await later(store, after(periodEnd, -1))
    expect(asked.dues).toMatchObject([{ reason: 'renewal', plan: 'basic', total: 1000, dueAt: periodEnd }])
    await onPage((await store.payDue()).body.data.checkoutUrl)
    expect(await store.read()).toMatchObject({ plan: 'pro', due: null, credits: [{ currency: 'DZD', amount: 1000 }] })
    expect(await later(store, after(periodEnd, 0))).toMatchObject({ plan: 'basic', status: 'active', periodStart: periodEnd, credits: [] })
  })

  test('costs as much of a month as is left, however long the time is that was given for nothing', async () => {
    const store = await subscriber()
    const periodEnd = new Date(addMonths(Date.now(), 3)).toISOString()
    await store.give({ plan: 'basic', periodEnd })
    const { lines } = (await store.upgrade('pro')).body.data.dues[0]
    expect(Math.abs(lines[0].amount - 9000)).toBeLessThan(400)
    expect(lines[1].amount).toBe(0)
  })

  test('is no upgrade where what was paid is of another currency than the plan by now', async () => {
    for (const code of ['moving', 'above'])
      await ok('POST', '/v1/plans', {
        as: admin.token,
        body: { code, name: code, price: code === 'above' ? 40 : 2000, currency: code === 'above' ? 'EUR' : 'DZD', available: true },
      })
    const store = await subscriber()
    await store.on('moving')
    await ok('PATCH', '/v1/plans/moving', { as: admin.token, body: { price: 20, currency: 'EUR' } })
    expect(outcome(await store.upgrade('above'))).toBe('409 conflict')
    expect((await store.subscribe('above')).body.data).toMatchObject({ plan: 'moving', nextPlan: 'above', due: null })
    for (const code of ['moving', 'above']) await ok('PATCH', `/v1/plans/${code}`, { as: admin.token, body: { available: false } })
  })

  test('to one that is not offered any more is for who has it, not for who had it', async () => {
    await ok('POST', '/v1/plans', { as: admin.token, body: { code: 'gone', name: 'Gone', price: 10, currency: 'DZD', available: true } })
    const store = await subscriber()
    await store.on('gone')
    await ok('PATCH', '/v1/plans/gone', { as: admin.token, body: { available: false } })
    await store.cancel()
    expect((await store.subscribe('gone')).body.data).toMatchObject({ plan: 'gone', cancels: false })
    await store.cancel({ atOnce: true })
    expect(outcome(await store.subscribe('gone'))).toBe('404 not_found')
  })

  test('to the free one asks for nothing more', async () => {
    const store = await subscriber()
    const { periodEnd } = await store.on('pro')
    await store.subscribe('free')
    expect((await later(store, after(periodEnd, -1))).dues).toEqual([])
    expect(await later(store, after(periodEnd, 0))).toMatchObject({ plan: 'free', status: 'active', periodEnd: null })
  })
})

describe('the end of a period', () => {
  test('that nobody pays for makes it past due, and after a week the free plan', async () => {
    const store = await subscriber()
    const { periodEnd } = await store.on('basic')
    expect((await later(store, after(periodEnd, -4))).dues).toEqual([])
    await later(store, after(periodEnd, -2))
    const letter = await letterTo(app, store.owner.email, 'due on')
    expect(letter.html).not.toContain('/v1/')
    expect(letter.text).toContain('1000 DZD')
    expect(await later(store, after(periodEnd, 1))).toMatchObject({ plan: 'basic', status: 'past_due', periodEnd })
    expect(outcome(await store.subscribe('pro'))).toBe('402 payment_required')
    expect(await later(store, after(periodEnd, 6))).toMatchObject({ status: 'past_due' })
    expect(await later(store, after(periodEnd, 7))).toMatchObject({ plan: 'free', status: 'expired', periodEnd: null, dues: [] })
    expect((await store.on('pro')).status).toBe('active')
  })

  test('that is paid for late goes on from where it ended', async () => {
    const store = await subscriber()
    const { periodEnd } = await store.on('basic')
    const [start, end] = [Date.now() - 40 * DAY_MS, Date.now() - 3 * DAY_MS].map((time) => new Date(time).toISOString())
    await sql`update subscriptions set period_start = ${start!}, period_end = ${end!}, anchor = ${end!}, look_at = ${end!} where project_id = ${projectIdOf(store.storeId)}`
    expect(periodEnd > end!).toBe(true)
    await advanceDueSubscriptions(context)
    expect(await store.read()).toMatchObject({ status: 'past_due', due: { amount: 1000 } })
    await onPage((await store.payDue()).body.data.checkoutUrl)
    expect(await store.read()).toMatchObject({ status: 'active', plan: 'basic', periodStart: end, due: null })
  })

  test('of a trial is asked for like any other, and there is one trial', async () => {
    const store = await subscriber()
    const tried = (await store.checkout('tried')).body.data
    expect(tried).toMatchObject({ payment: null, subscription: { plan: 'tried', status: 'trialing' } })
    const { periodEnd } = tried.subscription
    expect(after(periodEnd, -14)).toBeCloseTo(Date.now(), -5)
    expect((await store.subscribe('pro')).body.data).toMatchObject({ plan: 'pro', status: 'trialing', periodEnd, due: null })
    await later(store, after(periodEnd, -1))
    expect((await store.payDue()).body.data.amount).toBe(3000)
    expect(await later(store, after(periodEnd, 0))).toMatchObject({ status: 'past_due' })
    await store.cancel()
    expect((await store.subscribe('tried')).body.data).toMatchObject({ status: 'cancelled', plan: 'free', due: { amount: 2000 } })
  })

  test('that nobody looked at for months is found where it is by now', async () => {
    const store = await subscriber()
    const { periodEnd } = await store.on('basic')
    await store.give({ plan: 'free', credit: { amount: 2500, currency: 'DZD' } })
    await store.subscribe('basic')
    expect((await store.read()).credits).toEqual([{ currency: 'DZD', amount: 1500 }])
    const now = await later(store, addMonths(Date.parse(periodEnd), 3))
    expect(now).toMatchObject({ plan: 'free', status: 'expired', credits: [{ amount: 500 }] })
  })
})

describe('a cancellation', () => {
  test('ends it with its period, and is taken back by choosing it again', async () => {
    const store = await subscriber()
    const { periodEnd } = await store.on('basic')
    expect((await store.cancel()).body.data).toMatchObject({ plan: 'basic', cancels: true, status: 'active' })
    expect((await store.activate()).body.data).toMatchObject({ cancels: false })
    await store.cancel()
    expect(await later(store, after(periodEnd, -1))).toMatchObject({ dues: [], cancels: true })
    expect(await later(store, after(periodEnd, 0))).toMatchObject({ plan: 'free', status: 'cancelled', cancels: false })
    expect(outcome(await store.cancel())).toBe('409 invalid_transition')
  })

  test('at once leaves the free plan; what is paid afterwards stays to its credit and pays the next', async () => {
    const store = await subscriber()
    const { body } = await store.checkout('basic')
    expect((await store.cancel({ atOnce: true })).body.data).toMatchObject({ plan: 'free', due: null })
    await onPage(body.data.payment.checkoutUrl)
    expect(await store.read()).toMatchObject({ plan: 'free', credits: [{ currency: 'DZD', amount: 1000 }] })
    expect((await store.checkout('basic')).body.data).toMatchObject({ payment: null, subscription: { plan: 'basic', status: 'active' } })
    expect((await store.cancel({ atOnce: true })).body.data).toMatchObject({ plan: 'free', status: 'cancelled', periodEnd: null })
  })
})

describe('limits', () => {
  test('are kept where things are made, however many are made at once', async () => {
    const store = await subscriber()
    await store.on('basic')
    const make = (name: string) => call('POST', '/v1/products', { as: store.key, body: { storeId: store.storeId, name, price: 100 } })
    const answers = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(make))
    expect(answers.map(outcome).sort()).toEqual(['201', '201', ...Array(3).fill('402 plan_limit_reached')])
    const refusal = answers.find(({ status }) => status === 402)!
    expect(refusal.body.error.message).toContain('Basic')
    expect(refusal.body.error.details).toEqual([{ path: '/plans/basic/limits/products', message: '2' }])
    expect((await store.read()).usage.products).toEqual({ used: 2, limit: 2 })
    await store.cancel({ atOnce: true })
    expect(outcome(await make('F'))).toBe('201')
  })

  test('hold for members and domains', async () => {
    await ok('POST', '/v1/plans', {
      as: admin.token,
      body: { code: 'alone', name: 'Alone', price: 0, currency: 'DZD', limits: { members: 1, domains: 0 }, available: true },
    })
    const store = await subscriber()
    await store.subscribe('alone')
    const agent = await app.person('Agent')
    const member = { as: store.owner.token, body: { email: agent.email, role: 'agent' } }
    expect(outcome(await call('POST', `${store.at}/members`, member))).toBe('402 plan_limit_reached')
    const domain = await call('POST', `${store.at}/domain`, { as: store.owner.token, body: { host: 'shop.example.com' } })
    expect(outcome(domain)).toBe('402 plan_limit_reached')
    await store.subscribe('free')
    expect(outcome(await call('POST', `${store.at}/members`, member))).toBe('201')
  })

  test('lose no order: all are taken, the owner is told once, and asked for what they cost', async () => {
    const body = {
      code: 'small',
      name: 'Small',
      price: 100,
      currency: 'DZD',
      limits: { ordersPerMonth: 2 },
      extraOrderPrice: 7.5,
      available: true,
    }
    await ok('POST', '/v1/plans', { as: admin.token, body })
    const store = await subscriber()
    const { periodEnd } = await store.on('small')
    const order = await ordering(store)
    for (const phone of ['0550000001', '0550000002', '0550000003', '0550000004']) expect((await order(phone)).status).toBe(201)
    await notifyOrderLimits(context)
    await notifyOrderLimits(context)
    const told = await letterTo(app, store.owner.email, '4 of 2 orders')
    expect(told.text).toContain('Small')
    expect(told.html).not.toContain('/v1/')
    const letters = (await readOutbox(context.config.dataDir)).filter(
      (one) => one.to === store.owner.email && one.subject.includes('orders'),
    )
    expect(letters.length).toBe(1)
    expect((await store.read()).usage.ordersPerMonth).toEqual({ used: 4, limit: 2 })
    const ended = await later(store, after(periodEnd, 0))
    const extra = ended.dues.find(({ reason }: { reason: string }) => reason === 'extra_orders')
    expect(extra).toMatchObject({ total: 15, lines: [{ kind: 'extra_orders', quantity: 2, amount: 15 }] })
    expect(ended.due).toEqual({ amount: 115, currency: 'DZD' })
  })

  test('what orders beyond them cost is asked for, though the next period was paid before anybody looked', async () => {
    const store = await subscriber()
    const { periodEnd } = await store.on('small')
    const order = await ordering(store)
    for (const phone of ['0550000001', '0550000002', '0550000003', '0550000004']) expect((await order(phone)).status).toBe(201)
    await later(store, after(periodEnd, -1))
    await onPage((await store.payDue()).body.data.checkoutUrl)
    const settled = await transaction(sql, async (tx) => payDueInvoices(tx, await lockSubscription(tx, store.storeId), after(periodEnd, 0)))
    expect(settled.periodStart).toBe(periodEnd)
    expect((await store.read()).due).toEqual({ amount: 15, currency: 'DZD' })
    await later(store, after(periodEnd, 0))
    expect((await store.list('invoices')).filter(({ reason }: { reason: string }) => reason === 'extra_orders').length).toBe(1)
  })

  test('a dearer plan in the last minute does not undo what they cost, and asks for none of them again', async () => {
    const body = {
      code: 'middle',
      name: 'Middle',
      price: 200,
      currency: 'DZD',
      limits: { ordersPerMonth: 3 },
      extraOrderPrice: 1,
      available: true,
    }
    await ok('POST', '/v1/plans', { as: admin.token, body })
    const store = await subscriber()
    const { periodEnd } = await store.on('small')
    const order = await ordering(store)
    for (const phone of ['0550000001', '0550000002', '0550000003', '0550000004']) expect((await order(phone)).status).toBe(201)
    const late = Date.parse(periodEnd) - 60_000
    await transaction(sql, async (tx) => {
      await choosePlan(tx, store.storeId, 'middle', { now: late, upgrades: true })
      await insertCredit(tx, {
        storeId: store.storeId,
        id: `scr_${store.storeId}`,
        kind: 'admin',
        amount: '1',
        currency: 'DZD',
        about: 'a minute',
      })
      await payDueInvoices(tx, await lockSubscription(tx, store.storeId), late)
    })
    const asked = async () =>
      (await store.list('invoices'))
        .filter(({ reason }: { reason: string }) => reason === 'extra_orders')
        .map(({ total }: { total: number }) => total)
    expect([(await store.read()).plan, await asked()]).toEqual(['middle', [15]])
    await later(store, after(periodEnd, 0))
    expect(await asked()).toEqual([15])
  })
})

describe('an administrator', () => {
  test('gives a plan for a time, or without an end, and credit', async () => {
    const store = await subscriber()
    const periodEnd = new Date(Date.now() + 90 * DAY_MS).toISOString()
    expect((await store.give({ plan: 'hidden', periodEnd })).body.data).toMatchObject({
      plan: 'hidden',
      status: 'active',
      periodEnd,
      due: null,
    })
    expect(await later(store, after(periodEnd, 0))).toMatchObject({ status: 'past_due', due: { amount: 500 } })
    expect((await store.give({ plan: 'pro' })).body.data).toMatchObject({ plan: 'pro', status: 'active', periodEnd: null, dues: [] })
    await store.give({ plan: 'pro', credit: { amount: 12.5, currency: 'DZD' } })
    expect((await store.give({ plan: 'pro', credit: { amount: -2.5, currency: 'DZD' } })).body.data.credits).toEqual([
      { currency: 'DZD', amount: 10 },
    ])
    const { data: entries } = await ok('GET', `${store.at}/audit`, { as: store.owner.token })
    expect(entries.map(({ what }: { what: string }) => what)).toContain('subscription.changed')
  })

  test('a credit that takes the sum past what an amount may be is refused and changes nothing', async () => {
    const store = await subscriber()
    const most = 1e11
    const give = (amount: number) => store.give({ plan: 'free', credit: { amount, currency: 'DZD' } })
    expect((await give(most)).body.data.credits).toEqual([{ currency: 'DZD', amount: most }])
    const refused = await give(1)
    expect(outcome(refused)).toBe('400 invalid_request')
    expect(refused.body.error.details).toEqual([
      { path: '/body/credit/amount', message: 'The credit of the store in DZD would pass 100000000000. It is 100000000000 now.' },
    ])
    expect((await give(-most)).body.data.credits).toEqual([])
    expect((await give(-most)).status).toBe(200)
    expect(outcome(await give(-1))).toBe('400 invalid_request')
    expect((await store.read()).credits).toEqual([{ currency: 'DZD', amount: -most }])
    expect((await give(most)).body.data.credits).toEqual([])
  })

  test('what a store paid beyond the largest amount is still shown', async () => {
    const store = await subscriber()
    await store.give({ plan: 'free', credit: { amount: 1e11, currency: 'DZD' } })
    await app.context.sql`insert into subscription_credits (project_id, id, kind, amount, currency, about)
      values (${projectIdOf(store.storeId)}, 'scr_paid', 'payment', 2500, 'DZD', 'spy_1')`
    expect((await store.read()).credits).toEqual([{ currency: 'DZD', amount: 100000002500 }])
  })

  test('alone does', async () => {
    const store = await subscriber()
    const at = `/v1/admins/stores/${store.storeId}/subscription`
    expect(outcome(await call('PUT', at, { body: { plan: 'pro' } }))).toBe('401 unauthenticated')
    expect(outcome(await call('PUT', at, { as: store.owner.token, body: { plan: 'pro' } }))).toBe('403 forbidden')
    expect(outcome(await store.give({ plan: 'nothing' }))).toBe('404 not_found')
    expect(outcome(await store.give({ plan: 'pro', periodEnd: '2020-01-01T00:00:00.000Z' }))).toBe('400 invalid_request')
    expect(outcome(await store.give({ plan: 'pro', credit: { amount: 0.001, currency: 'DZD' } }))).toBe('400 invalid_request')
    expect(outcome(await call('PUT', '/v1/admins/stores/sto_none/subscription', { as: admin.token, body: { plan: 'pro' } }))).toBe(
      '404 not_found',
    )
  })
})

test('a store that is deleted has no subscription any more', async () => {
  const store = await subscriber()
  await store.on('basic')
  expect(outcome(await call('DELETE', store.at, { as: store.owner.token }))).toBe('204')
  const [row] = await sql`select status, look_at from subscriptions where project_id = ${projectIdOf(store.storeId)}`
  expect(row).toEqual({ status: 'cancelled', lookAt: null })
})

test('a store that was deleted meanwhile chooses and pays nothing more', async () => {
  const store = await subscriber()
  await ok('DELETE', store.at, { as: store.owner.token })
  const choosing = transaction(sql, (tx) => choosePlan(tx, store.storeId, 'tried', { now: Date.now() }))
  await expect(choosing).rejects.toMatchObject({ code: 'not_found' })
})

test('subscriptions: the totals of all payments add up', async () => expect(await differences(app)).toEqual([]))
