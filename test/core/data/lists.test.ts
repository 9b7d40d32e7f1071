import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { KeysetPage } from '../../../core/data/keyset-page.ts'
import { connectPool, expectOne, type Queryable, type Sql } from '../../../core/data/sql.ts'
import { listRows } from '../../../core/http/resource/rows.queries.ts'
import { listParcels } from '../../../core/logistics/parcels/parcels.queries.ts'
import { listTrackableParcels } from '../../../core/logistics/tracking/sync.queries.ts'
import { listOrders } from '../../../core/orders/list.ts'
import { ordersToSearch } from '../../../core/orders/search/search-rows.queries.ts'
import { freshDatabase } from '../../support/database.ts'
import { explained, nodes, type Plan } from '../../support/explained.ts'

const ROWS = 8_000
const TAKE = 21
const STORE = { id: 'sto_a', countryCode: 'DZ' }
/** Rows that may be read to find a page. */
const READ_MAX = 3 * TAKE

let sql: Sql

/** What goes with time, as it does: the newest are under way, and the oldest were of an account, a person and a promotion of then. */
beforeAll(async () => {
  sql = connectPool(await freshDatabase(), 1)
  await sql`insert into users (id, name, email, password_hash) values ('usr_a', 'A', 'a@example.dz', '')`
  await sql`insert into tenants (name) values ('T')`
  await sql`insert into projects (id, tenant_id, name) select 'prj_a', id, 'P' from tenants`
  await sql`insert into stores (id, project_id, owner_id, name, slug, country_code, currency_code) values ('sto_a', 'prj_a', 'usr_a', 'S', 's', 'DZ', 'DZD')`
  const old = sql`n < ${ROWS / 4}`
  const isNew = sql`n >= ${ROWS - 200}`
  const at = sql`'2026-01-01'::timestamptz + n * interval '1 minute'`
  await sql`insert into parcels (project_id, tenant_id, reference, status, carrier_account_id, recipient, destination, cod_amount, declared_value, tracking_id, created_at, updated_at, id)
    select 'prj_a', 1, n::text, case when ${isNew} then 'in_transit' else 'delivered' end, case when ${old} then 'int_old' else 'int_new' end,
      jsonb_build_object('phone', n % 2), '{}', 1, 1, 'T' || n, ${at}, ${at}, 'par_' || lpad(n::text, 8, '0') from generate_series(0, ${ROWS - 1}) n`
  await sql`insert into orders (project_id, reference, status, customer_name, customer_phone, destination, subtotal, delivery, discount, total, source, assigned_to, promo_code, payment_status, search_text, created_at, updated_at, id)
    select 'prj_a', 'R' || n, case when ${isNew} then 'pending' else 'delivered' end, 'A', '0550', jsonb_build_object('stateCode', case when ${old} then '31' else '16' end, 'cityCode', n % 50, 'deliveryType', case when ${old} then 'pickup' else 'home' end),
      1, 0, 0, 1, case when ${old} then 'storefront' else 'api' end, case when ${old} then 'usr_a' end, case when ${old} then 'OLD' end,
      case when ${old} then 'paid' else 'unpaid' end, ' a 21355' || lpad((n * 7919 % 9999991)::text, 7, '0') || ' ', ${at}, ${at}, 'ord_' || lpad(n::text, 8, '0') from generate_series(0, ${ROWS - 1}) n`
  await sql`insert into order_items (project_id, order_id, line, product_id, name, unit_price, quantity)
    select project_id, id, 1, case when substr(id, 5)::int < 60 then 'prd_old' else 'prd_new' end, 'P', 1, 1 from orders`
  // Each order but the newest has a parcel; the oldest had another carrier.
  await sql`update parcels set order_id = 'ord_' || substr(id, 5), courier_id = case when id < ${`par_${String(ROWS / 4).padStart(8, '0')}`} then 'old' else 'new' end,
      printed_at = case when id < ${`par_${String(ROWS / 4).padStart(8, '0')}`} then now() end where status <> 'in_transit'`
  await sql`insert into order_tags (project_id, order_id, tag)
    select 'prj_a', id, case when substr(id, 5)::int < ${ROWS / 40} then 'rare' else 'usual' end from orders where substr(id, 5)::int % 2 = 0`
  // As the copying does, at once.
  await sql`analyze parcels, orders, order_tags`
  await sql`insert into order_search ${ordersToSearch(sql)}`
  await sql`truncate order_changes`
  await sql`vacuum analyze parcels, orders, order_items, order_search, order_changes`
}, 120_000)
afterAll(() => sql.end())

