import { afterAll, describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { lockConnection, markConnectionDeleted } from '../../../core/integrations/connections/connections.queries.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { expirePayment, pollPayment } from '../../../core/money/payments/events/poll-payment.ts'
import { startSatim } from '../../adapters/payment/satim/simulator.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { untilWaiting } from '../../support/waiting.ts'
import { type Said, startTeller } from '../connectors/teller.ts'
import { differences, PLANS, type Subscriber, sellingPlatform } from './subscription-shop.ts'

const teller = await startTeller(`capture: (context, externalId) => call(context, '/checkouts/' + externalId + '/capture', {}),`)
const satim = startSatim()
afterAll(() => satim.stop())
const app = await startApp({ ...teller.with, simulators: { ...teller.with.simulators, 'test2.satim.dz': satim.url } }, { socket: true })
const { ok, context } = app
const { sql } = context
const { admin, subscriber, onPage } = await sellingPlatform(app, PLANS)
const connect = (gateway: string, credentials: object = {}) =>
  ok('PUT', `/v1/platform/integrations/${gateway}`, { as: admin.token, body: { enabled: true, credentials, settings: {} } })
await connect('teller')
await connect('satim', { ...satim.credentials })

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const atTeller = { gateway: 'teller' }
const atSandbox = { gateway: 'sandbox-payment' }
const tell = (id: string, said: Said) =>
  ok('POST', '/v1/platform/integrations/teller/webhook', { body: { externalId: id.slice(4), ...said } })
const paymentsOf = (store: Subscriber) => store.list('payments') as Promise<{ id: string; status: string; paid: number | null }[]>
const statusesOf = async (store: Subscriber) => (await paymentsOf(store)).map(({ status }) => status)

describe('while whether money came is not known', () => {
  test('no other payment is begun, and no other plan is chosen to be paid; the same page is given', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic', atTeller)).body.data
    await tell(payment.id, { status: 'processing' })
    const before = await store.read()
    for (const again of [store.checkout('basic'), store.checkout('pro', atTeller), store.ask('subscription/payDue', atSandbox)])
      expect(outcome(await again)).toBe('409 outcome_unknown')
    expect(await store.read()).toEqual(before)
    expect((await store.checkout('basic', atTeller)).body.data.payment.id).toBe(payment.id)
    expect(await statusesOf(store)).toEqual(['processing'])
    teller.says.set(payment.id.slice(4), { status: 'failed' })
    await pollPayment(context, payment.id)
    expect(outcome(await store.checkout('pro'))).toBe('201')
  })

  test('however many begin at once with the news of it, at most one of them is paid', async () => {
    for (let delay = 0; delay < 6; delay += 1) {
      const store = await subscriber()
      const { payment } = (await store.checkout('basic', atTeller)).body.data
      teller.says.set(payment.id.slice(4), { status: 'processing' })
      const [, other] = await Promise.all([
        tell(payment.id, { status: 'processing' }),
        Bun.sleep(delay * 2).then(() => store.checkout('basic', atSandbox)),
      ])
      expect(['201', '409 outcome_unknown']).toContain(outcome(other))
      expect(outcome(await store.checkout('basic', atSandbox))).toBe('409 outcome_unknown')
    }
  })

  test('news that are older than what is known change nothing', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic', atTeller)).body.data
    teller.says.set(payment.id.slice(4), { status: 'failed' })
    await tell(payment.id, { status: 'failed' })
    await tell(payment.id, { status: 'processing' })
    await until(async () => (await sql`select 1 from graphile_worker.jobs where key = ${`payment:${payment.id}`}`).length === 0)
    expect(await statusesOf(store)).toEqual(['failed'])
    expect(outcome(await store.checkout('basic'))).toBe('201')
  })
})

