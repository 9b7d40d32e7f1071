import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { advanceDueSubscriptions } from '../../../core/money/billing/periods/renew.ts'
import { pollPayment } from '../../../core/money/payments/events/poll-payment.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { letterTo } from '../../support/letters.ts'
import { formOf, jpegOf } from '../../support/uploads.ts'
import { differences, PLANS, type Subscriber, sellingPlatform } from './subscription-shop.ts'

const app = await startApp({}, { socket: true })
const { call, ok, context, person } = app
const { sql } = context
const { admin, subscriber, onPage } = await sellingPlatform(app, PLANS)
const other = await person('Another administrator')
const appoint = async ({ id, email }: { id: string; email: string }) => {
  await sql`update users set email_verified = true where id = ${id}`
  await ok('POST', '/v1/admins', { as: admin.token, body: { email } })
}
await appoint(other)
const connection = '/v1/platform/integrations/offline'
const connect = (enabled = true) =>
  ok('PUT', connection, { as: admin.token, body: { enabled, credentials: {}, settings: { account: '00799999000123456789' } } })
await connect()
const receipt = await jpegOf(300, 200)

const platform = '/v1/platform/subscription-payments'
const offline = { gateway: 'offline', language: 'fr' }
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const page = (id: string) => call('GET', `/v1/subscription-payments/${id}/proof`)
async function send(id: string, bytes: Uint8Array | string = receipt, name = 'receipt.jpg') {
  const { raw, type } = await formOf(bytes, name)
  return call('POST', `/v1/subscription-payments/${id}/proof`, { raw, headers: { 'content-type': type } })
}
const settle = (id: string, body: object = { status: 'paid' }, as: string | null = admin.token) =>
  call('POST', `${platform}/${id}/settle`, { ...(as && { as }), body })
const waiting = async () => (await ok('GET', `${platform}?limit=100`, { as: admin.token })).data as { id: string }[]
const proofsOf = async (id: string) => (await ok('GET', `${platform}/${id}/proofs`, { as: admin.token })).data as { url: string }[]
const statusesOf = async (store: Subscriber) => (await store.list('payments')).map(({ status }: { status: string }) => status)
async function begun(plan = 'basic') {
  const store = await subscriber()
  const { body, status } = await store.checkout(plan, offline)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { store, id: body.data.payment.id as string, payment: body.data.payment }
}
/** All of it happened so many days ago. */
const days = async (store: Subscriber, count: number) => {
  const back = sql`${count} * interval '1 day'`
  await sql`update payments set created_at = created_at - ${back}, expires_at = expires_at - ${back} where project_id = ${projectIdOf(store.storeId)}`
  await sql`update subscription_invoices set due_at = due_at - ${back}, void_at = void_at - ${back} where project_id = ${projectIdOf(store.storeId)}`
}

/** The note-book of the gateway says that the page of a payment ended. */
const expireAtGateway = (id: string) =>
  sql`update adapter_storage set value = jsonb_set(value, '{expiresAt}', to_jsonb('2020-01-01T00:00:00.000Z'::text)) where value->>'paymentId' = ${id}`

describe('the page', () => {
  test('shows the amount, the account and the reference to pay with to every reader who has its address', async () => {
    const { store, id, payment } = await begun()
    expect(payment).toMatchObject({
      gateway: 'offline',
      status: 'open',
      amount: 1000,
      checkoutUrl: `${app.origin}/v1/subscription-payments/${id}/proof`,
    })
    const shown = await page(id)
    expect(shown.status).toBe(200)
    const { name, slug } = (await ok('GET', store.at, { as: store.owner.token })).data
    for (const words of ['00799999000123456789', 'Abonnement', name, slug, `action="/v1/subscription-payments/${id}/proof"`])
      expect(shown.body).toContain(words)
    expect((await store.checkout('basic', offline)).body.data.payment.id).toBe(id)
  })

  test('is of no payment whose gateway sees money itself, and of no order', async () => {
    const { id } = (await (await subscriber()).checkout('basic')).body.data.payment
    for (const none of [id, 'spy_none'])
      expect([outcome(await page(none)), outcome(await send(none))]).toEqual(['404 not_found', '404 not_found'])
    expect(outcome(await settle(id))).toBe('409 invalid_transition')
    const { id: ours } = await begun()
    expect((await call('GET', `/v1/payments/${ours}/proof`)).status).toBe(404)
  })

  test('that nobody used is over, and the plan is not had', async () => {
    const { store, id } = await begun()
    await expireAtGateway(id)
    await days(store, 8)
    await pollPayment(context, id)
    expect(await statusesOf(store)).toEqual(['expired'])
    expect((await page(id)).body).toContain('pas été effectué')
    expect([outcome(await send(id)), (await store.read()).plan]).toEqual(['409 invalid_transition', 'free'])
  })
})