/** The most rows of one table that the list read, also those that it left out. */
async function rowsRead(list: (reader: Queryable) => Promise<readonly object[]>) {
  const plans: Plan[] = []
  const rows = await list(explained(sql, plans))
  expect(rows.length).toBe(TAKE)
  const read = plans
    .flatMap(nodes)
    .filter((node) => /^(parcels|orders|order_search|order_changes|order_items)$/.test(node['Relation Name'] ?? ''))
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
  return Math.max(...read)
}

const slice = (by: string | null, { descending }: { readonly descending: boolean }): KeysetPage => ({
  sortColumn: by,
  isDescending: descending,
  after: null,
  limit: TAKE,
})
const parcels = (filter: object, part: KeysetPage) => (reader: Queryable) =>
  listParcels(reader, 'prj_a', { filter, q: undefined, page: part })
const orders = (filter: object, part: KeysetPage) => (reader: Queryable) => listOrders(reader, STORE, { filter, q: undefined, page: part })

const lists: Record<string, (reader: Queryable) => Promise<readonly object[]>> = {
  'parcels on their way, changed first': parcels({ status: 'in_transit' }, slice('updated_at', { descending: false })),
  'parcels of an account of before, the newest': parcels({ carrierAccountId: 'int_old' }, slice(null, { descending: true })),
  'parcels of an account of before, changed last': parcels({ carrierAccountId: 'int_old' }, slice('updated_at', { descending: true })),
  'parcels of a phone that half of them have': parcels({ phone: '1' }, slice(null, { descending: true })),
  'parcels of an account that its carrier may have news of': (reader) =>
    listTrackableParcels(reader, { id: 'int_new', projectId: 'prj_a' }, '', TAKE),
  'orders that nobody has seen, changed first': orders({ status: 'pending' }, slice('updated_at', { descending: false })),
  'orders of a person of before, changed last': orders({ assignedTo: 'usr_a' }, slice('updated_at', { descending: true })),
  'orders of a promotion of before, changed last': orders({ promoCode: 'OLD' }, slice('updated_at', { descending: true })),
  'orders with nobody, changed first': orders({ assignedTo: 'none' }, slice('updated_at', { descending: false })),
  'orders to a state of before, the newest': orders({ stateCode: '31' }, slice(null, { descending: true })),
  'orders to a state of before, changed last': orders({ stateCode: '31' }, slice('updated_at', { descending: true })),
  'orders of a source of before, the newest': orders({ source: 'storefront' }, slice(null, { descending: true })),
  'orders of a source of before, changed last': orders({ source: 'storefront' }, slice('updated_at', { descending: true })),
  'orders paid before, the newest': orders({ paymentStatus: 'paid' }, slice(null, { descending: true })),
  'orders paid before, changed last': orders({ paymentStatus: 'paid' }, slice('updated_at', { descending: true })),
  'orders not paid yet, the first': orders({ paymentStatus: 'unpaid' }, slice(null, { descending: false })),
  'orders not paid yet, changed first': orders({ paymentStatus: 'unpaid' }, slice('updated_at', { descending: false })),
  'orders of a carrier of before, the newest': orders({ carrier: 'old' }, slice(null, { descending: true })),
  'orders of a carrier of before, changed last': orders({ carrier: 'old' }, slice('updated_at', { descending: true })),
  'orders of two carriers, the newest': orders({ carrier: 'old,new' }, slice(null, { descending: true })),
  'orders without a parcel, the first': orders({ parcelStatus: 'none' }, slice(null, { descending: false })),
  'orders without a parcel, changed first': orders({ parcelStatus: 'none' }, slice('updated_at', { descending: false })),
  'orders whose label was printed before, the newest': orders({ printed: 'yes' }, slice(null, { descending: true })),
  'orders whose label was printed before, changed last': orders({ printed: 'yes' }, slice('updated_at', { descending: true })),
  'orders of a delivery of before, the newest': orders({ deliveryType: 'pickup' }, slice(null, { descending: true })),
  'orders of a delivery of before, changed last': orders({ deliveryType: 'pickup' }, slice('updated_at', { descending: true })),
  'orders to a commune, the newest': orders({ cityCode: '7' }, slice(null, { descending: true })),
  'orders that wait since long ago, the newest': orders({ waitingSince: '2030-01-01T00:00:00Z' }, slice(null, { descending: true })),
  'orders of a usual tag, the newest': orders({ tag: 'usual' }, slice(null, { descending: true })),
  'orders of several statuses, the first': orders({ status: 'pending,confirmed,unreachable' }, slice(null, { descending: false })),
  'orders of several statuses, changed first': orders({ status: 'pending,confirmed' }, slice('updated_at', { descending: false })),
  'orders of a status, the cheapest': orders({ status: 'pending,confirmed' }, slice('total', { descending: false })),
  'orders of a carrier of before, the dearest': orders({ carrier: 'old' }, slice('total', { descending: true })),
  'orders without a parcel, the cheapest': orders({ parcelStatus: 'none' }, slice('total', { descending: false })),
  'orders to a commune, the dearest': orders({ cityCode: '7' }, slice('total', { descending: true })),
  'orders of a product of before, the newest': orders({ productId: 'prd_old' }, slice(null, { descending: true })),
}

