import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { KeysetPage } from '../../../core/data/keyset-page.ts'
import { createPartitions } from '../../../core/data/partitions.ts'
import { connectPool, type Queryable, type Sql } from '../../../core/data/sql.ts'
import { listPartitionedTables } from '../../../core/features.ts'
import { listTraces } from '../../../core/integrations/egress/traces.queries.ts'
import { WEEK_MS } from '../../../core/lib/durations.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import {
  findParcel,
  findParcelByReference,
  findParcelByTracking,
  listParcelEvents,
  listParcels,
} from '../../../core/logistics/parcels/parcels.queries.ts'
import { isReportRecorded } from '../../../core/logistics/tracking/reports.queries.ts'
import { findDelivery, listDeliveries } from '../../../core/platform/webhooks/delivery/deliveries.queries.ts'
import { claimDue, writeOutcomes } from '../../../core/platform/webhooks/delivery/dispatch.queries.ts'
import { findOperation, findReversalId, listMovements, listOperations } from '../../../core/shop/inventory/operations/operations.queries.ts'
import { freshDatabase } from '../../support/database.ts'
import { explained, nodes, type Plan } from '../../support/explained.ts'

const NOW = Date.now()
/** The large ones. */
const LARGE = [...listPartitionedTables().map(({ table }) => table), 'parcels']
const BACK = 5
/** Of the present, and those to come, which are empty: then a page is full. */
const NEWEST = 1 + 2 + 1

let sql: Sql
const id = (prefix: string, at: number, more = '0'.repeat(16)) => lowestIdAt(prefix, at) + more
/** Of a time when there are some partitions. */
const weeksAgo = (weeks: number) => NOW + (BACK - weeks) * WEEK_MS
const quartersAgo = (quarters: number) => NOW + (BACK - quarters) * 13 * WEEK_MS

beforeAll(async () => {
  sql = connectPool(await freshDatabase(), 1)
  const weekly = listPartitionedTables().filter(({ weeks, table }) => weeks === 1 && !table.startsWith('oauth'))
  await createPartitions(sql, weekly, console, weeksAgo(0))
  await createPartitions(
    sql,
    listPartitionedTables().filter(({ weeks }) => weeks === 13),
    console,
    quartersAgo(0),
  )
  await sql`insert into users (id, name, email, password_hash) values ('usr_a', 'A', 'a@example.dz', '')`
  await sql`insert into tenants (name) values ('T')`
  await sql`insert into projects (id, tenant_id, name) select 'prj_a', id, 'P' from tenants`
  await sql`insert into inventory_balances (project_id, namespace, key, batch, on_hand) values ('prj_a', 'main', 'k', '', 9)`
  await sql`insert into webhook_endpoints (id, project_id, audience, url, events, all_events, event_names, topic_patterns, secrets) values ('whe_a', 'prj_a', 'project', 'http://a', '{*}', true, '{}', '{}', '[]')`
  for (let back = 0; back < BACK; back += 1) await fillPeriod(weeksAgo(back), quartersAgo(back))
  await sql`analyze`
  // What has no index for it cannot but read the whole table.
  await sql`set enable_seqscan = off`
}, 120_000)
afterAll(() => sql.end())

/** Thirty rows in the partition of a week, or of a quarter. */
async function fillPeriod(week: number, quarter: number) {
  const rest = sql`lpad(n::text, 16, '0') from generate_series(0, 29) n`
  const [at, then] = [new Date(week), new Date(quarter)]
  await sql`insert into events (id, project_id, type, body) select ${id('evt', week, '')} || lpad(n::text, 16, '0'), 'prj_a', 't', 'b' from generate_series(0, 29) n`
  await sql`insert into webhook_deliveries (endpoint_id, project_id, event_id, event_type, created_at, status, id)
    select 'whe_a', 'prj_a', ${id('evt', week, '')} || lpad(n::text, 16, '0'), 't', ${at}, case when n < 3 then 'pending' else 'delivered' end, ${id('dlv', week, '')} || ${rest}`
  await sql`insert into carrier_traces (project_id, connection_id, parcel_ids, at, ms, operation, outcome, exchanges, id)
    select 'prj_a', 'int_a', '{par_a}', ${at}, 1, 'send', 'ok', '[]', ${id('trc', week, '')} || ${rest}`
  await sql`insert into parcels (project_id, tenant_id, reference, status, carrier_account_id, tracking_id, recipient, destination, cod_amount, declared_value, id)
    select 'prj_a', 1, ${`${quarter} `} || n, 'created', 'int_a', ${`${quarter} `} || n, '{"phone": "0550"}', '{}', 1, 1, ${id('par', quarter, '')} || ${rest}`
  await sql`insert into parcel_events (project_id, parcel_id, type, source, at, id) select 'prj_a', ${id('par', quarter)}, 'created', 'api', ${then}, ${id('evt', quarter, '')} || ${rest}`
  await sql`insert into parcel_reports (project_id, parcel_id, source, at, outcome, event_key) select 'prj_a', ${id('par', quarter)}, 'poller', ${then}, 'same', ${rest}`
  await sql`insert into inventory_operations (project_id, type, created_at, id) select 'prj_a', 'receive', ${then}, ${id('op', quarter, '')} || ${rest}`
  await sql`insert into inventory_movements (project_id, line, namespace, key, batch, quantity, balance_after, created_at, operation_id)
    select 'prj_a', 0, 'main', 'k', '', 1, 1, ${then}, ${id('op', quarter, '')} || ${rest}`
}

