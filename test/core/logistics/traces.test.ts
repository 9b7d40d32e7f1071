import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { maintainPartitions } from '../../../core/data/partitions.ts'
import { listPartitionedTables } from '../../../core/features.ts'
import { listCallAges } from '../../../core/integrations/egress/call-log.queries.ts'
import { openCallLog } from '../../../core/integrations/egress/call-log.ts'
import { listTraces } from '../../../core/integrations/egress/traces.queries.ts'
import { deleteExcessTracesAndCalls } from '../../../core/integrations/egress/traces.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context
const forever = new AbortController().signal
const fill = (connection: string, count: number, days: number) =>
  sql`insert into carrier_traces (project_id, connection_id, id, parcel_ids, at, ms, operation, outcome, exchanges)
    select 'prj', ${connection}, ${lowestIdAt('trc', Date.now() - days * DAY_MS)} || lpad(n::text, 8, '0'), array['par_' || n],
      now() - ${days} * interval '1 day', 1, 'track', 'ok', '[]' from generate_series(1, ${count}::int) n`
const count = async (connection: string) =>
  (await sql<{ count: number }[]>`select count(*)::int as count from carrier_traces where connection_id = ${connection}`)[0]!.count

test('traces go a few days after they are asked for no more, and the oldest of a connection that has too many before that', async () => {
  await fill('old', 600, 38)
  await fill('over', 10, 30.1)
  await fill('kept', 100, 29.9)
  await fill('busy', 50_200, 1)
  await deleteExcessTracesAndCalls(sql, forever)
  const keep = () => maintainPartitions(sql, listPartitionedTables(), context.log)
  await keep()
  expect([await count('over'), await count('kept'), await count('busy')]).toEqual([10, 100, 50_000])
  const tracesOf = (id: string, projectId = 'prj') => listTraces(sql, { projectId, id }, null, 5)
  // Of the first ten only the one that is kept is told, and of those of the busy one that are gone none.
  expect([(await tracesOf('par_5')).length, (await tracesOf('par_150')).length, (await tracesOf('par_201')).length]).toEqual([1, 0, 1])
  expect(await tracesOf('par_201', 'another')).toHaveLength(0)
})

test("traces: a carrier's reports are listed newest first, with the reason why one moved nothing", async () => {
  const { storeId, owner, key } = await shop()
  const path = `/v1/stores/${storeId}/integrations/sandbox`
  const connection = { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} }
  const account = (await ok('PUT', path, { as: owner.token, body: connection })).data.id
  const destination = { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' }
  const body = { recipient: { name: 'Amina', phone: '0550123456' }, destination, codAmount: 100, carrierAccountId: account, submit: true }
  const { data: parcel } = await ok('POST', '/v1/parcels', { as: key, body })
  const now = Date.now()
  const said: [string, number][] = [
    ['delivered', 1_000],
    ['picked up', 500],
    ['eaten by a goat', 1_500],
    ['picked up', 2_000],
    ['delivered', 2_500],
  ]
  for (const [status, after] of said) {
    const raw = JSON.stringify({ tracking: parcel.trackingId, status, at: new Date(now + after).toISOString() })
    const signature = `sha256=${createHmac('sha256', 'rehearsal').update(raw).digest('hex')}`
    expect((await call('POST', `${path}/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })).status).toBe(200)
  }
  const reports: { operation: string; outcome: string; message: string; report: object | null }[] = []
  for (let cursor = ''; ; ) {
    const page = await ok('GET', `/v1/parcels/${parcel.id}/trace?limit=2${cursor}`, { as: key })
    reports.push(...page.data.filter(({ operation }: { operation: string }) => operation === 'report'))
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  expect(reports.map(({ outcome }) => outcome)).toEqual(['same', 'impossible', 'unmapped', 'stale', 'applied'])
  expect(reports[3]).toMatchObject({
    message: expect.stringContaining('older'),
    report: { source: 'webhook:sandbox', carrierStatus: 'picked up' },
  })
})

test('calls are noted together, known until no window counts them, and then forgotten', async () => {
  const account = { projectId: 'prj_a', connectionId: 'a' }
  const calls = openCallLog(sql)
  await Promise.all(Array.from({ length: 200 }, (_, at) => calls.record({ ...account, ms: at < 150 ? 60_000 : 1 })))
  await Bun.sleep(5)
  const ages = await listCallAges(sql, account, 1_000)
  expect(ages.length).toBe(150)
  for (const age of ages) expect(age).toBeWithin(0, 5_000)
  expect((await listCallAges(sql, account, 10)).length).toBe(10)
  expect(await listCallAges(sql, { ...account, projectId: 'prj_b' }, 10)).toEqual([])
  await deleteExcessTracesAndCalls(sql, forever)
  expect((await sql`select 1 from carrier_calls`).length).toBe(150)
})
