import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { openConnection } from '../../../core/integrations/connections/connection.ts'
import { findConnectionById } from '../../../core/integrations/connections/connections.queries.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { subscriptionRef } from '../../../core/money/billing/payments/subscription-payable.ts'
import { advanceSubscription } from '../../../core/money/billing/periods/renew.ts'
import { applyGatewayEvent, recordGatewayEvent } from '../../../core/money/payments/events/apply-gateway-event.ts'
import { expirePayment, pollPayment } from '../../../core/money/payments/events/poll-payment.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { random } from '../../support/random.ts'
import { often } from '../../support/thorough.ts'
import { differences, PLANS, type Subscriber, sellingPlatform } from './subscription-shop.ts'

/** `SUBSCRIPTION_SCRIPTS=2000` soaks; `SUBSCRIPTION_SEED` repeats a run. */
const SCRIPTS = Number(process.env.SUBSCRIPTION_SCRIPTS ?? often({ quick: 8, thorough: 20 }))
const SEED = Number(process.env.SUBSCRIPTION_SEED ?? 20_261_123)

const app = await startApp({ databasePool: 12 })
const { call, ok, context } = app
const { sql } = context
const { admin, subscriber, onPage } = await sellingPlatform(app, {
  ...PLANS,
  african: { code: 'african', name: 'African', price: 5000, currency: 'XAF', available: true },
})

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
/** News of a payment of 1000 DZD that was paid. */
const told = (store: Subscriber, id: string, more: object) =>
  transaction(sql, (tx) =>
    applyGatewayEvent(
      context,
      tx,
      { ...subscriptionRef(store.storeId), id },
      { status: 'paid', amount: 100_000, currency: 'DZD', ...more },
    ),
  )
const paymentsOf = (store: Subscriber) =>
  store.list('payments') as Promise<{ id: string; status: string; amount: number; paid: number | null }[]>

test('subscriptions: a plan that no gateway can charge for cannot be chosen', async () => {
  const store = await subscriber()
  const before = await store.read()
  expect(outcome(await store.checkout('basic', { gateway: 'stripe' }))).toBe('422 adapter_not_enabled')
  expect(outcome(await store.checkout('african'))).toBe('422 currency_not_supported')
  expect([await store.list('invoices'), await store.read()]).toEqual([[], before])
})

test('a plan is not chosen either where too many payments were begun within a day', async () => {
  const store = await subscriber()
  const plans = ['basic', 'pro'] as const
  let [begun, last] = [0, '']
  // A page that is not closed yet is given once more.
  for (; begun < 300 && last === ''; begun += 1) {
    const before = await store.read()
    const answer = await store.checkout(plans[begun % 2]!)
    if (answer.status === 201) continue
    last = outcome(answer)
    expect(await store.read()).toEqual(before)
  }
  const [made] = await sql<
    [{ count: number }]
  >`select count(*)::int as count from payments where project_id = ${projectIdOf(store.storeId)}`
  expect([made.count, last]).toEqual([50, '422 too_many_payments'])
  // What is begun already can be paid still.
  expect(outcome(await store.payDue())).toBe('201')
})