describe('a plan that a gateway gave no page for', () => {
  test.each([
    ['refused it', () => new Response('', { status: 422 }), '422 adapter_refused'],
    ['did not answer', () => new Response('', { status: 503 }), '502 upstream_error'],
  ])('since it %s is not chosen', async (_, answer, said) => {
    const store = await subscriber()
    const before = await store.read()
    teller.state.checkouts = answer
    expect(outcome(await store.checkout('basic', atTeller))).toBe(said)
    teller.state.checkouts = null
    expect(await store.read()).toEqual(before)
    expect(outcome(await store.payDue())).toBe('409 already_paid')
    const { payment } = (await store.checkout('basic', atTeller)).body.data
    teller.says.set(payment.id.slice(4), { status: 'paid' })
    await pollPayment(context, payment.id)
    expect(await store.read()).toMatchObject({ plan: 'basic', credits: [], due: null })
  })

  test('stays chosen where it was before, or where somebody was given a page for it', async () => {
    const store = await subscriber()
    await store.subscribe('basic')
    teller.state.checkouts = () => new Response('', { status: 422 })
    expect(outcome(await store.checkout('basic', atTeller))).toBe('422 adapter_refused')
    expect((await store.read()).due).toEqual({ amount: 1000, currency: 'DZD' })

    const other = await subscriber()
    const [called, given] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    teller.state.checkouts = () => {
      called.resolve()
      return given.promise.then(() => new Response('', { status: 422 }))
    }
    const refused = other.checkout('basic', atTeller)
    await called.promise
    const { payment } = (await other.checkout('basic', atSandbox)).body.data
    given.resolve()
    expect(outcome(await refused)).toBe('422 adapter_refused')
    teller.state.checkouts = null
    await onPage(payment.checkoutUrl)
    expect((await other.read()).plan).toBe('basic')
  })
})

describe('money that a payer let a gateway hold', () => {
  test('is taken for what is owed', async () => {
    const store = await subscriber()
    const { payment } = (await store.checkout('basic', atTeller)).body.data
    teller.says.set(payment.id.slice(4), { status: 'authorized' })
    await pollPayment(context, payment.id)
    expect(await store.read()).toMatchObject({ plan: 'basic', credits: [] })
  })

  test('is not taken once nothing of it is owed, nor where less is', async () => {
    const [cancelled, changed] = [await subscriber(), await subscriber()]
    for (const [store, plan, change] of [
      [cancelled, 'basic', () => cancelled.cancel()],
      [changed, 'pro', () => changed.subscribe('basic')],
    ] as const) {
      const { payment } = (await store.checkout(plan, atTeller)).body.data
      await change()
      teller.says.set(payment.id.slice(4), { status: 'authorized' })
      await pollPayment(context, payment.id)
      expect([await statusesOf(store), teller.state.captured.includes(payment.id.slice(4))]).toEqual([['authorized'], false])
      await expirePayment(context, payment.id)
      await pollPayment(context, payment.id)
      expect([await statusesOf(store), (await store.read()).credits]).toEqual([['expired'], []])
    }
  })
})

test('what is left of a period is asked for in what the gateway takes: whole dinars, and the rest to the credit', async () => {
  const store = await subscriber()
  await onPage((await store.checkout('basic', atSandbox)).body.data.payment.checkoutUrl)
  const half = new Date(Date.now() + 11.3 * DAY_MS).toISOString()
  await sql`update subscriptions set period_end = ${half}, anchor = null where project_id = ${projectIdOf(store.storeId)}`
  await store.upgrade('pro')
  const { due } = await store.read()
  expect(Number.isInteger(due.amount)).toBe(false)
  const begun = await store.ask('subscription/payDue', { gateway: 'satim' })
  expect(outcome(begun)).toBe('201')
  expect(begun.body.data.amount).toBe(Math.ceil(due.amount))
})

test('subscriptions: a gateway that is disconnected at this moment starts no payment', async () => {
  const store = await subscriber()
  await store.subscribe('basic')
  const [connection] = await sql<
    [{ projectId: string; id: string }]
  >`select project_id, id from integrations where project_id = '' and key = 'satim'`
  const { asked } = await transaction(sql, async (tx) => {
    await lockConnection(tx, connection)
    const asked = store.ask('subscription/payDue', { gateway: 'satim' })
    await Promise.race([asked, untilWaiting(sql, 1)])
    await markConnectionDeleted(tx, connection)
    return { asked }
  })
  expect(outcome(await asked)).toBe('422 adapter_not_enabled')
  expect(await statusesOf(store)).toEqual([])
})

test('subscriptions: the totals of all payments add up', async () => {
  expect(await differences(app)).toEqual([])
})
