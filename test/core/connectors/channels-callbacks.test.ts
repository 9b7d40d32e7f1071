import { afterAll, expect, test } from 'bun:test'
import { endReplay, recordReplayRequest } from '../../../core/connectors/shops/inbox/received-webhooks.queries.ts'
import { findOrInsertShopSync } from '../../../core/connectors/shops/shop-sync.queries.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { FORM, APP as META_APP, PAGE, startMetaLeads } from '../../adapters/connector/meta-leads/simulator.ts'
import { APP as SHOPIFY_APP, startShopify } from '../../adapters/connector/shopify/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const [meta, shop] = [startMetaLeads(), startShopify()]
afterAll(() => Promise.all([meta.stop(), shop.stop()]))
const app = await startApp({
  simulators: { 'graph.facebook.com': meta.url, [shop.host]: shop.url },
  publicUrl: 'https://ours.example',
})
const { call, ok, context } = app
const { sql } = context
// The first to sign up.
const admin = await app.person('The administrator')
const lend = (platform: string, credentials: object) =>
  ok('PUT', `/v1/platform/integrations/${platform}`, { as: admin.token, body: { enabled: true, credentials, settings: {} } })
await lend('meta-leads', META_APP)
await lend('shopify', SHOPIFY_APP)
const connectorsOf = ({ storeId }: { storeId: string }) => `/v1/stores/${storeId}/integrations/connectors`
const worked = () => until(async () => (await sql`select 1 from connector_callbacks where worked_at is null`).length === 0)

test("callbacks of shops: a connection that only typed in a shop's name receives nothing of that shop's verified callbacks", async () => {
  const mounted = context.plugins.find('connector', 'shopify')
  const { webhook } = mounted?.adapter ?? {}
  if (!webhook) throw new Error('There are no callbacks.')
  let asked = 0
  const { receive } = webhook
  Object.assign(webhook, {
    receive(...given: Parameters<typeof receive>) {
      asked += 1
      return receive(...given)
    },
  })
  const addresses = ['/v1/integrations/connectors/shopify/webhook']
  for (let count = 0; count < 4; count += 1) {
    const stranger = await app.shop()
    const body = { platform: 'shopify', credentials: {}, settings: { shop: shop.host } }
    const { data } = await ok('POST', connectorsOf(stranger), { as: stranger.owner.token, body })
    addresses.push(new URL(data.webhookUrl).pathname, `/v1/stores/${stranger.storeId}/integrations/shopify/webhook`)
  }
  const tell = async (topic: string, told: object) => {
    const { headers, body: raw } = shop.signed(SHOPIFY_APP.clientSecret, topic, JSON.stringify(told))
    return Promise.all(addresses.map(async (path) => (await call('POST', path, { raw, headers })).status))
  }
  const [all, ...own] = await tell('orders/create', { id: 5, line_items: [{}] })
  expect([all, new Set(own), asked]).toEqual([404, new Set([401]), 1])
  // Nobody of it is kept, which its platform is told once.
  const [redacted] = await tell('shop/redact', { shop_id: 1, shop_domain: shop.host })
  expect([redacted, asked]).toEqual([200, 2])
  Object.assign(webhook, { receive })
})

test('callbacks of shops: an unreadable form holds up no other of the same callback; a callback without a shop reaches nobody', async () => {
  const made = await app.shop()
  const { storeId, owner, key } = made
  const product = { storeId, name: 'Basket', sku: 'B', price: 2500, initialStock: 1000 }
  const { data: basket } = await ok('POST', '/v1/products', { as: key, body: product })
  const body = { platform: 'meta-leads', name: 'Dar', credentials: {} }
  const { data: connector } = await ok('POST', connectorsOf(made), { as: owner.token, body })
  const start = await ok('POST', `/v1/stores/${storeId}/integrations/meta-leads/oauth/start`, { as: owner.token, body: {} })
  await call('GET', `/v1/integrations/oauth/callback?code=code-of-the-owner&state=${new URL(start.data.url).searchParams.get('state')}`)
  const at = `${connectorsOf(made)}/${connector.id}`
  const forms = [{ formId: FORM, productId: basket.id }]
  await ok('POST', `${at}/meta-leads/configure`, { as: owner.token, body: { pageId: PAGE.id, forms } })
  await until(async () => (await ok('GET', connectorsOf(made), { as: key })).data[0].pull.status === 'done')
  const [gone, there] = [meta.answer(), meta.answer()]
  meta.expired.add(gone.id)
  const tell = (value: unknown) => {
    const { raw, headers } = meta.signed(value)
    return call('POST', '/v1/integrations/connectors/meta-leads/webhook', { raw, headers })
  }
  expect((await tell(meta.told(gone, there))).status).toBe(200)
  await until(async () => (await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })).data.length === 1)
  await sql`delete from connector_callbacks where connection_id = ${connector.id}`
  for (const id of ['\0', 'a\0b', '', 5, null]) expect([id, (await tell({ object: 'page', entry: [{ id }] })).status]).toEqual([id, 404])
})