describe('a payment', () => {
  test('is begun once, however many ask at once, and its page given to all', async () => {
    const store = await subscriber()
    const answers = await Promise.all(Array.from({ length: 5 }, () => store.checkout('basic')))
    expect(answers.map(outcome)).toEqual(Array(5).fill('201'))
    expect(new Set(answers.map(({ body }) => body.data.payment.checkoutUrl)).size).toBe(1)
    expect((await paymentsOf(store)).length).toBe(1)
    expect((await store.list('invoices')).filter(({ status }: { status: string }) => status === 'open').length).toBe(1)
  })

  test('makes one period, however many tell of it at once', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic')).body.data
    await Promise.all([
      onPage(payment.checkoutUrl),
      onPage(payment.checkoutUrl),
      store.activate(),
      pollPayment(context, payment.id),
      call('GET', `/v1/subscription-payments/${payment.id}/return`),
    ])
    await pollPayment(context, payment.id)
    const now = await store.read()
    expect(now).toMatchObject({ plan: 'basic', status: 'active', credits: [], due: null })
    expect((await paymentsOf(store)).map(({ status, paid }) => [status, paid])).toEqual([['paid', 1000]])
  })

  test('of too little leaves the rest due, of too much something to its credit', async () => {
    const store = await subscriber()
    await onPage((await store.checkout('basic')).body.data.payment.checkoutUrl, 'pay', 40_000)
    expect(await store.read()).toMatchObject({ plan: 'free', due: { amount: 600 }, credits: [{ currency: 'DZD', amount: 400 }] })
    const { data: rest } = (await store.payDue()).body
    expect(rest.amount).toBe(600)
    await onPage(rest.checkoutUrl, 'pay', 75_050)
    expect(await store.read()).toMatchObject({ plan: 'basic', due: null, credits: [{ currency: 'DZD', amount: 150.5 }] })
  })

  test('of what the gateway cannot count in is the next that it can, and the rest to the credit', async () => {
    const store = await subscriber()
    await store.checkout('basic')
    await store.give({ plan: 'free', credit: { amount: 0.5, currency: 'DZD' } })
    await store.subscribe('basic')
    // A gateway that counts in whole dinars, as that of the sandbox does not.
    const sandbox = context.plugins.find('payment', 'sandbox-payment')!.adapter as { unit: string }
    sandbox.unit = 'major'
    const begun = await store.payDue().finally(() => {
      sandbox.unit = 'minor'
    })
    expect(begun.body.data.amount).toBe(1000)
    await onPage(begun.body.data.checkoutUrl, 'pay')
    expect(await store.read()).toMatchObject({ due: null })
  })

  test('that was declined is begun anew', async () => {
    const store = await subscriber()
    const first = (await store.checkout('basic')).body.data.payment
    await onPage(first.checkoutUrl, 'decline')
    const second = (await store.payDue()).body.data
    expect(second.id).not.toBe(first.id)
    await onPage(second.checkoutUrl)
    expect((await paymentsOf(store)).map(({ status }) => status)).toEqual(['paid', 'failed'])
    expect((await store.read()).plan).toBe('basic')
  })

  test('that comes late or twice stays to the credit of the store, and pays what comes next', async () => {
    const store = await subscriber()
    const first = (await store.checkout('basic')).body.data.payment
    const second = (await store.checkout('pro')).body.data.payment
    expect([first.amount, second.amount]).toEqual([1000, 3000])
    await expirePayment(context, first.id)
    const late = { status: 'paid' as const, amount: 100_000, currency: 'DZD' }
    expect(await transaction(sql, (tx) => applyGatewayEvent(context, tx, { ...subscriptionRef(store.storeId), id: first.id }, late))).toBe(
      'applied',
    )
    expect(await store.read()).toMatchObject({ plan: 'free', due: { amount: 2000 }, credits: [{ amount: 1000 }] })
    await onPage(second.checkoutUrl)
    expect(await store.read()).toMatchObject({ plan: 'pro', credits: [{ currency: 'DZD', amount: 1000 }] })
    const twin = { status: 'paid' as const, externalId: 'sbx_another', amount: 300_000, currency: 'DZD' }
    expect(await transaction(sql, (tx) => applyGatewayEvent(context, tx, { ...subscriptionRef(store.storeId), id: second.id }, twin))).toBe(
      'applied',
    )
    expect(
      await transaction(sql, (tx) =>
        applyGatewayEvent(context, tx, { ...subscriptionRef(store.storeId), id: second.id }, { status: 'paid' }),
      ),
    ).toBe('same')
    expect((await store.read()).credits).toEqual([{ currency: 'DZD', amount: 4000 }])
  })

  test('in another currency counts for nothing until an administrator says what it is worth', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic')).body.data
    await transaction(sql, (tx) =>
      applyGatewayEvent(
        context,
        tx,
        { ...subscriptionRef(store.storeId), id: payment.id },
        { status: 'paid', amount: 700, currency: 'EUR' },
      ),
    )
    expect(await store.read()).toMatchObject({ plan: 'free', credits: [], due: { amount: 1000 } })
    expect((await store.list('payments'))[0]).toMatchObject({ status: 'paid', paid: null, message: expect.stringContaining('EUR') })
    await store.give({ plan: 'free', credit: { amount: 1000, currency: 'DZD' } })
    expect((await store.subscribe('basic')).body.data).toMatchObject({ plan: 'basic', due: null, credits: [] })
  })

  test('that was given back at the gateway is owed again', async () => {
    const store = await subscriber()
    await store.on('basic')
    const [payment] = await paymentsOf(store)
    const refund = { status: 'paid' as const, amount: 100_000, refunded: 25_000, currency: 'DZD' }
    const tell = () =>
      transaction(sql, (tx) => applyGatewayEvent(context, tx, { ...subscriptionRef(store.storeId), id: payment!.id }, refund))
    expect([await tell(), await tell()]).toEqual(['applied', 'same'])
    expect((await store.list('payments'))[0]).toMatchObject({ status: 'partially_refunded', refunded: 250 })
    expect((await store.read()).credits).toEqual([{ currency: 'DZD', amount: -250 }])
    await store.give({ plan: 'basic', credit: { amount: 250, currency: 'DZD' } })
  })

  test('whose refund failed is to the credit of the store again, and pays what is due', async () => {
    const store = await subscriber()
    await store.on('basic')
    const [payment] = await paymentsOf(store)
    const tell = (refunded: number) => told(store, payment!.id, { refunded })
    const shown = async () => {
      const [{ status, refunded }] = await store.list('payments')
      return { status, refunded, credits: (await store.read()).credits }
    }
    const nothing = { status: 'paid', refunded: 0, credits: [] }
    const longAgo = () => sql`update payment_refunds set updated_at = updated_at - interval '2 minutes' where payment_id = ${payment!.id}`
    expect([await tell(100_000), await shown()]).toEqual([
      'applied',
      { status: 'refunded', refunded: 1000, credits: [{ currency: 'DZD', amount: -1000 }] },
    ])
    // It may have been read before it was given back.
    expect(await tell(0)).toBe('same')
    await longAgo()
    expect([await tell(0), await shown(), await tell(0)]).toEqual(['applied', nothing, 'same'])
    expect(await told(store, payment!.id, {})).toBe('same')
    await tell(100_000)
    await store.upgrade('pro')
    const [{ total }] = (await store.read()).dues
    await sql`insert into subscription_credits (project_id, id, kind, amount, currency, about)
      values (${projectIdOf(store.storeId)}, ${`scr_of_${store.storeId}`}, 'admin', ${total}, 'DZD', 'gift')`
    await longAgo()
    expect((await store.read()).plan).toBe('basic')
    await tell(0)
    expect((await store.read()).plan).toBe('pro')
  })

  test('whose gateway reports fewer refunds than before is refunded by that much', async () => {
    const store = await subscriber()
    await store.on('basic')
    const [payment] = await paymentsOf(store)
    const tell = (refunded: number) => told(store, payment!.id, { refunded })
    await tell(30_000)
    await tell(50_000)
    await sql`update payment_refunds set updated_at = updated_at - interval '2 minutes' where payment_id = ${payment!.id}`
    expect([await tell(40_000), await tell(40_000)]).toEqual(['applied', 'same'])
    expect((await store.list('payments'))[0]).toMatchObject({ status: 'partially_refunded', refunded: 400 })
    expect((await store.read()).credits).toEqual([{ currency: 'DZD', amount: -400 }])
    const refunds = await sql<{ status: string; amount: number }[]>`
      select status, amount::float8 from payment_refunds where payment_id = ${payment!.id} order by id`
    expect(refunds.map(({ status, amount }) => [status, amount])).toEqual([
      ['done', 300],
      ['failed', 200],
      ['done', 100],
    ])
    await store.give({ plan: 'basic', credit: { amount: 400, currency: 'DZD' } })
  })

  test('that a bank charged back is marked so, and administrators are told; the period it paid for stays', async () => {
    const store = await subscriber()
    await store.on('basic')
    const [payment] = await paymentsOf(store)
    const before = await store.read()
    const told = { status: 'paid' as const, amount: 100_000, refunded: 0, currency: 'DZD', takenBack: true }
    const logged: unknown[] = []
    const log = { ...context.log, error: (what: unknown) => void logged.push(what) } as typeof context.log
    const ref = { ...subscriptionRef(store.storeId), id: payment!.id }
    const tell = () => transaction(sql, (tx) => applyGatewayEvent({ ...context, log }, tx, ref, told))
    expect([await tell(), await tell()]).toEqual(['applied', 'same'])
    expect(logged).toEqual([{ paymentId: payment!.id, gateway: 'sandbox-payment' }])
    const [shown] = await store.list('payments')
    expect(shown).toMatchObject({ status: 'paid', refunded: 0, message: expect.stringContaining('took money of this payment back') })
    expect(await store.read()).toEqual(before)
  })

  test('paid in a second page after all of it was given back is money of its own', async () => {
    const store = await subscriber()
    await store.on('basic')
    const [payment] = await paymentsOf(store)
    await told(store, payment!.id, { refunded: 100_000 })
    expect(await told(store, payment!.id, { externalId: `second_${payment!.id}` })).toBe('applied')
    expect((await store.read()).credits).toEqual([])
    expect((await paymentsOf(store)).map(({ status }) => status).toSorted()).toEqual(['paid', 'refunded'])
  })

  test('paid in a second page is one more, however many tell of that at once', async () => {
    const store = await subscriber()
    await store.on('basic')
    const [payment] = await paymentsOf(store)
    const tell = () => told(store, payment!.id, { externalId: `twice_${payment!.id}` })
    expect((await Promise.all([tell(), tell(), tell()])).toSorted()).toEqual(['applied', 'same', 'same'])
    expect((await store.read()).credits).toEqual([{ currency: 'DZD', amount: 1000 }])
  })

  test('goes to a gateway of the platform that is there and takes the currency', async () => {
    const store = await subscriber()
    expect(outcome(await store.checkout('basic', { gateway: 'chargily' }))).toBe('422 adapter_not_enabled')
    expect(outcome(await store.checkout('african'))).toBe('422 currency_not_supported')
    expect(outcome(await store.checkout('basic', { amount: 1 }))).toBe('400 invalid_request')
    for (const returnTo of ['javascript:alert(1)', 'https://[', 'https://app.example:99999/'])
      expect(outcome(await store.checkout('basic', { returnTo }))).toBe('400 invalid_request')
    expect(outcome(await store.ask('subscription/payDue', { returnTo: 'https://[' }))).toBe('400 invalid_request')
  })

  test('goes to none where a person says whether money is there, unless that one is named', async () => {
    const offline = '/v1/platform/integrations/offline'
    await ok('PUT', offline, { as: admin.token, body: { enabled: true, credentials: {}, settings: { account: '00799999000123456789' } } })
    const store = await subscriber()
    expect((await store.checkout('basic')).body.data.payment.gateway).toBe('sandbox-payment')
    await ok('DELETE', offline, { as: admin.token })
  })

  test('brings its payer back to a page of ours, or on to the one that was named', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic', { language: 'fr', returnTo: 'https://app.example/billing?x=1' })).body.data
    const on = await call('GET', `/v1/subscription-payments/${payment.id}/return`)
    expect([on.status, on.headers.get('location')]).toEqual([303, `https://app.example/billing?x=1&payment=${payment.id}&outcome=waiting`])
    const other = await subscriber()
    const plain = (await other.checkout('basic', { language: 'fr' })).body.data.payment
    await onPage(plain.checkoutUrl)
    const page = await call('GET', `/v1/subscription-payments/${plain.id}/return`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('Abonnement')
    expect(outcome(await call('GET', '/v1/subscription-payments/spy_none/return'))).toBe('404 not_found')
  })

  test('is none of an order: it is not among the payments of the store, and its pages are its own', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic')).body.data
    await onPage(payment.checkoutUrl)
    expect((await ok('GET', `${store.at}/payments`, { as: store.owner.token })).data).toEqual([])
    const sheet = await call('GET', `${store.at}/payments/export.csv`, { as: store.owner.token })
    expect([sheet.status, String(sheet.body).includes(payment.id)]).toEqual([200, false])
    expect(outcome(await call('GET', `/v1/payments/${payment.id}/return`))).toBe('404 not_found')
    expect((await call('GET', `/v1/subscription-payments/${payment.id}/return`)).status).toBe(200)
    // The money of a plan is the platform's: it is in no ledger of a store.
    expect([...(await sql`select 1 from ledger_entries where payment_id = ${payment.id}`)]).toEqual([])
  })

  test('told before its page was stored counts once the page is', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic')).body.data
    const [row] = await sql<{ externalId: string; connectionId: string; checkoutUrl: string }[]>`
      select external_id, connection_id, checkout_url from payments where id = ${payment.id}`
    // As if the gateway's event had come while its answer was on the way.
    await sql`update payments set external_id = null, checkout_url = null, status = 'created', asking_until = null where id = ${payment.id}`
    const event = { status: 'paid' as const, externalId: row!.externalId, amount: 100_000, currency: 'DZD' }
    const connection = openConnection(context, 'payment', (await findConnectionById(sql, row!.connectionId))!)
    expect(await recordGatewayEvent(context, connection, event)).toBe('early')
    expect((await store.read()).plan).toBe('free')
    expect(outcome(await store.checkout('basic'))).toBe('201')
    expect(await store.read()).toMatchObject({ plan: 'basic', credits: [], due: null })
  })

  test('is believed only from the gateway, whose connection stays while it is under way', async () => {
    const store = await subscriber()
    await store.checkout('basic')
    const at = '/v1/platform/integrations/sandbox-payment'
    expect(outcome(await call('POST', `${at}/webhook`, { body: { checkout: 'sbx_1', proof: 'guess', choice: 'pay' } }))).toBe(
      '401 invalid_signature',
    )
    expect(outcome(await call('POST', '/v1/platform/integrations/chargily/webhook', { body: {} }))).toBe('404 not_found')
    expect(outcome(await call('DELETE', at, { as: admin.token }))).toBe('409 conflict')
    expect(outcome(await call('DELETE', store.at, { as: store.owner.token }))).toBe('409 conflict')
  })

  test('whose gateway does not answer is not over, and its store reads of that; in the end it is', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic')).body.data
    const began = (days: number) => sql`update payments set created_at = now() - ${days} * interval '1 day',
      expires_at = now() - ${days - 1} * interval '1 day' where id = ${payment.id}`
    const switched = (enabled: boolean) =>
      ok('PUT', '/v1/platform/integrations/sandbox-payment', { as: admin.token, body: { enabled, credentials: {}, settings: {} } })
    const read = async () => {
      await pollPayment(context, payment.id)
      const [row] = await sql<{ status: string; message: string | null; readAt: string | null }[]>`
        select status, message, read_at from payments where id = ${payment.id}`
      return row!
    }
    await switched(false)
    await expirePayment(context, payment.id)
    expect(await read()).toMatchObject({ status: 'open', readAt: expect.anything() })
    await began(2.1)
    expect(await read()).toMatchObject({ status: 'open', message: expect.stringContaining('does not say'), readAt: expect.anything() })
    await sql`update payments set status = 'processing' where id = ${payment.id}`
    await expirePayment(context, payment.id)
    expect(await read()).toMatchObject({ status: 'processing', readAt: expect.anything() })
    await sql`update payments set status = 'open' where id = ${payment.id}`
    await began(9.1)
    expect(await read()).toMatchObject({ status: 'expired', readAt: null })
    await switched(true)
    await onPage(payment.checkoutUrl)
    expect((await store.read()).plan).toBe('basic')
  })

  test('that nobody made is ended in its time', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic')).body.data
    await expirePayment(context, payment.id)
    expect((await paymentsOf(store)).map(({ status }) => status)).toEqual(['expired'])
    expect(outcome(await onPage(payment.checkoutUrl))).not.toBe('200')
    expect((await store.read()).plan).toBe('free')
  })
})