test('a phone number, or its end, is looked up in an index', async () => {
  for (const [typed, ending] of [
    ['0550 55 43 30', '550554330'],
    ['4330', '4330'],
  ] as const) {
    const plans: Plan[] = []
    const rows = await listOrders(explained(sql, plans), STORE, { filter: {}, q: typed, page: slice(null, { descending: true }) })
    expect(rows.every(({ searchText }) => searchText.endsWith(`${ending} `))).toBe(true)
    expect(rows.length).toBeGreaterThan(0)
    expect(plans.flatMap(nodes).map((node) => node['Index Name'])).toContain('order_search_text')
  }
})

for (const [name, list] of Object.entries(lists))
  test(`${name}: a page is read off one index, and not much more than it`, async () => {
    expect(await rowsRead(list)).toBeLessThanOrEqual(READ_MAX)
  })

test('lists: computed columns are calculated for the rows of the page only', async () => {
  await sql`insert into pages (project_id, id, title, slug, format, content)
    select 'prj_a', 'pag_' || lpad(n::text, 8, '0'), case when n % 100 = 0 then 'spring' else 'autumn' end, n::text, 'html',
      (select string_agg(md5(n::text || part), '') from generate_series(1, 200) part) from generate_series(1, ${ROWS}) n`
  await sql`vacuum analyze pages`
  const longTexts = async () => {
    await sql`select pg_stat_force_next_flush()`
    const read = await sql<{ texts: string }[]>`select coalesce(idx_scan, 0) as texts from pg_stat_all_tables
      where relid = (select reltoastrelid from pg_class where relname = 'pages')`
    return Number(expectOne(read).texts)
  }
  const table = { name: 'pages', columns: ['id', 'title', 'content'], json: [] }
  const asked = { where: [[{ projectId: 'prj_a' }]], filter: {}, caseInsensitive: [], search: { column: 'title', text: 'spring' } }
  const before = await longTexts()
  const plans: Plan[] = []
  expect((await listRows(explained(sql, plans), table, { ...asked, page: slice('updated_at', { descending: true }) })).length).toBe(TAKE)
  expect(plans.flatMap(nodes).map((node) => node['Node Type'])).toContain('Bitmap Index Scan')
  expect((await longTexts()) - before).toBeLessThanOrEqual(READ_MAX)
})