describe('a receipt', () => {
  test('makes the payment wait for an administrator, who is written to, sees it, and says that the money is there', async () => {
    const { store, id } = await begun()
    expect((await send(id)).body).toContain('Le reçu est arrivé')
    expect(await statusesOf(store)).toEqual(['processing'])
    expect((await letterTo(app, other.email, 'receipt')).text).toContain(`${platform}/${id}/proofs`)
    expect((await waiting()).map((one) => one.id)).toContain(id)
    const [proof] = await proofsOf(id)
    const file = await call('GET', new URL(proof!.url, app.origin).pathname)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect((await store.read()).plan).toBe('free')

    expect((await settle(id)).body.data).toMatchObject({ status: 'paid', paid: 1000, checkoutUrl: null })
    expect(await store.read()).toMatchObject({ plan: 'basic', status: 'active', credits: [], due: null })
    expect((await waiting()).map((one) => one.id)).not.toContain(id)
    expect((await page(id)).body).toContain('Paiement effectué')
    expect([outcome(await send(id)), outcome(await settle(id, { status: 'failed' }))]).toEqual([
      '409 invalid_transition',
      '409 invalid_transition',
    ])
  })

  test('that is refused gives no plan, and may be followed by a better one', async () => {
    const { store, id } = await begun()
    await send(id)
    expect((await settle(id, { status: 'failed', reason: 'It is of last year.' })).body.data).toMatchObject({
      status: 'failed',
      paid: null,
    })
    expect((await page(id)).body).toContain('It is of last year.')
    expect((await store.read()).plan).toBe('free')
    expect((await send(id)).status).toBe(200)
    expect(await store.list('payments')).toMatchObject([{ status: 'processing', message: null }])
    expect((await proofsOf(id)).length).toBe(2)
    await settle(id)
    expect((await store.read()).plan).toBe('basic')
  })

  test('is a picture or a PDF, one of five, however many are sent at once, and of others nothing is kept', async () => {
    const { store, id } = await begun()
    for (const [bytes, name, status] of [
      ['<html></html>', 'a.jpg', 415],
      ['a,b\n1,2', 'a.csv', 415],
      [new Uint8Array(8 * 1024 * 1024 + 1), 'a.jpg', 413],
    ] as const)
      expect((await send(id, bytes, name)).status).toBe(status)
    expect(await statusesOf(store)).toEqual(['open'])
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(id)))
    const more = [await send(id), await send(id)]
    expect([...answers, ...more].filter(({ status }) => status === 200).length).toBe(5)
    expect(outcome(more[1]!)).toBe('422 limit_reached')
    expect((await sql`select 1 from files where project_id = ${projectIdOf(store.storeId)} and owner = 'store'`).length).toBe(5)
  })

  test('is waited for by nothing else: no other payment is begun until it was judged', async () => {
    const { store, id } = await begun()
    await send(id)
    for (const again of [store.checkout('basic'), store.checkout('pro', offline), store.payDue()])
      expect(outcome(await again)).toBe('409 outcome_unknown')
    expect((await store.checkout('basic', offline)).body.data.payment.id).toBe(id)
    await settle(id, { status: 'failed' })
    expect(outcome(await store.checkout('basic'))).toBe('201')
  })

  test('is judged however late, and what was offered as it was begun is had', async () => {
    const { store, id } = await begun()
    await send(id)
    await days(store, 25)
    expect((await store.read()).due).toBe(null)
    await settle(id)
    expect(await store.read()).toMatchObject({ plan: 'basic', credits: [] })
  })

  test('is not over because nobody judged it for weeks', async () => {
    const { store, id } = await begun()
    await send(id)
    await days(store, 90)
    await pollPayment(context, id)
    expect(await store.list('payments')).toMatchObject([
      { status: 'processing', message: expect.stringContaining('an administrator does') },
    ])
    expect((await waiting()).map((one) => one.id)).toContain(id)
  })
})