describe('two at once', () => {
  test('upgrades to different plans: one is paid for and had', async () => {
    const store = await subscriber()
    await store.on('basic')
    await Promise.all([store.upgrade('pro'), store.upgrade('tried'), store.upgrade('pro')])
    const open = (await store.read()).dues
    expect(open.length).toBe(1)
    await onPage((await store.payDue()).body.data.checkoutUrl)
    expect(await store.read()).toMatchObject({ plan: open[0].plan, due: null })
  })

  test('a payment and a cancellation at once: had and then over, or over with the money to its credit', async () => {
    for (let round = 0; round < 4; round += 1) {
      const store = await subscriber()
      const { payment } = (await store.checkout('basic')).body.data
      await Promise.all([onPage(payment.checkoutUrl), store.cancel({ atOnce: true })])
      const { status, plan, credits } = await store.read()
      const wasHad = status === 'cancelled'
      expect([plan, credits]).toEqual(['free', wasHad ? [] : [{ currency: 'DZD', amount: 1000 }]])
    }
  })

  test('a renewal and a cancellation are paid for once, or not at all', async () => {
    for (let round = 0; round < 4; round += 1) {
      const store = await subscriber()
      const { periodEnd } = await store.on('basic')
      await sql`insert into subscription_credits (project_id, id, kind, amount, currency, about) values (${projectIdOf(store.storeId)}, ${`scr_${store.storeId}`}, 'admin', 1000, 'DZD', 'gift')`
      const renew = () => transaction(sql, (tx) => advanceSubscription(tx, store.storeId, Date.parse(periodEnd)))
      await Promise.all([renew(), store.cancel(), renew()])
      const { status, credits, cancels } = await store.read()
      if (status === 'cancelled') expect(credits).toEqual([{ currency: 'DZD', amount: 1000 }])
      else expect([status, cancels, credits]).toEqual(['active', true, []])
    }
  })
})

