import { afterEach, expect, test } from 'bun:test'
import { startApp } from '../../../support/app.ts'
import { cashDesk, findCashDifferences } from '../../../support/cash.ts'

const app = await startApp()
await app.person('The administrator')
const { context } = app

afterEach(async () => expect(await findCashDifferences(context.sql)).toEqual([]))

const soon = () => new Date(Date.now() + 60_000).toISOString()

test("the carrier's payout is read, held against what is owed, confirmed once, and reversed", async () => {
  const desk = await cashDesk(app)
  const [first, second] = [await desk.deliver(2500.01), await desk.deliver(1999.99)]
  const left = await desk.deliver(700)
  await desk.say({ tracking: first.trackingId, payout: 'P-1' }, { tracking: second.trackingId, payout: 'P-1' })
  expect(await desk.post('sync/cashin')).toMatchObject({ parcels: 3 })
  expect(await desk.get('encaissements/batches')).toMatchObject([
    { id: 'P-1', status: 'paid_out', state: 'draft', source: 'carrier', amount: 4500, parcels: 2 },
  ])
  const draft = await desk.batch('P-1')
  const fee = draft.lines[0].fee
  expect(draft.lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        trackingId: first.trackingId,
        parcelId: first.id,
        outcome: 'matched',
        amount: 2500.01,
        fee,
        net: 2500.01 - fee,
        expected: 2500.01,
        difference: 0,
        status: 'paid_out',
      }),
    ]),
  )
  expect(draft.totals).toMatchObject({
    expected: 4500,
    amount: 4500,
    fees: 2 * fee,
    received: 4500 - 2 * fee,
    difference: 0,
    missing: 700,
    missingParcels: 1,
  })
  expect(draft.missing).toMatchObject([{ parcelId: left.id, amount: 700, fee }])
  // The fee of each parcel is known from the synchronisation, and taken off what is owed.
  expect(await desk.get('finance')).toMatchObject({ owed: 5200 - 3 * fee, paidOut: 4500, due: 700, fees: 3 * fee, received: 0 })

  const confirmed = await desk.confirm('P-1')
  expect(confirmed).toMatchObject({ id: 'P-1', status: 'payout_confirmed', state: 'confirmed', confirmedAt: expect.any(String) })
  expect(await desk.confirm('P-1')).toEqual(confirmed)
  expect((await desk.parcel(first)).cashStatus).toBe('payout_confirmed')
  expect(await desk.get('finance')).toMatchObject({
    owed: 700 - fee,
    paidOut: 4500,
    due: 700,
    fees: 3 * fee,
    received: 4500 - 2 * fee,
    differences: 0,
    months: [{ month: new Date().toISOString().slice(0, 7), sales: 5200, fees: 3 * fee, received: 4500 - 2 * fee, differences: 0 }],
  })
  expect((await desk.get('encaissements/preview')).map(({ parcelId }: { parcelId: string }) => parcelId)).toEqual([left.id])

  const reversed = await desk.reverse('P-1')
  expect(reversed).toMatchObject({ state: 'reversed', status: 'payout_cancelled', reversedAt: expect.any(String) })
  expect(await desk.reverse('P-1')).toEqual(reversed)
  expect((await desk.parcel(first)).cashStatus).toBe('payout_cancelled')
  expect(await desk.get('finance')).toMatchObject({ owed: 5200 - 3 * fee, received: 0, due: 5200 })
  // Another payout may pay now what the first did not, and the first confirmed again pays the rest.
  const other = await desk.payoutOf([[first.trackingId, 2500.01, fee]])
  await desk.confirm(other.id)
  expect((await desk.batch('P-1')).totals.lines).toMatchObject({ matched: 1, paid_already: 1 })
  await desk.confirm('P-1')
  expect(await desk.get('finance')).toMatchObject({ owed: 700 - fee, received: 4500 - 2 * fee })
})

