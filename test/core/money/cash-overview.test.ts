import { afterEach, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { cashDesk, findCashDifferences } from '../../support/cash.ts'

const app = await startApp()
await app.person('The administrator')
const { call, ok, context } = app
const desk = await cashDesk(app)
const other = await cashDesk(app)
const overview = `/v1/stores/${desk.storeId}/cash`
const payouts = `${overview}/payouts`
const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

afterEach(async () => expect(await findCashDifferences(context.sql)).toEqual([]))

const holders = async () => (await ok('GET', overview, { as: desk.as })).data
const holderOfDesk = async () => (await holders()).find(({ connectionId }: { connectionId: string }) => connectionId === desk.connection.id)

test('the overview shows a carrier without deliveries with nothing owed', async () => {
  expect(await holders()).toEqual([
    {
      connectionId: desk.connection.id,
      kind: 'carrier',
      key: 'sandbox',
      name: '',
      enabled: true,
      removed: false,
      currency: 'DZD',
      owed: 0,
      unpaid: 0,
      since: null,
      agedUnpaid: 0,
      aged: 0,
      waitingPayouts: 0,
      lastPayoutAt: null,
    },
  ])
})

test('the overview says what a carrier owes and since when, and what waits to be confirmed', async () => {
  const [old, young] = [daysAgo(20), daysAgo(3)]
  const first = await desk.deliver(3000, old)
  await desk.deliver(2000, young)
  await other.deliver(9999)
  expect(await holderOfDesk()).toMatchObject({ owed: 5000, unpaid: 2, since: old, agedUnpaid: 1, aged: 3000, waitingPayouts: 0 })
  const strict = (await ok('GET', `${overview}?agedDays=2`, { as: desk.as })).data[0]
  expect([strict.agedUnpaid, strict.aged]).toEqual([2, 5000])

  const payout = await desk.payoutOf([[first.trackingId, 3000, 400]])
  expect(await holderOfDesk()).toMatchObject({ owed: 5000, unpaid: 2, waitingPayouts: 1, lastPayoutAt: null })
  await desk.confirm(payout.id)
  const paid = await holderOfDesk()
  expect(paid).toMatchObject({ owed: 2000, unpaid: 1, since: young, agedUnpaid: 0, waitingPayouts: 0 })
  expect(Date.now() - Date.parse(paid.lastPayoutAt)).toBeLessThan(60_000)
  await desk.reverse(payout.id)
  expect(await holderOfDesk()).toMatchObject({ owed: 5000, unpaid: 2, since: old, lastPayoutAt: null })
  await desk.confirm(payout.id)
})

test('payouts of all carriers are listed newest first, by state and page by page', async () => {
  await desk.payoutOf([['UNKNOWN-1', 100]], { at: daysAgo(1) })
  const all = (await ok('GET', payouts, { as: desk.as })).data
  expect(all.map(({ state }: { state: string }) => state).sort()).toEqual(['confirmed', 'draft'])
  expect(
    all.every((row: { carrier: string; connectionId: string }) => row.carrier === 'sandbox' && row.connectionId === desk.connection.id),
  ).toBe(true)
  const times = all.map(({ at }: { at: string }) => at)
  expect(times).toEqual(times.toSorted().toReversed())
  expect((await ok('GET', `${payouts}?state=draft`, { as: desk.as })).data).toEqual(
    all.filter(({ state }: { state: string }) => state === 'draft'),
  )
  expect((await ok('GET', `${payouts}?connectionId=${other.connection.id}`, { as: desk.as })).data).toEqual([])
  const page = (await call('GET', `${payouts}?limit=1`, { as: desk.as })).body
  const next = (await call('GET', `${payouts}?limit=1&cursor=${page.nextCursor}`, { as: desk.as })).body
  expect([...page.data, ...next.data]).toEqual(all)
  expect(next.nextCursor).toBeNull()
  expect((await call('GET', `${payouts}?cursor=${Buffer.from('k1:no payout').toString('base64url')}`, { as: desk.as })).body.data).toEqual(
    [],
  )
})

test('a connection that was removed stays as long as it owes', async () => {
  const gone = await cashDesk(app)
  const path = `/v1/stores/${gone.storeId}/cash`
  await ok('DELETE', gone.base, { as: gone.as }).catch(() => {})
  const [removed] = (await ok('GET', path, { as: gone.as })).data
  expect(removed).toBeUndefined()
  expect((await holders())[0]).toMatchObject({ owed: 2000, enabled: true })
  await ok('DELETE', desk.base, { as: desk.as })
  expect((await holders())[0]).toMatchObject({ owed: 2000, enabled: false, removed: true })
})

test('only people and keys that may see the cash of the store see it', async () => {
  const viewer = await app.person('Packer')
  await context.sql`insert into store_members (store_id, user_id, role, permissions) values (${other.storeId}, ${viewer.id}, 'admin', '{parcels:read}')`
  const agent = await app.person('Agent')
  await context.sql`insert into store_members (store_id, user_id, role) values (${other.storeId}, ${agent.id}, 'agent')`
  for (const path of [`/v1/stores/${other.storeId}/cash`, `/v1/stores/${other.storeId}/cash/payouts`]) {
    expect((await call('GET', path)).status).toBe(401)
    expect((await call('GET', path, { as: 'sk_wrong' })).status).toBe(401)
    expect((await call('GET', path, { as: desk.as })).status).toBe(404)
    expect((await call('GET', path, { as: viewer.token })).status).toBe(403)
    expect((await call('GET', path, { as: agent.token })).status).toBe(403)
    expect((await call('GET', `${path}?limit=wrong&agedDays=wrong`, { as: other.as })).status).toBe(400)
    expect((await call('GET', path, { as: other.key })).status).toBe(200)
  }
})