type Act = (store: Subscriber) => Promise<unknown>
const onOpen =
  (choice: string, amount?: number): Act =>
  async (store) => {
    const [row] = await sql<{ checkoutUrl: string }[]>`select checkout_url from payments
      where project_id = ${projectIdOf(store.storeId)} and checkout_url is not null order by random() limit 1`
    if (row) await onPage(row.checkoutUrl, choice, amount)
  }
const inDays =
  (days: number): Act =>
  async (store) =>
    transaction(sql, (tx) => advanceSubscription(tx, store.storeId, Date.now() + days * DAY_MS))

const acts: Readonly<Record<string, Act>> = {
  basic: (store) => store.checkout('basic'),
  pro: (store) => store.checkout('pro'),
  tried: (store) => store.subscribe('tried'),
  free: (store) => store.subscribe('free'),
  upgrade: (store) => store.upgrade('pro'),
  payDue: (store) => store.payDue(),
  pay: onOpen('pay'),
  payAgain: onOpen('pay'),
  payLess: onOpen('pay', 12_345),
  decline: onOpen('decline'),
  cancel: (store) => store.cancel(),
  end: (store) => store.cancel({ atOnce: true }),
  activate: (store) => store.activate(),
  give: (store) => store.give({ plan: 'basic', periodEnd: new Date(Date.now() + 20 * DAY_MS).toISOString() }),
  soon: inDays(29),
  month: inDays(32),
  season: inDays(100),
}

