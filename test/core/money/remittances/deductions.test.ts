import { afterEach, expect, test } from 'bun:test'
import { DAY_MS } from '../../../../core/lib/durations.ts'
import { startApp } from '../../../support/app.ts'
import { type CashDesk, cashDesk, findCashDifferences, type Sent } from '../../../support/cash.ts'

const app = await startApp()
await app.person('The administrator')
const { call, context } = app

afterEach(async () => expect(await findCashDifferences(context.sql)).toEqual([]))

let later = Date.now()
const move = (desk: CashDesk, { trackingId }: Sent, status: string) => {
  later += 60_000
  return desk.say({ tracking: trackingId, status, at: new Date(later).toISOString() })
}
const outcomes = async (desk: CashDesk, id: string) =>
  (await desk.batch(id)).lines.map(({ outcome, expected, difference }: never) => [outcome, expected, difference])
const statistics = async (desk: CashDesk) => (await desk.get('statistics')).cash
const refusal = async (desk: CashDesk, verb: 'confirm' | 'reverse', batchId: string) => {
  const { status, body } = await call('POST', `${desk.base}/encaissements/batches/${verb}`, { as: desk.as, body: { batchId } })
  return [status, body.error?.code, body.error?.message]
}

/** A parcel of 3000 that was paid, less a fee of 400, and came back. */
async function paidAndReturned(desk: CashDesk) {
  const parcel = await desk.deliver(3000)
  const paid = await desk.payoutOf([[parcel.trackingId, 3000, 400]])
  await desk.confirm(paid.id)
  await move(desk, parcel, 'returning')
  return { parcel, paid }
}

test('remittances: a deduction for a parcel that was paid and returned closes the claim', async () => {
  const desk = await cashDesk(app)
  const { parcel, paid } = await paidAndReturned(desk)
  const other = await desk.deliver(2000.5)
  expect(await desk.get('finance')).toMatchObject({ owed: 2000.5 - 3000, received: 2600, fees: 400 })
  const next = await desk.payoutOf([
    [other.trackingId, 2000.5, 400],
    [parcel.trackingId, -3000, 200],
  ])
  expect(next).toMatchObject({ amount: -999.5, totals: { received: -1599.5, unposted: 0, lines: { matched: 1, deducted: 1 } } })
  expect(await outcomes(desk, next.id)).toEqual([
    ['matched', 2000.5, 0],
    ['deducted', -3000, 0],
  ])
  await desk.confirm(next.id)
  const settled = { owed: 0, sales: 2000.5, fees: 1000, received: 1000.5, differences: 0 }
  expect(await desk.get('finance')).toMatchObject(settled)
  expect(await statistics(desk)).toMatchObject({ owed: 0, collected: 2000.5, fees: 1000, received: 1000.5 })
  expect((await desk.parcel(parcel)).cashStatus).toBe('payout_cancelled')
  expect(await desk.confirm(next.id)).toMatchObject({ state: 'confirmed' })
  expect(await desk.get('finance')).toMatchObject(settled)
  // The same deduction on another sheet takes nothing a second time.
  const again = await desk.payoutOf([[parcel.trackingId, -3000, 200]])
  expect(again.totals).toMatchObject({ unposted: -3200, lines: { paid_already: 1 } })
  await desk.confirm(again.id)
  expect(await desk.get('finance')).toMatchObject(settled)

  expect(await refusal(desk, 'reverse', paid.id)).toEqual([409, 'conflict', expect.stringContaining(next.id)])
  await desk.reverse(next.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 2000.5 - 3000, received: 2600, fees: 400 })
  expect((await desk.parcel(parcel)).cashStatus).toBe('payout_confirmed')
  await desk.reverse(paid.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 2000.5, received: 0, fees: 0, differences: 0 })
})

test.each([
  ['with the fee given back', [-3000, -400], { received: 0, fees: 0, differences: 0 }],
  ['what arrived of it', [-2600, 0], { received: 0, fees: 400, differences: -400 }],
  ['with a fee for the way back', [-3000, 250], { received: -650, fees: 650, differences: 0 }],
])('deducted: %s', async (_, [amount, fee], left) => {
  const desk = await cashDesk(app)
  const { parcel } = await paidAndReturned(desk)
  const { body } = await desk.upload(
    `tracking;montant;frais;net\n${parcel.trackingId};${amount};${fee};${amount! - fee!}\nNOBODY;0;10;-10\nNOBODY-2;0;-10;10\n`,
  )
  expect(body.data.totals.lines).toMatchObject({ deducted: 1, unknown: 2 })
  await desk.confirm(body.data.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, ...left })
})

