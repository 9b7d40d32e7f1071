import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Slice } from '../../../core/data/slice.ts'
import { connect, type Queryable, type Sql } from '../../../core/data/sql.ts'
import { listParcels } from '../../../core/logistics/parcels/parcels.queries.ts'
import { listOrders } from '../../../core/sales/orders/orders.queries.ts'
import { freshDatabase } from '../../support/database.ts'
import { explained, nodes, type Plan } from '../../support/explained.ts'

const ROWS = 8_000
const TAKE = 21
/** Rows that may be read to find a page. */
const READ_MAX = 3 * TAKE

let sql: Sql

/** What goes with time, as it does: the newest are under way, and the oldest were of an account, a person and a promotion of then. */
beforeAll(async () => {
  sql = connect(await freshDatabase(), 1)
  await sql`insert into users (id, name, email, password_hash) values ('usr_a', 'A', 'a@example.dz', '')`
  await sql`insert into tenants (name) values ('T')`
  await sql`insert into projects (id, tenant_id, name) select 'prj_a', id, 'P' from tenants`
  await sql`insert into stores (id, project_id, owner_id, name, slug, country_code, currency_code) values ('str_a', 'prj_a', 'usr_a', 'S', 's', 'DZ', 'DZD')`
  const old = sql`n < ${ROWS / 4}`
  const isNew = sql`n >= ${ROWS - 200}`
  const at = sql`'2026-01-01'::timestamptz + n * interval '1 minute'`
  await sql`insert into parcels (project_id, tenant_id, reference, status, carrier_account_id, recipient, destination, cod_amount, declared_value, created_at, updated_at, id)
    select 'prj_a', 1, n::text, case when ${isNew} then 'in_transit' else 'delivered' end, case when ${old} then 'int_old' else 'int_new' end,
      jsonb_build_object('phone', n % 2), '{}', 1, 1, ${at}, ${at}, 'par_' || lpad(n::text, 8, '0') from generate_series(0, ${ROWS - 1}) n`
  await sql`insert into orders (store_id, reference, status, customer_name, customer_phone, destination, subtotal, delivery, discount, total, source, assigned_to, promo_code, created_at, updated_at, id)
    select 'str_a', n::text, case when ${isNew} then 'pending' else 'delivered' end, 'A', '0550', '{}', 1, 0, 0, 1, 'api',
      case when ${old} then 'usr_a' end, case when ${old} then 'OLD' end, ${at}, ${at}, 'ord_' || lpad(n::text, 8, '0') from generate_series(0, ${ROWS - 1}) n`
  await sql`vacuum analyze parcels, orders`
}, 120_000)
afterAll(() => sql.end())

/** The most rows of one table that the list read, also those that it left out. */
async function rowsRead(list: (reader: Queryable) => Promise<readonly object[]>) {
  const plans: Plan[] = []
  const rows = await list(explained(sql, plans))
  expect(rows.length).toBe(TAKE)
  const read = plans
    .flatMap(nodes)
    .filter((node) => /^(parcels|orders)$/.test(node['Relation Name'] ?? ''))
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
  return Math.max(...read)
}

const slice = (by: string | null, descending: boolean): Slice => ({ by, descending, after: null, take: TAKE })
const parcels = (filter: object, part: Slice) => (reader: Queryable) => listParcels(reader, 'prj_a', { filter, q: undefined, slice: part })
const orders = (filter: object, part: Slice) => (reader: Queryable) => listOrders(reader, 'str_a', { filter, q: undefined, slice: part })

const lists: Record<string, (reader: Queryable) => Promise<readonly object[]>> = {
  'parcels on their way, changed first': parcels({ status: 'in_transit' }, slice('updated_at', false)),
  'parcels of an account of before, the newest': parcels({ carrierAccountId: 'int_old' }, slice(null, true)),
  'parcels of an account of before, changed last': parcels({ carrierAccountId: 'int_old' }, slice('updated_at', true)),
  'parcels of a phone that half of them have': parcels({ phone: '1' }, slice(null, true)),
  'orders that nobody has seen, changed first': orders({ status: 'pending' }, slice('updated_at', false)),
  'orders of a person of before, changed last': orders({ assignedTo: 'usr_a' }, slice('updated_at', true)),
  'orders of a promotion of before, changed last': orders({ promoCode: 'OLD' }, slice('updated_at', true)),
}

for (const [name, list] of Object.entries(lists))
  test(`${name}: a page is read off one index, and not much more than it`, async () => {
    expect(await rowsRead(list)).toBeLessThanOrEqual(READ_MAX)
  })
