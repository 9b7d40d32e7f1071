import { describe, expect, test } from 'bun:test'
import { enqueueDuePulls, pullPayouts } from '../../../core/money/gateway-payouts/pull-payouts.ts'
import { startApp } from '../../support/app.ts'
import { findCashDifferences } from '../../support/cash.ts'
import { findPaymentDifferences, findPayoutDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'
import { paymentShop } from './payment-shop.ts'
import { PRICE, payoutShop, stripeAt } from './payouts-shop.ts'

const { stripe, simulators } = stripeAt()
const app = await startApp({ simulators }, { socket: true })
const { call, ok, person, shop, context } = app
const { sql } = context
const ours = await payoutShop(app, stripe)
const { at, key, owner, storeId, sell, begin, pull, list, named, readPayout, lines, accept, balances } = ours

/** What Stripe keeps of a sale. */
const FEE = 0.6
const cents = (amount: number) => Math.round(amount * 100) / 100
type Line = { id: string; kind: string; outcome: string | null; state: string; paymentId: string | null; net: number }
const [lineOf, outcomesOf] = [
  async (payoutId: string, outcome: string) => {
    const found = ((await lines(payoutId)) as Line[]).find((line) => line.outcome === outcome)
    if (!found) throw new Error(`No line is ${outcome}.`)
    return found
  },
  async (payoutId: string) => ((await lines(payoutId)) as Line[]).map(({ kind, outcome, state }) => `${kind} ${outcome} ${state}`).sort(),
]

describe('a payout that arrived', () => {
  test('moves what customers paid to the bank, its fees to expenses, once, however often it is read', async () => {
    const before = await balances()
    const one = await sell()
    const two = await sell(2)
    await ours.onPayment(two.orderId, two.paymentId, 'refund', { amount: 5 })
    stripe.stray({ type: 'stripe_fee', amount: -200 })
    const { id: externalId } = stripe.payOut()
    await pull()
    const payout = await named(externalId)
    const amount = cents(3 * PRICE - FEE - 1.2 - 5 - 2)
    expect(payout).toMatchObject({
      gateway: 'stripe',
      status: 'paid',
      state: 'posted',
      amount,
      currency: 'USD',
      complete: true,
      waiting: 0,
    })
    expect(await outcomesOf(payout.id)).toEqual([
      'fee fee settled',
      'payment matched settled',
      'payment matched settled',
      'refund matched settled',
    ])
    expect(await lines(payout.id)).toContainEqual(
      expect.objectContaining({ kind: 'payment', paymentId: one.paymentId, orderId: one.orderId, gross: PRICE, fee: FEE, expected: PRICE }),
    )
    expect(await readPayout(payout.id)).toMatchObject({
      posted: amount,
      totals: { matched: { lines: 3, net: cents(amount + 2) }, fee: { lines: 1, net: -2 }, unknown: { lines: 0 } },
    })
    const after = await balances()
    // All that the gateway owed is in the bank.
    expect([after.carrier, after.difference]).toEqual([before.carrier, 0])
    expect(cents(after.bank - before.bank)).toBe(amount)
    expect(cents(after.fees - before.fees)).toBe(3.8)
    for (let count = 0; count < 3; count += 1) await pull()
    expect(await balances()).toEqual(after)
  })

  test('is not posted before it does, and what it is made of is known by then', async () => {
    const before = await balances()
    await sell()
    const { id: externalId } = stripe.payOut({ status: 'in_transit' })
    await pull()
    const { id, state } = await named(externalId)
    expect([state, await outcomesOf(id), await balances()]).toEqual([
      'open',
      ['payment matched open'],
      { ...before, carrier: cents(before.carrier + PRICE - FEE), sales: cents(before.sales - PRICE), fees: cents(before.fees + FEE) },
    ])
    stripe.movePayout(externalId, 'paid')
    await pull()
    expect(await named(externalId)).toMatchObject({ status: 'paid', state: 'posted', waiting: 0 })
    expect(cents((await balances()).bank - before.bank)).toBe(cents(PRICE - FEE))
  })

  test('waits for lines that Stripe has not put together yet', async () => {
    await sell()
    const made = stripe.payOut()
    made.reconciliation = 'in_progress'
    await pull()
    expect(await named(made.id)).toMatchObject({ status: 'paid', state: 'open', lines: 'later', complete: false })
    made.reconciliation = 'completed'
    await pull()
    expect(await named(made.id)).toMatchObject({ state: 'posted', complete: true, waiting: 0 })
  })

  test('of more lines than a page holds has each of them once', async () => {
    for (let count = 0; count < 5; count += 1) await sell()
    stripe.habits.pageMax = 2
    const { id: externalId } = stripe.payOut()
    await pull()
    stripe.calm()
    const { id } = await named(externalId)
    expect((await lines(id)).length).toBe(5)
    const first = await ok('GET', `${at}/${id}/lines?limit=2`, { as: key })
    const second = await ok('GET', `${at}/${id}/lines?limit=2&cursor=${first.nextCursor}`, { as: key })
    expect(new Set([...first.data, ...second.data].map((line: Line) => line.id)).size).toBe(4)
  })
})

describe('late reports', () => {
  const tellPaid = async (externalId: string) => {
    stripe.move(externalId, 'paid')
    const { headers, body } = await stripe.signed(stripe.written(stripe.sessionEvent(externalId, 'paid')))
    await call('POST', `/v1/stores/${storeId}/integrations/stripe/webhook`, { raw: body, headers: { ...headers } })
  }
  const moved = async (before: Awaited<ReturnType<typeof balances>>) => {
    const { carrier, fees, bank } = await balances()
    return [cents(carrier - before.carrier), cents(fees - before.fees), cents(bank - before.bank)]
  }

  test('a fee is owed less from then on, and is no more once it is paid out', async () => {
    const before = await balances()
    const { orderId, paymentId, externalId } = await begin()
    await tellPaid(externalId)
    expect(await moved(before)).toEqual([PRICE, 0, 0])
    await ours.onPayment(orderId, paymentId, 'sync')
    expect(await moved(before)).toEqual([cents(PRICE - FEE), FEE, 0])
    const { id } = stripe.payOut()
    await pull()
    expect(await outcomesOf((await named(id)).id)).toEqual(['payment matched settled'])
    expect(await moved(before)).toEqual([0, FEE, cents(PRICE - FEE)])
  })

  test('a fee that a payout said first stands once', async () => {
    const before = await balances()
    const { orderId, paymentId, externalId } = await begin()
    await tellPaid(externalId)
    stripe.payOut()
    await pull()
    const paidOut = [0, FEE, cents(PRICE - FEE)]
    expect(await moved(before)).toEqual(paidOut)
    await ours.onPayment(orderId, paymentId, 'sync')
    expect((await ours.read(orderId, paymentId)).fee).toBe(FEE)
    expect(await moved(before)).toEqual(paidOut)
  })

  test('a refund that failed after it was paid out comes back, once a person said that it failed', async () => {
    const { orderId, paymentId } = await sell()
    const { refunds } = (await ours.onPayment(orderId, paymentId, 'refund', { amount: 5 })).body.data
    stripe.payOut()
    await pull()
    const before = await balances()
    stripe.sessions(paymentId)[0]!.refunds[0]!.status = 'failed'
    await sql`update payment_refunds set updated_at = now() - interval '5 minutes' where payment_id = ${paymentId}`
    const { id } = stripe.payOut()
    await pull()
    const payout = await named(id)
    const line = await lineOf(payout.id, 'not_done')
    expect([line.kind, line.state, line.net]).toEqual(['refund', 'waiting', 5])
    expect((await accept(payout.id, line.id)).status).toBe(409)
    // The gateway is asked about the payment by itself.
    await until(async () => (await ours.read(orderId, paymentId)).concern === 'refund_failed')
    await ours.onPayment(orderId, paymentId, `refunds/${refunds[0].id}`, { status: 'failed' }, 'PATCH')
    expect(await moved(before)).toEqual([5, 0, 0])
    expect((await accept(payout.id, line.id)).status).toBe(200)
    expect(await moved(before)).toEqual([0, 0, 5])
  })
})

describe('mismatches wait for a person', () => {
  test('a payment that nobody knows, a dispute, and money that nobody explains: each is accepted with a reason, once', async () => {
    const { externalId: disputed } = await sell()
    stripe.payOut()
    const [session] = stripe.sessions().filter(({ id }) => id === disputed)
    stripe.stray({ type: 'adjustment', amount: -1999, fee: 1500, disputed: session! })
    stripe.stray({ type: 'charge', amount: 1000, fee: 30 })
    const { id: externalId, amount } = stripe.payOut({ more: 7 })
    await pull()
    const payout = await named(externalId)
    expect(payout).toMatchObject({ state: 'posted', waiting: 3, amount: amount / 100 })
    expect(await outcomesOf(payout.id)).toEqual(['dispute unexpected waiting', 'payment unknown waiting', 'untold unexpected waiting'])
    expect((await list('?waiting=true')).map(({ id }: { id: string }) => id)).toContain(payout.id)
    expect((await readPayout(payout.id)).posted).toBe(0)

    const before = await balances()
    const { id: lineId } = await lineOf(payout.id, 'unknown')
    const accepted = await accept(payout.id, lineId, 'a sale at the counter')
    expect([accepted.status, accepted.body.data]).toMatchObject([200, { waiting: 2, posted: 9.7 }])
    const again = await accept(payout.id, lineId)
    expect([again.status, again.body.error.code]).toEqual([409, 'invalid_transition'])
    for (const { id } of await lines(payout.id, '&waiting=true')) expect((await accept(payout.id, id)).status).toBe(200)
    expect(await named(externalId)).toMatchObject({ waiting: 0 })
    expect((await readPayout(payout.id)).posted).toBe(amount / 100)
    const after = await balances()
    expect(cents(after.bank - before.bank)).toBe(amount / 100)
    expect(await lines(payout.id)).toContainEqual(
      expect.objectContaining({ id: lineId, state: 'accepted', reason: 'a sale at the counter' }),
    )
    const { data: audit } = await ok('GET', `/v1/stores/${storeId}/audit?what=payout_line.accepted&thing=${lineId}`, { as: owner.token })
    expect(audit).toMatchObject([{ by: { id: owner.id }, after: { outcome: 'unknown', reason: 'a sale at the counter', gross: 10 } }])
    // A second look changes nothing of what a person decided.
    await pull()
    expect(await balances()).toEqual(after)
  })

  test('another amount than was paid is a difference once it is accepted', async () => {
    const { externalId, paymentId } = await sell()
    const [session] = stripe.sessions(paymentId)
    session!.amountTotal = 1500
    const { id } = stripe.payOut()
    await pull()
    const payout = await named(id)
    const line = await lineOf(payout.id, 'differs')
    expect(line).toMatchObject({ paymentId, expected: PRICE, gross: 15, state: 'waiting' })
    const before = await balances()
    expect((await accept(payout.id, line.id)).status).toBe(200)
    const after = await balances()
    expect([cents(after.difference - before.difference), cents(after.carrier - before.carrier)]).toEqual([4.99, cents(FEE - PRICE)])
    session!.amountTotal = 1999
    expect(externalId).toBe(session!.id)
  })

  test('what a gateway pays before we know of it waits until we do: the payment, and a refund in its dashboard', async () => {
    const { orderId, paymentId, externalId } = await begin()
    stripe.move(externalId, 'paid')
    const { id } = stripe.payOut()
    // It cannot be asked for the payment yet.
    Object.assign(stripe.faults, { error500: 1, on: `^GET /v1/checkout/sessions/${externalId}$` })
    await pull()
    const payout = await named(id)
    expect(await outcomesOf(payout.id)).toEqual(['payment not_done waiting'])
    const refused = await accept(payout.id, (await lineOf(payout.id, 'not_done')).id)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_transition'])
    stripe.calm()
    // Each look has it asked for again.
    await until(async () => {
      await pull()
      return (await ours.read(orderId, paymentId)).status === 'paid'
    })
    await pull()
    expect(await outcomesOf(payout.id)).toEqual(['payment matched settled'])

    const [session] = stripe.sessions(paymentId)
    session!.refunds.push({ id: 're_dashboard', amount: 300, metadata: {}, created: 1, status: 'succeeded' })
    const { id: second } = stripe.payOut()
    await pull()
    const later = await named(second)
    await until(async () => (await ours.read(orderId, paymentId)).refunded === 3)
    await pull()
    expect(await outcomesOf(later.id)).toEqual(['refund matched settled'])
  })

  test('a payment that two payouts name is settled by one of them', async () => {
    const { paymentId } = await sell()
    const { id: first } = stripe.payOut()
    await pull()
    const [line] = stripe.linesOf(first).filter(({ type }) => type === 'charge')
    stripe.again(line!)
    const { id: second } = stripe.payOut()
    await pull()
    expect(await named(first)).toMatchObject({ waiting: 0 })
    expect(await lines((await named(second)).id)).toMatchObject([{ paymentId, outcome: 'paid_already', state: 'waiting' }])
  })

  test('a payout that the shop made by hand has no lines: its amount waits as one', async () => {
    await sell()
    const { id: externalId, amount } = stripe.payOut({ automatic: false })
    await pull()
    const payout = await named(externalId)
    expect(payout).toMatchObject({ lines: 'never', waiting: 1 })
    const before = await balances()
    const line = await lineOf(payout.id, 'unexpected')
    expect(line).toMatchObject({ kind: 'untold', net: amount / 100 })
    await accept(payout.id, line.id)
    const after = await balances()
    expect([cents(after.carrier - before.carrier), cents(after.bank - before.bank)]).toEqual([-amount / 100, amount / 100])
  })
})

describe('a payout that fails after it had arrived', () => {
  test('is taken back by the opposite, and its money comes back with a later one that names it', async () => {
    const before = await balances()
    const { paymentId } = await sell()
    const { id: failing } = stripe.payOut()
    await pull()
    expect(await named(failing)).toMatchObject({ state: 'posted' })
    stripe.movePayout(failing, 'failed')
    await pull()
    await pull()
    const failed = await named(failing)
    expect(failed).toMatchObject({
      status: 'failed',
      state: 'reversed',
      waiting: 0,
      returnedBy: null,
      message: 'The bank account has been closed.',
    })
    const owed = await balances()
    expect([cents(owed.bank - before.bank), cents(owed.carrier - before.carrier)]).toEqual([0, cents(PRICE - FEE)])
    const [{ kinds }] =
      (await sql`select array_agg(kind order by id) as kinds from ledger_entries where payout_id = ${failed.id}`) as unknown as [
        { kinds: string[] },
      ]
    expect(kinds).toEqual(['payout', 'reversal'])
    const missing = await ok('GET', `${at}/missing?days=0`, { as: key })
    expect(missing.data.map((one: { paymentId: string }) => one.paymentId)).toContain(paymentId)

    const { id: next } = stripe.payOut()
    await pull()
    const payout = await named(next)
    expect(await outcomesOf(payout.id)).toEqual(['returned matched settled'])
    expect(await named(failing)).toMatchObject({ returnedBy: payout.id })
    const settled = await balances()
    expect([cents(settled.bank - before.bank), cents(settled.carrier - before.carrier)]).toEqual([cents(PRICE - FEE), 0])
    const left = await ok('GET', `${at}/missing?days=0`, { as: key })
    expect(left.data.map((one: { paymentId: string }) => one.paymentId)).not.toContain(paymentId)
  })

  test('one that fails before it arrives posts nothing', async () => {
    await sell()
    const { id: externalId } = stripe.payOut({ status: 'in_transit' })
    stripe.movePayout(externalId, 'failed')
    await pull()
    const { id, state } = await named(externalId)
    expect(state).toBe('open')
    expect(await sql`select 1 from ledger_entries where payout_id = ${id}`).toHaveLength(0)
    const refused = await accept(id, ((await lines(id)) as Line[])[0]!.id)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_transition'])
    stripe.payOut()
    await pull()
  })
})

test('gateway payouts: payments without a payout are reported once they are old enough', async () => {
  const { paymentId } = await sell()
  await pull()
  const missing = async (query: string) =>
    (await ok('GET', `${at}/missing?limit=100&${query}`, { as: key })).data.map((one: { paymentId: string }) => one.paymentId)
  expect(await missing('')).not.toContain(paymentId)
  await sql`update payments set paid_at = now() - interval '15 days' where id = ${paymentId}`
  expect(await missing('')).toContain(paymentId)
  expect(await missing('days=16')).not.toContain(paymentId)
  const paged = await ok('GET', `${at}/missing?limit=1&days=0`, { as: key })
  if (paged.nextCursor)
    expect((await ok('GET', `${at}/missing?limit=1&days=0&cursor=${paged.nextCursor}`, { as: key })).data).toHaveLength(1)
  stripe.payOut({ status: 'in_transit' })
  await pull()
  expect(await missing('')).not.toContain(paymentId)
})

describe('a reading', () => {
  test('of a gateway that is down says so and is begun again later, and what was read stays', async () => {
    await sell()
    const { id } = stripe.payOut()
    Object.assign(stripe.faults, { error500: 1, on: '^GET /v1/balance_transactions$' })
    await pull()
    const reading = async () =>
      (await ok('GET', `${at}/readings`, { as: key })).data.find((one: { gateway: string }) => one.gateway === 'stripe')
    const first = await reading()
    expect(first).toMatchObject({ gateway: 'stripe', status: 'failed', message: expect.stringContaining('500') })
    await pull()
    const second = await reading()
    expect(Date.parse(second.dueAt) - Date.now()).toBeGreaterThan(Date.parse(first.dueAt) - Date.now() + 60_000)
    expect(await named(id)).toMatchObject({ complete: false, state: 'open' })
    stripe.calm()
    // The breaker has to let it through again.
    await until(async () => {
      await pull()
      return (await reading()).status === 'done'
    })
    expect(await named(id)).toMatchObject({ complete: true, state: 'posted' })
  })

  test('is begun by itself when it is due, and by a person', async () => {
    await sell()
    const { id } = stripe.payOut()
    await sql`update payout_pulls set due_at = now() - interval '1 second' where connection_id = ${ours.connectionId}`
    await enqueueDuePulls(context)
    await until(async () =>
      (await list('?limit=100')).some(
        (payout: { externalId: string; state: string }) => payout.externalId === id && payout.state === 'posted',
      ),
    )
    await sell()
    const { id: second } = stripe.payOut()
    const asked = await call('POST', `${at}/pull`, { as: key })
    expect(asked.status).toBe(202)
    expect(asked.body.data).toContainEqual(expect.objectContaining({ gateway: 'stripe', status: 'running' }))
    await until(async () =>
      (await list('?limit=100')).some(
        (payout: { externalId: string; state: string }) => payout.externalId === second && payout.state === 'posted',
      ),
    )
  })

  test('of a connection that is switched off, or gone, asks nobody', async () => {
    await until(async () => (await ok('GET', `${at}/readings`, { as: key })).data.every((one: { status: string }) => one.status === 'done'))
    const switchTo = (enabled: boolean) => ok('PATCH', `/v1/stores/${storeId}/integrations/stripe`, { as: owner.token, body: { enabled } })
    await switchTo(false)
    const before = stripe.requests.length
    await pull()
    expect(stripe.requests.length).toBe(before)
    await switchTo(true)
    await pullPayouts(context, 'int_nobody')
  })
})

test('the sandbox pays out what was paid in a span of time, when as much has passed again', async () => {
  const rehearsal = await paymentShop(app, { outcome: 'paid', feePercent: 2, payoutMinutes: 0.002 })
  const { id } = await rehearsal.order()
  const { body } = await rehearsal.initiate(id, { as: rehearsal.key })
  await rehearsal.onPayment(id, body.data.id, 'sync')
  await Bun.sleep(300)
  const own = `/v1/stores/${rehearsal.storeId}/payouts`
  await call('POST', `${own}/pull`, { as: rehearsal.key })
  await until(async () => (await ok('GET', own, { as: rehearsal.key })).data[0]?.state === 'posted')
  expect((await ok('GET', own, { as: rehearsal.key })).data).toMatchObject([{ gateway: 'sandbox-payment', amount: 2450, waiting: 0 }])
})

test("gateway payouts: another store's payout does not exist, and a viewer cannot accept one", async () => {
  const [{ id }] = await list('?limit=1')
  const { key: strange, storeId: other } = await shop()
  for (const path of [`${at}/${id}`, `${at}/${id}/lines`, `/v1/stores/${other}/payouts/${id}`])
    expect((await call('GET', path, { as: strange })).status).toBe(404)
  const viewer = await person('Viewer')
  await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: viewer.email, role: 'viewer' } })
  expect((await call('GET', `${at}/${id}`, { as: viewer.token })).status).toBe(200)
  const [line] = await lines(id)
  expect((await accept(id, line.id, 'x', viewer.token)).status).toBe(403)
  expect((await call('POST', `${at}/${id}/lines/${line.id}/accept`, { as: owner.token, body: { reason: '' } })).status).toBe(400)
  expect((await call('POST', `${at}/${id}/lines/${line.id}/accept`, { body: { reason: 'x' } })).status).toBe(401)
  expect((await accept(id, 'gpl_nobody')).status).toBe(404)
})

test('gateway payouts: the totals of all payments add up', async () => {
  expect(await findPayoutDifferences(sql)).toEqual([])
  expect(await findPaymentDifferences(sql)).toEqual([])
  expect(await findCashDifferences(sql)).toEqual([])
})
