import { afterAll, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { client, startMeta } from '../../adapters/ads/meta/simulator.ts'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'

const meta = startMeta()
afterAll(() => meta.stop())
const simulators = { 'graph.facebook.com': meta.url, 'www.facebook.com': meta.url }
// PostgreSQL chooses a plan for all values once a connection has sent a statement five times: with two connections, that is soon.
const app = await startApp({ simulators, databasePool: 2 })
const { ok, context } = app
const { sql } = context
const { storeId, key, owner } = await app.shop()
const as = owner.token
const integration = `/v1/stores/${storeId}/integrations/meta`
const { data: connection } = await ok('PUT', integration, { as, body: { enabled: true, credentials: { ...client }, settings: {} } })
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 2500, initialStock: 10 } })
const { data: order } = await ok('POST', '/v1/orders', {
  as: key,
  body: {
    storeId,
    customer: { name: 'Lina Ben Ali', phone: '0555123456' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId: product.id, quantity: 1 }],
  },
})

const [ADS, CAMPAIGNS, PAGES, ORDERS] = [8_000, 100, 1_000, 4_000]
/** Many times what it takes, and less than half of what it took where each order was held against each ad. */
const MOMENT_MS = 2_000

const projectId = projectIdOf(storeId)
await sql`insert into ads_accounts (connection_id, id, project_id, name, currency, time_zone) values (${connection.id}, 'act_1', ${projectId}, 'Many', 'USD', 'UTC')`
await sql`insert into ads_links (id, project_id, connection_id, level, external_id, campaign_id, name, landing_page_id, linked_by)
  select 'adl_' || n, ${projectId}, ${connection.id}, 'ad', 'ad-' || n, 'campaign-' || n % ${CAMPAIGNS}::int, 'Ad', 'page-' || n % ${PAGES}::int, 'url' from generate_series(1, ${ADS}::int) n
  union all select 'adl_c' || n, ${projectId}, ${connection.id}, 'campaign', 'campaign-' || n, 'campaign-' || n, 'Campaign ' || n, null, 'url' from generate_series(0, ${CAMPAIGNS - 1}::int) n`
await sql`insert into ads_spend (project_id, connection_id, account_id, day, ad_id, ad_set_id, campaign_id, currency, spend, impressions, clicks, purchases, leads)
  select ${projectId}, ${connection.id}, 'act_1', (now() at time zone 'Africa/Algiers')::date, 'ad-' || n, 'set', 'campaign-' || n % ${CAMPAIGNS}::int, 'USD', 0.5, 10, 1, 0, 0 from generate_series(1, ${ADS}::int) n`
await sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', o.id || '_' || n, 'reference', o.reference || '_' || n,
  'metadata', jsonb_build_object('adId', 'ad-' || n, 'campaignId', 'campaign-of-nobody', 'landingPageId', 'page-' || n)))).*
  from orders o, generate_series(1, ${ORDERS}::int) n where o.id = ${order.id}`
await sql`analyze orders, ads_links, ads_spend`

const groupsBy = { campaign: CAMPAIGNS, landingPage: PAGES, product: 1, day: 1 } as const
test.each(Object.entries(groupsBy))(
  'ads summary: thousands of ads and orders are summed by %s quickly',
  async (by, groups) => {
    const began = performance.now()
    const { data } = await ok('GET', `${integration}/ads/summary?by=${by}`, { as })
    expect(performance.now() - began).toBeLessThan(MOMENT_MS)
    expect([data.total.leads, data.total.spend, data.groups.length]).toEqual([ORDERS, ADS / 2, groups])
  },
  byTheClock,
)

test(
  'ads summary: it is summed as quickly when it is asked again and again',
  async () => {
    for (let at = 0; at < 16; at += 1) {
      const began = performance.now()
      await ok('GET', `${integration}/ads/summary?by=campaign`, { as })
      expect(performance.now() - began).toBeLessThan(MOMENT_MS)
    }
  },
  byTheClock,
)

test('ads summary: a campaign has its name, also when its spend comes without it', async () => {
  const { data } = await ok('GET', `${integration}/ads/summary?by=campaign`, { as })
  expect(data.groups).toContainEqual(
    expect.objectContaining({ key: 'campaign-7', name: 'Campaign 7', spend: 40, leads: 40, costPerLead: 1 }),
  )
})
