import { expect, test } from 'bun:test'
import { listCallAges } from '../../core/gateway/calls.queries.ts'
import { openCalls } from '../../core/gateway/calls.ts'
import { listTraces } from '../../core/gateway/traces.queries.ts'
import { forgetTraces } from '../../core/gateway/traces.ts'
import { startApp } from '../support/app.ts'

const { context } = await startApp()
const { sql } = context
const forever = new AbortController().signal
const fill = (connection: string, count: number, age: string) =>
  sql`insert into carrier_traces (connection_id, id, parcel_ids, at, ms, operation, outcome, exchanges)
    select ${connection}, 'trc_' || lpad(n::text, 8, '0'), array['par_' || n], now() - ${age}::interval, 1, 'track', 'ok', '[]' from generate_series(1, ${count}::int) n`
const count = async (connection: string) =>
  (await sql<{ count: number }[]>`select count(*)::int as count from carrier_traces where connection_id = ${connection}`)[0]!.count

test('traces go after thirty days, and the oldest of a connection that has too many before that', async () => {
  await fill('old', 6_000, '30 days 1 minute')
  await fill('kept', 100, '29 days 23 hours')
  await fill('busy', 50_200, '1 day')
  await forgetTraces(sql, forever)
  expect([await count('old'), await count('kept'), await count('busy')]).toEqual([0, 100, 50_000])
  expect((await listTraces(sql, 'par_200', null, 5)).length).toBe(0)
  expect((await listTraces(sql, 'par_201', null, 5)).length).toBe(1)
})

test('calls are noted together, known until no window counts them, and then forgotten', async () => {
  const calls = openCalls(sql)
  await Promise.all(Array.from({ length: 200 }, (_, at) => calls.note({ connectionId: 'a', ms: at < 150 ? 60_000 : 1 })))
  await Bun.sleep(5)
  const ages = await listCallAges(sql, 'a', 1_000)
  expect(ages.length).toBe(150)
  for (const age of ages) expect(age).toBeWithin(0, 5_000)
  expect((await listCallAges(sql, 'a', 10)).length).toBe(10)
  await forgetTraces(sql, forever)
  expect((await sql`select 1 from carrier_calls`).length).toBe(150)
})