test('a sheet of nets alone takes back what it gave', async () => {
  const desk = await cashDesk(app)
  const { parcel } = await paidAndReturned(desk)
  const { body } = await desk.upload(`tracking;net\n${parcel.trackingId};-2600\n`)
  await desk.confirm(body.data.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: 0, fees: 0, differences: 0 })
})

test('after a deduction the parcel is owed when it is delivered again, and paid once more', async () => {
  const desk = await cashDesk(app)
  const { parcel } = await paidAndReturned(desk)
  const deduction = await desk.payoutOf([[parcel.trackingId, -3000]])
  await desk.confirm(deduction.id)
  await move(desk, parcel, 'delivered')
  expect(await desk.get('finance')).toMatchObject({ owed: 3000, received: -400, fees: 400 })
  expect(await desk.get('encaissements/preview')).toMatchObject([{ parcelId: parcel.id, amount: 3000 }])
  const third = await desk.payoutOf([[parcel.trackingId, 3000, 400]])
  expect(third.totals.lines).toMatchObject({ matched: 1 })
  await desk.confirm(third.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: 2200, fees: 800, differences: 0 })
  expect(await refusal(desk, 'reverse', deduction.id)).toEqual([409, 'conflict', expect.stringContaining(third.id)])
  await move(desk, parcel, 'returning')
  const fourth = await desk.payoutOf([[parcel.trackingId, -3000, 50]])
  await desk.confirm(fourth.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: -850, fees: 850 })
  for (const { id } of [fourth, third, deduction]) await desk.reverse(id)
  expect(await desk.get('finance')).toMatchObject({ owed: -3000, received: 2600, fees: 400 })
})

test('a parcel that is still delivered is owed again when it is deducted; a small deduction takes no payment back', async () => {
  const desk = await cashDesk(app)
  const [first, second] = [await desk.deliver(3000), await desk.deliver(1000)]
  const paid = await desk.payoutOf([
    [first.trackingId, 3000, 400],
    [second.trackingId, 1000, 400],
  ])
  await desk.confirm(paid.id)
  const taken = await desk.payoutOf([
    [first.trackingId, -3000],
    [second.trackingId, -50],
  ])
  expect(await outcomes(desk, taken.id)).toEqual([
    ['deducted', -3000, 0],
    ['charged', 0, 50],
  ])
  await desk.confirm(taken.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 3000, received: 150, fees: 800, differences: 50 })
  expect(await desk.get('encaissements/preview')).toMatchObject([{ parcelId: first.id, net: 3000 }])
  await desk.reverse(taken.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: 3200, fees: 800, differences: 0 })
})

test('a fee for a parcel that came back pays nothing: delivered after all, it is owed and paid', async () => {
  const desk = await cashDesk(app)
  const parcel = await desk.send(3000)
  await move(desk, parcel, 'returning')
  const fee = await desk.payoutOf([[parcel.trackingId, 0, 200]])
  expect(await outcomes(desk, fee.id)).toEqual([['charged', 0, 0]])
  await desk.confirm(fee.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: -200, fees: 200 })
  const again = await desk.payoutOf([[parcel.trackingId, 0, 200]])
  expect(again.totals).toMatchObject({ unposted: -200, lines: { paid_already: 1 } })
  await move(desk, parcel, 'delivered')
  expect(await desk.get('finance')).toMatchObject({ owed: 3000, fees: 200 })
  const paid = await desk.payoutOf([[parcel.trackingId, 3000, 400]])
  expect(paid.totals.lines).toMatchObject({ matched: 1 })
  await desk.confirm(paid.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: 2400, fees: 600, differences: 0 })
})

test('a parcel paid in advance and delivered for another amount is owed in full when deducted, and settled again by the reversal', async () => {
  const desk = await cashDesk(app)
  const parcel = await desk.send(3000)
  const advance = await desk.payoutOf([[parcel.trackingId, 2900, 400]])
  await desk.confirm(advance.id)
  await move(desk, parcel, 'delivered')
  expect(await desk.get('finance')).toMatchObject({ owed: 0, differences: 100 })
  const deduction = await desk.payoutOf([[parcel.trackingId, -2900]])
  await desk.confirm(deduction.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 3000, received: -400, fees: 400, differences: 0 })
  await desk.reverse(deduction.id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: 2500, fees: 400, differences: 100 })
})

