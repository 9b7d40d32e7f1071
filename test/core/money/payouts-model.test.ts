import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { findCashDifferences } from '../../support/cash.ts'
import { findPaymentDifferences, findPayoutDifferences } from '../../support/checks.ts'
import { random } from '../../support/random.ts'
import { payoutShop, stripeAt } from './payouts-shop.ts'

/** `PAYOUT_ROUNDS=500` soaks; `PAYOUT_SEED` repeats a run. */
const ROUNDS = Number(process.env.PAYOUT_ROUNDS ?? 12)
const SEED = Number(process.env.PAYOUT_SEED ?? 20_261_124)
const SOLD = 6

const { stripe, simulators } = stripeAt()
const app = await startApp({ simulators, databasePool: 12 })
const { sql } = app.context
const ours = await payoutShop(app, stripe)
const { sell, pull, list, lines, accept, balances, onPayment } = ours
const cents = (amount: number) => Math.round(amount * 100) / 100

type Sale = Awaited<ReturnType<typeof sell>>
type Payout = { id: string; externalId: string; status: string; state: string; amount: number; waiting: number }
const all = async (): Promise<Payout[]> => {
  const found: Payout[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await app.ok('GET', `${ours.at}?limit=100${cursor && `&cursor=${cursor}`}`, { as: ours.key })
    found.push(...page.data)
    cursor = page.nextCursor
  }
  return found
}

/** What may happen while payouts are read; none may see half of another. */
const acts: Readonly<Record<string, (sales: readonly Sale[], draw: (most: number) => number) => Promise<unknown>>> = {
  pull,
  accept: async () => {
    const [waiting] = await list('?waiting=true&limit=1')
    const found = waiting ? await lines(waiting.id, '&waiting=true') : []
    return Promise.all(found.flatMap(({ id }: { id: string }) => [accept(waiting.id, id), accept(waiting.id, id)]))
  },
  refund: async (sales, draw) => {
    const sale = sales[draw(sales.length)]!
    return onPayment(sale.orderId, sale.paymentId, 'refund', { amount: 1 + draw(3) })
  },
  dashboard: async (sales, draw) => {
    const sale = sales[draw(sales.length)]!
    const [session] = stripe.sessions(sale.paymentId)
    const left = session!.amountTotal - session!.refunds.reduce((sum, { amount }) => sum + amount, 0)
    if (left > 100) session!.refunds.push({ id: `re_${crypto.randomUUID()}`, amount: 100, metadata: {}, created: 1, status: 'succeeded' })
    return onPayment(sale.orderId, sale.paymentId, 'sync')
  },
  payOut: async (_, draw) => stripe.payOut({ status: draw(2) === 0 ? 'paid' : 'in_transit' }),
  stray: async (_, draw) => stripe.stray({ type: draw(2) === 0 ? 'stripe_fee' : 'reserve_hold', amount: -1 - draw(300) }),
  arrive: async () => {
    for (const { id, status } of stripe.payouts()) if (status === 'in_transit') stripe.movePayout(id, 'paid')
  },
  fail: async (_, draw) => {
    const paid = stripe.payouts().filter(({ status }) => status === 'paid')
    const one = paid[draw(Math.max(1, paid.length))]
    if (one) stripe.movePayout(one.id, 'failed')
  },
}
const names = [...Object.keys(acts), 'pull', 'pull', 'payOut']

test(`whatever is read, accepted, given back and failed at once, each line is posted once: ${ROUNDS} rounds from seed ${SEED}`, async () => {
  const draw = random(SEED)
  const sales: Sale[] = []
  for (let count = 0; count < SOLD; count += 1) sales.push(await sell(2))
  for (let round = 0; round < ROUNDS; round += 1)
    await Promise.all(Array.from({ length: 4 }, () => acts[names[draw(names.length)]!]!(sales, draw)))
  // In the end all that came arrived, and a person has looked at all that waits.
  stripe.payOut()
  await acts.arrive!(sales, draw)
  for (const { orderId, paymentId } of sales) await onPayment(orderId, paymentId, 'sync')
  for (let count = 0; count < 3; count += 1) await Promise.all([pull(), pull(), acts.accept!(sales, draw)])
  for (let left = true; left; ) {
    const waiting = (await all()).filter(({ waiting }) => waiting > 0)
    for (const { id } of waiting) for (const line of await lines(id, '&waiting=true')) expect((await accept(id, line.id)).status).toBe(200)
    left = waiting.length > 0
  }
  await pull()

  expect(await findPayoutDifferences(sql)).toEqual([])
  expect(await findPaymentDifferences(sql)).toEqual([])
  expect(await findCashDifferences(sql)).toEqual([])
  // The model: what Stripe says that it sent and did not come back is what is in the bank; nothing else is.
  const sent = stripe.payouts()
  const payouts = await all()
  expect(payouts.map(({ externalId }) => externalId).sort()).toEqual(sent.map(({ id }) => id).sort())
  const arrived = sent.filter(({ status }) => status === 'paid').reduce((sum, { amount }) => sum + amount, 0)
  expect(cents((await balances()).bank)).toBe(arrived / 100)
  for (const { externalId, state, status } of payouts) expect([externalId, state === 'posted']).toEqual([externalId, status === 'paid'])
  const twice =
    await sql`select payout_line_id from ledger_entries where stands and payout_line_id is not null group by 1 having count(*) > 1`
  expect(twice).toHaveLength(0)
}, 120_000)
