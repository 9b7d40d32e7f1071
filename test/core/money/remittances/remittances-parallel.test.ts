import { expect, test } from 'bun:test'
import { startApp } from '../../../support/app.ts'
import { cashDesk, findCashDifferences } from '../../../support/cash.ts'

const app = await startApp()
await app.person('The administrator')
const { call, context } = app

const TIMES = 6

test('confirmed by many at once, a payout is posted once', async () => {
  const desk = await cashDesk(app)
  const parcels = await Promise.all([1000.01, 2000.02, 3000.03].map((cod) => desk.deliver(cod)))
  const { id } = await desk.payoutOf(parcels.map(({ trackingId }, at) => [trackingId, [1000.01, 2000.02, 3000.03][at]!, 100]))
  const answers = await Promise.all(Array.from({ length: TIMES }, () => desk.confirm(id)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: 5700.06, fees: 300 })
  await Promise.all(Array.from({ length: TIMES }, () => desk.reverse(id)))
  expect(await desk.get('finance')).toMatchObject({ owed: 6000.06, received: 0, fees: 0 })
  expect(await findCashDifferences(context.sql)).toEqual([])
})

test('payouts that overlap, confirmed at once, pay each parcel once', async () => {
  const desk = await cashDesk(app)
  const parcels = await Promise.all(Array.from({ length: 12 }, () => desk.deliver(1000.01)))
  const payouts = await Promise.all(
    Array.from({ length: TIMES }, (_, at) => {
      const named = [...parcels.slice(at), ...parcels.slice(0, at)].slice(0, 8)
      return desk.payoutOf((at % 2 ? named.toReversed() : named).map(({ trackingId }) => [trackingId, 1000.01, 1]))
    }),
  )
  const confirmed = await Promise.all(
    payouts.map(({ id }) => call('POST', `${desk.base}/encaissements/batches/confirm`, { as: desk.as, body: { batchId: id } })),
  )
  expect(confirmed.map(({ status }) => status)).toEqual(payouts.map(() => 200))
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: 11988.12, fees: 12, differences: 0 })
  const lines = (await Promise.all(payouts.map(({ id }) => desk.batch(id)))).flatMap(({ totals }) => totals.lines)
  expect(lines.reduce((total, { matched }) => total + matched, 0)).toBe(12)
  expect(lines.reduce((total, { paid_already }) => total + paid_already, 0)).toBe(8 * TIMES - 12)
  expect(await findCashDifferences(context.sql)).toEqual([])
})

test('returns, deliveries, confirmations and reversals at once leave what adds up', async () => {
  const desk = await cashDesk(app)
  const parcels = await Promise.all(Array.from({ length: 8 }, () => desk.deliver(500)))
  const payouts = await Promise.all(
    [parcels, parcels.toReversed()].map((named) => desk.payoutOf(named.map(({ trackingId }) => [trackingId, 500, 20]))),
  )
  let later = Date.now()
  const move = ({ trackingId }: { trackingId: string }, status: string) => {
    later += 1000
    return desk.say({ tracking: trackingId, status, at: new Date(later).toISOString() })
  }
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([
      ...parcels.map((parcel, at) => move(parcel, at % 2 === round % 2 ? 'returning' : 'delivered')),
      ...payouts.map(({ id }) => desk.confirm(id)),
    ])
    expect(await findCashDifferences(context.sql)).toEqual([])
    await Promise.all([...payouts.map(({ id }) => desk.reverse(id)), ...parcels.map((parcel) => move(parcel, 'delivered'))])
    expect(await findCashDifferences(context.sql)).toEqual([])
  }
  expect(await desk.get('finance')).toMatchObject({ received: 0 })
}, 120_000)