test('verify finds what is changed by hand: fees and differences, lines, another connection, a deduction of something else', async () => {
  const desk = await cashDesk(app)
  const { parcel } = await paidAndReturned(desk)
  const deduction = await desk.payoutOf([[parcel.trackingId, -3000]])
  await desk.confirm(deduction.id)
  const paid = await desk.deliver(500)
  const payout = await desk.payoutOf([[paid.trackingId, 500, 40]])
  await desk.confirm(payout.id)
  const undone = new Error('nothing of this stays')
  const { sql } = context
  type Change = (tx: typeof sql) => unknown
  const changes: readonly (readonly [Change, string])[] = [
    [
      (tx) =>
        tx`update ledger_entries set fees = fees + 5, difference = difference - 5 where parcel_id = ${paid.id} and kind = 'remittance'`,
      'fees or difference',
    ],
    [(tx) => tx`update remittance_lines set amount = 490, fee = 30 where remittance_id = ${payout.id}`, 'fees or difference'],
    [(tx) => tx`update remittance_lines set amount = 510 where remittance_id = ${payout.id}`, 'a line does not add up'],
    [(tx) => tx`update remittance_lines set parcel_id = ${parcel.id} where remittance_id = ${payout.id}`, `received for ${parcel.id}`],
    [
      (tx) => tx`update ledger_entries set connection_id = 'int_other' where parcel_id = ${paid.id} and kind = 'delivered'`,
      'at another connection',
    ],
    [
      (tx) => tx`update ledger_entries set carrier = 2999, bank = bank + 1 where kind = 'deduction' and parcel_id = ${parcel.id}`,
      'takes back 2999',
    ],
    [(tx) => tx`update ledger_entries set stands = false where kind = 'deduction' and parcel_id = ${parcel.id}`, 'undone by nothing'],
    [(tx) => tx`update ledger_entries set stands = true where kind = 'remittance' and parcel_id = ${parcel.id}`, 'was taken back'],
  ]
  for (const [change, said] of changes) {
    const found: string[] = []
    const broken = sql.begin(async (tx) => {
      await tx`alter table ledger_entries disable trigger kept`
      await change(tx as never)
      for (const { what, says } of await findCashDifferences(tx)) found.push(`${what} ${says}`)
      throw undone
    })
    await expect(broken).rejects.toBe(undone)
    expect(found.join('; ')).toContain(said)
  }
})

test('a long payout is shown in parts, each with the totals of all', async () => {
  const desk = await cashDesk(app)
  const { id } = await desk.payoutOf(Array.from({ length: 2100 }, (_, at) => [`NOBODY-${at}`, 1] as const))
  const whole = await desk.batch(id)
  expect(whole.lines.map(({ line }: { line: number }) => line)).toEqual(Array.from({ length: 2100 }, (_, at) => at + 1))
  const rest = await desk.batch(`${id}?limit=50&after=2080`)
  expect(rest.lines).toEqual(whole.lines.slice(2080))
  expect((await desk.batch(`${id}?limit=2`)).lines).toEqual(whole.lines.slice(0, 2))
  expect(rest.totals).toEqual(whole.totals)
  expect(whole.totals).toMatchObject({ received: 2100, lines: { unknown: 2100 } })
  for (const query of ['limit=0', 'after=-1', 'limit=20001', 'agedDays=x'])
    expect((await call('GET', `${desk.base}/encaissements/batches/${id}?${query}`, { as: desk.as })).status).toBe(400)
})

test('ledger: missing money is grouped by the requested number of days', async () => {
  const desk = await cashDesk(app)
  await desk.deliver(700, new Date(Date.now() - 20 * DAY_MS).toISOString())
  const { id } = await desk.payoutOf([['NOBODY', 1]], { at: new Date().toISOString() })
  expect((await desk.batch(id)).totals).toMatchObject({ missing: 700, missingParcels: 1, aged: 700, agedParcels: 1 })
  expect((await desk.batch(`${id}?agedDays=30`)).totals).toMatchObject({ missing: 700, missingParcels: 1, aged: 0, agedParcels: 0 })
})

test('confirmations and reversals of payments and deductions at once leave what adds up', async () => {
  const desk = await cashDesk(app)
  const parcels = await Promise.all(Array.from({ length: 6 }, () => desk.deliver(500)))
  const lines = (amount: number) => parcels.map(({ trackingId }) => [trackingId, amount, 20] as const)
  const paid = await desk.payoutOf(lines(500))
  const taken = await Promise.all([desk.payoutOf(lines(-500)), desk.payoutOf(lines(-500).toReversed())])
  for (let round = 0; round < 5; round += 1) {
    await desk.confirm(paid.id)
    const asks = [paid, ...taken].flatMap(({ id }) => [refusal(desk, 'confirm', id), refusal(desk, 'reverse', id)])
    const moves = parcels.map((parcel, at) => move(desk, parcel, (at + round) % 2 ? 'returning' : 'delivered'))
    const [answers] = await Promise.all([Promise.all(asks), Promise.all(moves)])
    expect(answers.filter(([status]) => status !== 200 && status !== 409)).toEqual([])
    expect(await findCashDifferences(context.sql)).toEqual([])
  }
}, 120_000)