describe('only an administrator', () => {
  test('lists, sees receipts and settles', async () => {
    const { store, id } = await begun()
    await send(id)
    const stranger = await subscriber()
    for (const [as, status] of [
      [null, 401],
      ['nonsense', 401],
      [store.key, 403],
      [store.owner.token, 403],
      [stranger.owner.token, 403],
    ] as const) {
      const answers = [
        await settle(id, { status: 'paid' }, as),
        ...(await Promise.all(['', `/${id}/proofs`].map((path) => call('GET', platform + path, as ? { as } : {})))),
      ]
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status])
    }
    expect(outcome(await call('GET', `/v1/stores/${store.storeId}/subscription/payments`, { as: stranger.owner.token }))).toStartWith('40')
    expect(outcome(await call('GET', `/v1/files?storeId=${store.storeId}`, { as: stranger.owner.token }))).toStartWith('40')
    expect([outcome(await settle('spy_none')), outcome(await call('GET', `${platform}/spy_none/proofs`, { as: admin.token }))]).toEqual([
      '404 not_found',
      '404 not_found',
    ])
    expect(await statusesOf(store)).toEqual(['processing'])
  })

  test('from outside the store settles its payments', async () => {
    const { store, id } = await begun()
    await send(id)
    await appoint(store.owner)
    expect(outcome(await settle(id, { status: 'paid' }, store.owner.token))).toBe('403 forbidden')
    expect(outcome(await settle(id, { status: 'paid' }, other.token))).toBe('200')
    await ok('DELETE', `/v1/admins/${store.owner.id}`, { as: admin.token })
  })

  test.each([
    [{ status: 'paid', amount: 0.001 }, 422],
    [{ status: 'failed', amount: 5 }, 422],
    [{ status: 'open' }, 400],
    [{}, 400],
    [{ status: 'paid', more: 1 }, 400],
  ])('says no %j', async (body, status) => {
    const { store, id } = await begun()
    expect((await settle(id, body)).status).toBe(status)
    expect(await statusesOf(store)).toEqual(['open'])
  })

  test('counts what is there: without a receipt, less, or more', async () => {
    const [cash, less, more] = [await begun(), await begun(), await begun()]
    await Promise.all([
      settle(cash.id),
      settle(less.id, { status: 'paid', amount: 400 }),
      settle(more.id, { status: 'paid', amount: 1500 }),
    ])
    expect((await cash.store.read()).plan).toBe('basic')
    expect(await less.store.read()).toMatchObject({ plan: 'free', due: { amount: 600 } })
    expect(await more.store.read()).toMatchObject({ plan: 'basic', credits: [{ currency: 'DZD', amount: 500 }] })
  })

  test('and another, who decide differently at once, leave one payment that is valid', async () => {
    const { store, id } = await begun()
    await send(id)
    const said = await Promise.all([
      settle(id),
      settle(id, { status: 'failed' }, other.token),
      settle(id, { status: 'paid' }, other.token),
      settle(id, { status: 'paid', amount: 900 }),
      send(id),
    ])
    expect(said.filter(({ status }) => status >= 500)).toEqual([])
    const [payment] = await store.list('payments')
    expect(payment.status).toBe('paid')
    expect((await sql`select 1 from subscription_credits where about = ${id}`).length).toBe(1)
  })
})

describe('meanwhile', () => {
  test('a cancellation leaves what is paid to the credit', async () => {
    const { store, id } = await begun()
    await send(id)
    expect(outcome(await store.cancel())).toBe('200')
    await settle(id)
    expect(await store.read()).toMatchObject({ plan: 'free', credits: [{ currency: 'DZD', amount: 1000 }] })
  })

  test('the gateway switched off takes no receipts and no new payments, and what waits is settled', async () => {
    const [one, two] = [await begun(), await begun()]
    await send(one.id)
    expect(outcome(await call('DELETE', connection, { as: admin.token }))).toBe('409 conflict')
    await connect(false)
    expect([
      outcome(await page(two.id)),
      outcome(await send(two.id)),
      outcome(await (await subscriber()).checkout('basic', offline)),
    ]).toEqual(['404 not_found', '404 not_found', '422 adapter_not_enabled'])
    expect([outcome(await settle(one.id)), outcome(await settle(two.id, { status: 'failed' }))]).toEqual(['200', '200'])
    expect([(await one.store.read()).plan, (await two.store.read()).plan]).toEqual(['basic', 'free'])
    await connect()
    for (const id of [one.id, two.id]) await pollPayment(context, id)
    expect([await statusesOf(one.store), await statusesOf(two.store)]).toEqual([['paid'], ['failed']])
  })

  test('a store is not deleted, and of one that was no receipt is taken', async () => {
    const { store, id } = await begun()
    await send(id)
    const leave = () => call('DELETE', store.at, { as: store.owner.token })
    expect(outcome(await leave())).toBe('409 conflict')
    await settle(id, { status: 'failed' })
    expect((await leave()).status).toBeLessThan(300)
    expect([outcome(await page(id)), outcome(await send(id))]).toEqual(['404 not_found', '404 not_found'])
    expect((await call('GET', `/v1/subscription-payments/${id}/return`)).status).toBe(200)
  })
})

test('offline payments: the next month can be paid offline as well', async () => {
  const store = await subscriber()
  await store.on('basic')
  const { periodEnd } = await store.read()
  await advanceDueSubscriptions(context, Date.parse(periodEnd) - DAY_MS)
  const { id } = (await store.ask('subscription/payDue', offline)).body.data
  await send(id)
  await settle(id)
  expect((await store.list('payments'))[0]).toMatchObject({ id, status: 'paid', paid: 1000 })
  await advanceDueSubscriptions(context, Date.parse(periodEnd) + 1000)
  const now = await store.read()
  expect([now.status, now.periodEnd > periodEnd]).toEqual(['active', true])
})

test('offline payments: they are never chosen by default, and none of the sandbox waits for a person', async () => {
  const { payment } = (await (await subscriber()).checkout('basic')).body.data
  expect(payment.gateway).toBe('sandbox-payment')
  await onPage(payment.checkoutUrl)
  expect((await waiting()).map(({ id }) => id)).not.toContain(payment.id)
})

test('offline payments: the totals of all payments add up', async () => {
  expect(await differences(app)).toEqual([])
})