test(
  'whatever is done at once, nothing is paid twice, lost, or had for nothing',
  async () => {
    const draw = random(SEED)
    const names = Object.keys(acts)
    for (let script = 0; script < SCRIPTS; script += 1) {
      const store = await subscriber()
      for (let round = 0; round < 4; round += 1) {
        const chosen = Array.from({ length: 3 }, () => names[draw(names.length)]!)
        const answers = await Promise.all(chosen.map((name) => acts[name]!(store)))
        const failed = answers.filter((answer) => ((answer as Answer | undefined)?.status ?? 0) >= 500)
        expect({ script, chosen, failed }).toEqual({ script, chosen, failed: [] })
      }
    }
    expect(await differences(app)).toEqual([])
    const odd = await sql`select s.project_id from subscriptions s where s.rate > 0 and s.status = 'active' and s.period_end is not null
      and not exists (select 1 from subscription_invoices i where i.project_id = s.project_id and i.status = 'paid' and i.plan = s.plan)`
    expect([...odd]).toEqual([])
  },
  SCRIPTS * 5_000 + 30_000,
)

test('subscriptions: payments to the platform are readable by administrators only', async () => {
  const store = await subscriber()
  const stranger = await app.person('Stranger')
  for (const what of ['invoices', 'payments'])
    expect(outcome(await call('GET', `${store.at}/subscription/${what}`, { as: stranger.token }))).toBe('404 not_found')
  expect((await ok('GET', '/v1/platform/integrations', { as: admin.token })).data.length).toBe(1)
})