const isLarge = (name: string) => LARGE.some((table) => name === table || (name.startsWith(`${table}_`) && /_(\d+|rest)$/.test(name)))

/** The large tables, and the partitions of each, that a reading looked into. */
async function lookedInto(read: (reader: Queryable) => unknown) {
  const plans: Plan[] = []
  await read(explained(sql, plans))
  expect(plans.length).toBeGreaterThan(0)
  const all = plans
    .flatMap(nodes)
    .filter((node) => isLarge(node['Relation Name'] ?? '') && node['Node Type'].includes('Scan') && node['Actual Loops'] > 0)
  expect(all.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])).toEqual([])
  const parts = new Set(all.map((node) => node['Relation Name'] as string))
  return Object.fromEntries(
    Map.groupBy(parts, (name) => name.replace(/_(\d+|rest)$/, ''))
      .entries()
      .map(([table, names]) => [table, names.length]),
  )
}

const newest: KeysetPage = { sortColumn: null, isDescending: true, after: null, limit: 21 }
const none = id('par', quartersAgo(2) + 1)
const old = {
  parcel: id('par', quartersAgo(1)),
  op: id('op', quartersAgo(1)),
  delivery: id('dlv', weeksAgo(1), '0000000000000005'),
}
const receiver = { id: 'whe_a', projectId: 'prj_a' }
const outcome = {
  projectId: 'prj_a',
  endpointId: 'whe_a',
  id: old.delivery,
  attemptCount: 0,
  holder: 1,
  status: 'delivered',
  delayMs: 0,
  attempt: {},
} as never

/** Where each looks, in partitions of each table. What reads one row opens one. */
const readings: Record<string, [read: (reader: Queryable) => unknown, into: Record<string, number>]> = {
  'a parcel': [(reader) => findParcel(reader, { projectId: 'prj_a', id: old.parcel }), { parcels: 1 }],
  'a parcel by its reference': [(reader) => findParcelByReference(reader, 'prj_a', 'x'), { parcels: 1 }],
  'a parcel by its number': [(reader) => findParcelByTracking(reader, { id: 'int_a', projectId: 'prj_a' }, 'x'), { parcels: 1 }],
  'the list of parcels': [(reader) => listParcels(reader, 'prj_a', { filter: {}, q: undefined, page: newest }), { parcels: 1 }],
  'the timeline of a parcel': [
    (reader) => listParcelEvents(reader, { projectId: 'prj_a', id: old.parcel }, null, 101),
    { parcel_events: 1 },
  ],
  'the timeline of none': [(reader) => listParcelEvents(reader, { projectId: 'prj_a', id: none }, null, 101), { parcel_events: 1 }],
  'a report': [(reader) => isReportRecorded(reader, { projectId: 'prj_a', parcelId: old.parcel, eventKey: 'x' }), { parcel_reports: 1 }],
  'an operation': [(reader) => findOperation(reader, 'prj_a', old.op), { inventory_operations: 1, inventory_movements: 1 }],
  'a reversal': [(reader) => findReversalId(reader, 'prj_a', old.op), {}],
  'movements of an item': [
    (reader) => listMovements(reader, 'prj_a', { objectId: 'k' }, { ...newest, sortColumn: 'created_at' }),
    { inventory_movements: NEWEST },
  ],
  'movements of an operation': [
    (reader) => listMovements(reader, 'prj_a', { operationId: old.op }, { ...newest, sortColumn: 'created_at' }),
    { inventory_operations: 1, inventory_movements: 1 },
  ],
  'a delivery': [(reader) => findDelivery(reader, receiver, old.delivery), { webhook_deliveries: 1, events: 1 }],
  'the list of deliveries': [
    (reader) => listDeliveries(reader, receiver, { filter: {}, q: undefined, page: newest }),
    { webhook_deliveries: NEWEST, events: 1 },
  ],
  'what came of a delivery': [(reader) => writeOutcomes(reader, [outcome]), { webhook_deliveries: 1 }],
}

for (const [name, [read, into]] of Object.entries(readings))
  test(`${name} is looked for where it can be, and nowhere else`, async () => {
    expect(await lookedInto(read)).toEqual(into)
  })

test('partitions: a query over several partitions scans each once, by an index', async () => {
  // Of all periods, those to come, what was before and the rest.
  const weekly = BACK + 1 + 2 + 2
  const claimed = await lookedInto((reader) => claimDue(reader, { total: 50, others: 8, byEndpoint: new Map() }, 1))
  expect(claimed.webhook_deliveries).toBeLessThanOrEqual(weekly)
  const traces = await lookedInto((reader) => listTraces(reader, { projectId: 'prj_a', id: old.parcel }, null, 21))
  expect(traces.carrier_traces).toBeLessThanOrEqual(weekly)
  expect(traces.parcel_reports).toBe(1)
  const operations = await lookedInto((reader) => listOperations(reader, 'prj_a', {}, { ...newest, sortColumn: 'o.created_at' }))
  expect(operations.inventory_movements).toBe(1)
})

test('partitions: unique keys of growing tables contain the owner; those of tokens contain the week', async () => {
  const tables = [...LARGE, 'orders', 'order_items', 'customers', 'inventory_balances', 'inventory_reversals', 'parcel_batches']
  const over = await sql`
    select c.relname as table, i.indexrelid::regclass::text as index from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relname = any(${tables}) and not exists (
      select 1 from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey::int2[]) and a.attname in ('project_id', 'store_id', 'owner', 'week'))`
  expect([...over]).toEqual([])
})
