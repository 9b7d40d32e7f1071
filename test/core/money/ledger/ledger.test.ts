import { afterEach, expect, test } from 'bun:test'
import { DAY_MS } from '../../../../core/lib/durations.ts'
import { startApp } from '../../../support/app.ts'
import { cashDesk, findCashDifferences } from '../../../support/cash.ts'

const app = await startApp()
await app.person('The administrator')
const { call, context } = app

afterEach(async () => expect(await findCashDifferences(context.sql)).toEqual([]))

const soon = () => new Date(Date.now() + 60_000).toISOString()
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

test('a delivered parcel is owed until it comes back, and again when it is delivered after all', async () => {
  const desk = await cashDesk(app)
  const parcel = await desk.deliver(2500.01)
  const free = await desk.deliver(0)
  expect(await desk.get('encaissements/preview')).toEqual([
    {
      parcelId: parcel.id,
      trackingId: parcel.trackingId,
      reference: parcel.reference,
      amount: 2500.01,
      net: 2500.01,
      status: 'collected',
      deliveredAt: expect.any(String),
      ageDays: 0,
      aged: false,
    },
  ])
  expect(await desk.get('finance')).toMatchObject({
    currency: 'DZD',
    owed: 2500.01,
    due: 2500.01,
    collected: 2500.01,
    parcels: 1,
    sales: 2500.01,
  })
  await desk.say(
    { tracking: parcel.trackingId, status: 'returning', at: soon() },
    { tracking: free.trackingId, status: 'returning', at: soon() },
  )
  expect(await desk.get('encaissements/preview')).toEqual([])
  expect(await desk.get('finance')).toMatchObject({ owed: 0, due: 0, sales: 0, parcels: 0 })
  await desk.say({ tracking: parcel.trackingId, status: 'delivered', at: new Date(Date.now() + 120_000).toISOString() })
  expect(await desk.get('finance')).toMatchObject({ owed: 2500.01, due: 2500.01 })
  const entries =
    await context.sql`select kind, carrier::float8, sales::float8, stands from ledger_entries where parcel_id = ${parcel.id} order by id`
  expect([...entries]).toEqual([
    { kind: 'delivered', carrier: 2500.01, sales: -2500.01, stands: false },
    { kind: 'undelivered', carrier: -2500.01, sales: 2500.01, stands: false },
    { kind: 'delivered', carrier: 2500.01, sales: -2500.01, stands: true },
  ])
})

test('ledger: old debts are grouped by the requested number of days; pages go on after a parcel', async () => {
  const desk = await cashDesk(app)
  const [old, older] = [await desk.deliver(100), await desk.deliver(200)]
  const parcels = { [old.id]: ago(15), [older.id]: ago(20) }
  await context.sql`alter table ledger_entries disable trigger kept`
  for (const [id, at] of Object.entries(parcels)) await context.sql`update ledger_entries set at = ${at} where parcel_id = ${id}`
  await context.sql`alter table ledger_entries enable trigger kept`
  const recent = await desk.deliver(300)
  const rows = async (query: string) =>
    (await desk.get(`encaissements/preview?${query}`)).map(
      ({ amount, aged, ageDays }: { amount: number; aged: boolean; ageDays: number }) => [amount, aged, ageDays],
    )
  expect(await rows('')).toEqual([
    [200, true, 20],
    [100, true, 15],
    [300, false, 0],
  ])
  expect(await rows('agedDays=18')).toEqual([
    [200, true, 20],
    [100, false, 15],
    [300, false, 0],
  ])
  const page = async (query: string) => call('GET', `${desk.base}/encaissements/preview?${query}`, { as: desk.as })
  const first = (await page('limit=2')).body
  expect(first.data.map(({ parcelId }: { parcelId: string }) => parcelId)).toEqual([older.id, old.id])
  const rest = (await page(`limit=2&cursor=${first.nextCursor}`)).body
  expect([rest.data.length, rest.data[0].parcelId, rest.nextCursor]).toEqual([1, recent.id, null])
  for (const query of ['limit=101', 'limit=0', 'cursor=x']) expect((await page(query)).status).toBe(400)
  expect((await desk.get('finance')).aged).toBe(300)
  expect((await desk.get('finance?agedDays=18')).aged).toBe(200)
  expect((await call('GET', `${desk.base}/encaissements/preview?agedDays=-1`, { as: desk.as })).status).toBe(400)
})

test('the database refuses an entry out of balance, a second payment, and any change', async () => {
  const desk = await cashDesk(app)
  const parcel = await desk.deliver(100)
  const { sql } = context
  const entry = {
    projectId: desk.projectId,
    connectionId: desk.connection.id,
    kind: 'delivered',
    parcelId: parcel.id,
    stands: true,
    at: new Date(),
  }
  expect(sql`insert into ledger_entries ${sql({ ...entry, carrier: 10, sales: -9 } as never)}`).rejects.toThrow(/ledger_entries_balanced/)
  expect(sql`insert into ledger_entries ${sql({ ...entry, carrier: 10, sales: -10 } as never)}`).rejects.toThrow(/ledger_entries_once/)
  expect(sql`update ledger_entries set carrier = 1, sales = -1 where parcel_id = ${parcel.id}`).rejects.toThrow(/is a ledger/)
  expect(sql`delete from ledger_entries where parcel_id = ${parcel.id}`).rejects.toThrow(/is a ledger/)
})