test('each line says what it is, and what is left out is missing', async () => {
  const desk = await cashDesk(app)
  const [exact, short, excess] = [await desk.deliver(1000), await desk.deliver(1000.01), await desk.deliver(1000)]
  const [waiting, unpaid] = [await desk.send(900), await desk.deliver(55.55)]
  const first = await desk.payoutOf([[exact.trackingId, 1000, 100]])
  await desk.confirm(first.id)
  const late = await desk.send(10)
  const { id } = await desk.payoutOf(
    [
      [exact.trackingId, 1000, 100],
      [` ${short.trackingId.toLowerCase()} `, 1000, 100],
      [excess.reference, 1000.01, 100],
      [waiting.trackingId, 900, 50],
      ['NOBODY-1', 33.33],
    ],
    { at: new Date().toISOString() },
  )
  await desk.say({ tracking: late.trackingId, status: 'delivered' })
  const { lines, missing, totals } = await desk.batch(id)
  expect(lines.map(({ outcome, expected, difference }: never) => [outcome, expected, difference])).toEqual([
    ['paid_already', 0, 0],
    ['short', 1000.01, 0.01],
    ['excess', 1000, -0.01],
    ['not_delivered', 0, 0],
    ['unknown', 0, -33.33],
  ])
  expect(missing).toMatchObject([{ parcelId: unpaid.id, amount: 55.55 }])
  expect(totals).toEqual({
    expected: 2000.01,
    amount: 3933.34,
    fees: 350,
    received: 3583.34,
    difference: -33.33,
    unposted: 900,
    missing: 55.55,
    missingParcels: 1,
    aged: 0,
    agedParcels: 0,
    lines: { matched: 0, short: 1, excess: 1, unknown: 1, paid_already: 1, not_delivered: 1, deducted: 0, charged: 0 },
  })
  await desk.confirm(id)
  expect(await desk.get('finance')).toMatchObject({ received: 900 + 3583.34 - 900, fees: 350, differences: -33.33, owed: 55.55 + 10 - 900 })
  const again = await desk.batch(id)
  expect(again.lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'paid_already',
    'short',
    'excess',
    'not_delivered',
    'unknown',
  ])
  // What was paid in advance is settled when the delivery is known, and owed back when it is not.
  await desk.say({ tracking: waiting.trackingId, status: 'delivered', at: soon() })
  expect(await desk.get('finance')).toMatchObject({ owed: 65.55, fees: 350 })
  await desk.say({ tracking: waiting.trackingId, status: 'returned', at: new Date(Date.now() + 120_000).toISOString() })
  expect(await desk.get('finance')).toMatchObject({ owed: 65.55 - 900 })
})

test('a parcel that comes back after it was paid makes the claim negative', async () => {
  const desk = await cashDesk(app)
  const parcel = await desk.deliver(3000)
  await desk.confirm((await desk.payoutOf([[parcel.trackingId, 3000, 400]])).id)
  expect((await desk.get('finance')).owed).toBe(0)
  await desk.say({ tracking: parcel.trackingId, status: 'returned', at: soon() })
  expect(await desk.get('finance')).toMatchObject({ owed: -3000, sales: 0, received: 2600, fees: 400 })
})

test('verify says what does not add up', async () => {
  const desk = await cashDesk(app)
  const [parcel, half] = [await desk.deliver(100), await desk.deliver(100)]
  const { id } = await desk.payoutOf([[half.trackingId, 100]])
  const found: string[] = []
  const undone = new Error('nothing of this stays')
  const broken = context.sql.begin(async (tx) => {
    await tx`update parcels set cod_amount = 99 where id = ${parcel.id}`
    await tx`update ledger_entries set stands = false where parcel_id = ${parcel.id}`
    await tx`insert into ledger_entries (project_id, connection_id, kind, parcel_id, remittance_id, carrier, bank, stands, at)
      values (${desk.projectId}, ${desk.connection.id}, 'remittance', ${half.id}, ${id}, -50, 50, true, now())`
    for (const { what, says } of await findCashDifferences(tx)) found.push(`${what} ${says}`)
    throw undone
  })
  await expect(broken).rejects.toBe(undone)
  expect(found).toEqual([
    'entry delivered is undone by nothing',
    'parcel delivered with 99.0000 to collect, the ledger nothing',
    'parcel paid, and the carrier still owes 50.0000',
    `payout draft with 0 received for ${half.id}, the ledger 50.0000`,
  ])
})

test('ledger: amounts are exact to the centime over thousands of parcels in one remittance', async () => {
  const desk = await cashDesk(app)
  const { sql } = context
  const template = await desk.deliver(1000.01)
  // From here on the database believes what it saw of small shops.
  await sql`analyze`
  const [columns] = await sql<{ names: string }[]>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
    where table_name = 'parcels' and column_name not in ('id', 'reference', 'tracking_id')`
  await sql.unsafe(`insert into parcels (id, reference, tracking_id, ${columns!.names})
    select 'par_bulk' || n, 'bulk-' || n, 'BULK' || n, ${columns!.names} from parcels, generate_series(1, 4999) n where id = '${template.id}'`)
  await sql`insert into ledger_entries (project_id, connection_id, kind, parcel_id, carrier, sales, stands, at)
    select project_id, carrier_account_id, 'delivered', id, cod_amount, -cod_amount, true, now() from parcels where reference like 'bulk-%'`
  const rows = [
    [template.trackingId, 1000.01, 0.01] as const,
    ...Array.from({ length: 4999 }, (_, n) => [`BULK${n + 1}`, 1000.01, 0.01] as const),
  ]
  const { id, amount } = await desk.payoutOf(rows)
  expect(amount).toBe(5_000_050)
  await desk.confirm(id)
  expect(await desk.get('finance')).toMatchObject({ owed: 0, received: 5_000_000, fees: 50, differences: 0, paidOut: 5_000_050 })
  await desk.reverse(id)
  expect(await desk.get('finance')).toMatchObject({ owed: 5_000_050, received: 0, fees: 0 })
}, 120_000)