test('callbacks of shops: a replay of a month runs in batches, from the earliest requested time', async () => {
  const made = await app.shop()
  const { owner, key } = made
  const body = { platform: 'sandbox-shop', name: 'one', credentials: { webhookSecret: 's'.repeat(20) }, settings: { shop: 'one.example' } }
  const { data: connector } = await ok('POST', connectorsOf(made), { as: owner.token, body })
  await sql`create table changed_at_once (rows integer)`
  await sql`create function note_changed() returns trigger language plpgsql as
    $$ begin insert into changed_at_once select count(*) from changed; return null; end $$`
  await sql`create trigger note_changed after update on connector_callbacks
    referencing new table as changed for each statement execute function note_changed()`
  // A minute between each; the newest came an hour ago.
  await sql`insert into connector_callbacks (project_id, id, connection_id, url, method, headers, body, received_at, worked_at)
    select ${projectIdOf(made.storeId)}, 'ccb_' || lpad(n::text, 4, '0'), ${connector.id}, '/', 'POST', '{}', '{}', now() - (60 + n) * interval '1 minute', now() - interval '50 minutes'
    from generate_series(0, 249) n`
  const again = (minutes: number) =>
    ok('POST', `${connectorsOf(made)}/${connector.id}/pull`, {
      as: key,
      body: { since: new Date(Date.now() - minutes * 60_000).toISOString(), callbacks: true },
    })
  const workedAgain = async () =>
    (await sql`select 1 from connector_callbacks where connection_id = ${connector.id} and worked_at > now() - interval '40 minutes'`)
      .length
  await Promise.all([again(70), again(280), again(90)])
  await until(async () => (await workedAgain()) === 220)
  await worked()
  const [most] = await sql<{ rows: number }[]>`select max(rows)::int as rows from changed_at_once`
  expect(most?.rows).toBe(100)
  await until(async () => (await sql`select 1 from connectors where replay_since is not null`).length === 0)
  await sql`drop trigger note_changed on connector_callbacks`
})

test('callbacks of shops: a replay that is requested in the same millisecond as another is not ended with it', async () => {
  const made = await app.shop()
  const body = { platform: 'sandbox-shop', name: 'two', credentials: { webhookSecret: 's'.repeat(20) }, settings: { shop: 'two.example' } }
  const { data: connector } = await ok('POST', connectorsOf(made), { as: made.owner.token, body })
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const shopRef = { projectId: projectIdOf(made.storeId), id: connector.id }
  const left = await sql.begin(async (tx) => {
    await recordReplayRequest(tx, shopRef, ago(70))
    const { replayAskedAt } = await findOrInsertShopSync(tx, shopRef)
    await recordReplayRequest(tx, shopRef, ago(280))
    await endReplay(tx, shopRef, replayAskedAt ?? '')
    return (await findOrInsertShopSync(tx, shopRef)).replaySince
  })
  expect(left).not.toBeNull()
})

test('callbacks of shops: one callback about many pages reaches the connection of each page', async () => {
  const { storeId, owner } = await app.shop()
  const pages = Array.from({ length: 30 }, (_, at) => `7000${at}`)
  for (const pageId of pages) {
    const body = { platform: 'meta-leads', name: pageId, credentials: META_APP, settings: { pageId } }
    await ok('POST', connectorsOf({ storeId }), { as: owner.token, body })
  }
  const told = meta.told(...pages.map((pageId, at) => ({ id: `123456${at}`, formId: FORM, pageId })))
  const { raw, headers } = meta.signed(told)
  expect((await call('POST', '/v1/integrations/connectors/meta-leads/webhook', { raw, headers })).status).toBe(200)
  const heard =
    await sql`select 1 from connector_callbacks c join integrations i on i.id = c.connection_id where i.project_id = ${projectIdOf(storeId)}`
  expect(heard.length).toBe(pages.length)
})
