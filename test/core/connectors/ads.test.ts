import { afterAll, expect, test } from 'bun:test'
import { deleteOldAdsData, sendDueEvents } from '../../../core/connectors/ads/events/send-events.ts'
import { readSpend, requestDueSpendReads } from '../../../core/connectors/ads/spend/read-spend.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { accountId, client, startMeta } from '../../adapters/ads/meta/simulator.ts'
import { startTikTokAds, accountId as tiktokAccount, client as tiktokClient } from '../../adapters/ads/tiktok/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const meta = startMeta()
const { book } = meta
const tiktok = startTikTokAds()
afterAll(() => Promise.all([meta.stop(), tiktok.stop()]))
const simulators = { 'graph.facebook.com': meta.url, 'www.facebook.com': meta.url, 'business-api.tiktok.com': tiktok.url }
const app = await startApp({ simulators }, { socket: true })
const { call, ok, context } = app
const { sql } = context
const { storeId, owner, key } = await app.shop()
const as = owner.token
const storeName = (await ok('GET', `/v1/stores/${storeId}`, { as })).data.name
const integration = `/v1/stores/${storeId}/integrations/meta`
const connection = (await ok('PUT', integration, { as, body: { enabled: true, credentials: { ...client }, settings: {} } })).data
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 2500, initialStock: 1000 } })

async function order(metadata: object = {}): Promise<string> {
  const { data } = await ok('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Lina Ben Ali', phone: '0555123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 1 }],
      metadata,
    },
  })
  await drainChanges(context)
  return data.id
}
const visit = (address: string, headers: Record<string, string> = {}) => fetch(address, { redirect: 'manual', headers })
async function move(id: string, status: string) {
  await ok('PATCH', `/v1/orders/${id}`, { as: key, body: { status } })
  await drainChanges(context)
}
const arrived = (id: string) => book.events.filter((one) => one.id === `order-${id}`)
const send = () => sendDueEvents(context, connection.id)
/** A job may have taken them a moment before. */
async function sentOf(id: string, count: number) {
  await send()
  await until(() => arrived(id).length >= count)
  return arrived(id).length
}
const rules = [
  { status: 'pending', event: 'Lead', pixelId: book.pixelId, value: false },
  { status: 'confirmed', event: 'Purchase', pixelId: book.pixelId },
]
const settings = async () => (await ok('GET', `${integration}/ads/settings`, { as })).data

test('a browser signs in, and comes back to a page that says so', async () => {
  const begun = await visit(`${app.origin}/v1/social/meta/marketing/redirect?storeId=${storeId}`, { authorization: `Bearer ${as}` })
  expect(begun.status).toBe(303)
  const asked = await call('GET', `/v1/social/meta/marketing/redirect?storeId=${storeId}`, { as, headers: { accept: 'application/json' } })
  expect(asked.body.data.url).toStartWith('https://www.facebook.com/v26.0/dialog/oauth?')
  const there = new URL(String(begun.headers.get('location')))
  expect(there.origin + there.pathname).toBe('https://www.facebook.com/v26.0/dialog/oauth')
  expect(there.searchParams.get('scope')).toBe('ads_read,ads_management,business_management')
  const back = await visit(meta.url + there.pathname + there.search)
  const { pathname, search } = new URL(String(back.headers.get('location')))
  expect(pathname).toBe('/v1/social/meta/marketing/callback')
  const done = await visit(app.origin + pathname + search)
  const result = new URL(String(done.headers.get('location')))
  expect([done.status, result.pathname, result.searchParams.get('outcome')]).toEqual([303, '/v1/social/meta/oauth-result', 'connected'])
  const page = (await call('GET', result.pathname + result.search)).body
  expect([page.includes('It is connected'), page.includes(storeName)]).toEqual([true, true])
  // Of another platform, and of nothing.
  const { search: said } = result
  for (const path of [`/v1/social/tiktok/oauth-result${said}`, '/v1/social/meta/oauth-result?connection=int_none&outcome=connected'])
    expect((await call('GET', path)).body).not.toContain(storeName)
  expect((await call('GET', pathname + search)).status).toBe(400)
  expect((await ok('GET', integration, { as })).data).toMatchObject({ state: 'connected' })
})

test('ads: a sign-in that withholds the ads permission is answered with a page that says nothing was connected', async () => {
  const { data } = await ok('POST', `${integration}/oauth/start`, { as })
  const there = new URL(data.url)
  const back = new URL(String((await visit(meta.url + there.pathname + there.search)).headers.get('location')))
  book.refusing = { fault: 'forbidden', calls: 'me/adaccounts$' }
  expect((await call('GET', back.pathname + back.search)).body).toContain('could not be connected')
  expect((await ok('GET', integration, { as })).data).toMatchObject({
    status: 'failed',
    statusMessage: expect.stringContaining('permissions'),
  })
  meta.calm()
  expect((await ok('PATCH', integration, { as, body: { enabled: true } })).data).toMatchObject({ state: 'connected', status: 'connected' })
})

test('ads: only accounts that the signed-in user sees can be linked', async () => {
  expect((await ok('GET', `${integration}/ad-accounts`, { as })).data).toMatchObject([
    { id: accountId, currency: 'USD', timeZone: 'Africa/Algiers' },
  ])
  const change = (body: object) => call('PATCH', `${integration}/ads/settings`, { as, body })
  expect((await change({ accountIds: ['act_999'] })).body.error.details[0].path).toBe('/body/accountIds/0')
  expect((await change({ rules: [{ ...rules[0], status: 'dancing' }] })).body.error.details[0].path).toBe('/body/rules/0/status')
  const both = await Promise.all([
    change({ accountIds: [accountId] }),
    change({ rules }),
    change({ rules }),
    change({ accountIds: [accountId] }),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await settings()).toMatchObject({
    accounts: [{ id: accountId, problem: null }],
    rules: [{ event: 'Lead' }, { event: 'Purchase' }],
  })
  expect((await ok('GET', `/v1/social/meta/marketing/pixels?storeId=${storeId}`, { as })).data).toMatchObject([{ id: book.pixelId }])
})

test('an order that comes to a status is an event, once, whatever moves it and however often it is sent', async () => {
  const id = await order({ fbclid: 'AbC-x', _fbp: 'fb.1.1.2', userAgent: 'Mozilla/5.0', url: 'https://shop.example/products/basket' })
  await move(id, 'confirmed')
  await move(id, 'pending')
  await move(id, 'confirmed')
  await Promise.all([send(), send()])
  await sentOf(id, 2)
  expect(arrived(id).map(({ name, value, currency }) => [name, value, currency])).toEqual(
    expect.arrayContaining([
      ['Lead', null, null],
      ['Purchase', 2500, 'DZD'],
    ]),
  )
  expect(arrived(id)).toHaveLength(2)
  // 213555123456, as its vector has it.
  expect(arrived(id)[0]?.phone).toBe('57bc2227c5cf190ba5390a9a06771e92b4863d7054546c3856e44ec12e56a5e3')
  expect(arrived(id)[0]?.userAgent).toBe('Mozilla/5.0')
  const { data } = await ok('POST', '/v1/actions/runPixelStatusRules', { as: key, body: { storeId, orderIds: [id] } })
  expect(data.orders).toEqual([
    { orderId: id, events: [{ integration: 'meta', pixelId: book.pixelId, event: 'Purchase', state: 'known' }] },
  ])
  await send()
  expect(arrived(id)).toHaveLength(2)
})

test('ads: events from before a rule are sent on request, except those that are too old', async () => {
  await ok('PATCH', `${integration}/ads/settings`, { as, body: { rules: [] } })
  const [fresh, old] = [await order(), await order()]
  // So near to the end of its days that it would not arrive in them.
  await sql`update orders set created_at = now() - interval '6 days 23 hours 30 minutes' where id = ${old}`
  await ok('PATCH', `${integration}/ads/settings`, { as, body: { rules } })
  const run = () => ok('POST', '/v1/actions/runPixelStatusRules', { as: key, body: { storeId, orderIds: [fresh, old] } })
  const both = await Promise.all([run(), run()])
  const states = both.map(({ data }) => data.orders.map(({ events }: { events: { state: string }[] }) => events[0]?.state))
  expect(states.toSorted()).toEqual([
    ['known', 'late'],
    ['waiting', 'late'],
  ])
  expect([await sentOf(fresh, 1), arrived(old).length]).toEqual([1, 0])
  const other = await app.shop()
  const foreign = await call('POST', '/v1/actions/runPixelStatusRules', { as: other.key, body: { orderIds: [fresh] } })
  expect(foreign.status).toBe(404)
})

test('ads: an event that waited too long is late, and one that the platform cannot take now waits', async () => {
  const [late, waiting] = [await order(), await order()]
  await sql`update ads_events set at = now() - interval '7 days' where order_id = ${late}`
  book.refusing = { fault: 'rate_limited', calls: '/events$' }
  await send()
  meta.calm()
  const rows = await sql`select order_id, state, message from ads_events where order_id in (${late}, ${waiting})`
  expect(Object.fromEntries(rows.map(({ orderId, state }) => [orderId, state]))).toEqual({ [late]: 'late', [waiting]: 'waiting' })
  expect(arrived(waiting)).toEqual([])
  await sql`update ads_events set due_at = now()`
  expect([await sentOf(waiting, 1), arrived(late).length]).toEqual([1, 0])
})

test('ads: events of a disabled connection become late as well', async () => {
  const [late, waiting] = [await order(), await order()]
  await ok('PATCH', integration, { as, body: { enabled: false } })
  await sql`update ads_events set due_at = now()`
  await sql`update ads_events set at = now() - interval '7 days' where order_id = ${late}`
  await send()
  const rows = await sql`select order_id, state from ads_events where order_id in (${late}, ${waiting})`
  expect(Object.fromEntries(rows.map(({ orderId, state }) => [orderId, state]))).toEqual({ [late]: 'late', [waiting]: 'waiting' })
  await ok('PATCH', integration, { as, body: { enabled: true } })
})

test('ads: events wait while the permission to send them is missing', async () => {
  const id = await order()
  book.refusing = { fault: 'forbidden', calls: '/events$' }
  const told = async () => (await sql`select state, message from ads_events where order_id = ${id}`)[0]
  for (let looks = 0; looks < 100 && !(await told())?.message; looks += 1) {
    await sql`update ads_events set due_at = now() where order_id = ${id}`
    await send()
  }
  expect(await told()).toMatchObject({ state: 'waiting', message: expect.stringContaining('permissions') })
  const state = async () => (await ok('GET', integration, { as })).data.state
  await until(async () => (await state()) === 'needs_attention')
  meta.calm()
  await sql`update ads_events set due_at = now() where order_id = ${id}`
  expect(await sentOf(id, 1)).toBe(1)
  await until(async () => (await state()) === 'connected')
})

test('events that are given arrive, bad ones apart from the others', async () => {
  const now = Math.floor(Date.now() / 1000)
  const person = { email: ' John.Doe@Example.com ', phone: '0555 12 34 56' }
  const body = {
    storeId,
    pixelId: book.pixelId,
    events: [
      { id: 'given-1', name: 'Purchase', person, value: 10, currency: 'DZD' },
      { id: 'given-old', name: 'Purchase', person, at: now - 8 * 86_400 },
      { id: 'given-bare', name: 'Purchase', person: {} },
    ],
  }
  const { data } = await ok('POST', '/v1/actions/sendMetaPixelEvents', { as: key, body })
  expect(data.accepted).toEqual(['given-1'])
  expect(data.refused.map(({ id }: { id: string }) => id).toSorted()).toEqual(['given-bare', 'given-old'])
  expect(book.events.filter(({ id }) => id === 'given-1')).toMatchObject([
    { email: '836f82db99121b3481011f16b49dfa5fbc714a0d1b1b9f784a1ebbbf5b39577f', testCode: null },
  ])
  const one = { storeId, pixelId: book.pixelId, event: { name: 'Lead', person } }
  expect((await ok('POST', '/v1/actions/sendMetaPixelEvent', { as: key, body: one })).data.accepted).toHaveLength(1)
  await ok('POST', '/v1/actions/testMetaPixelEvent', { as: key, body: { ...one, code: 'TEST12345' } })
  expect(book.events.at(-1)?.testCode).toBe('TEST12345')
  const other = await app.shop()
  expect((await call('POST', '/v1/actions/sendMetaPixelEvent', { as: other.key, body: one })).status).toBe(404)
  expect((await call('POST', '/v1/actions/sendMetaPixelEvent', { body: one })).status).toBe(401)
})

test('campaigns, ad sets and ads are read page by page', async () => {
  const first = await ok('GET', `${integration}/ads/campaigns?limit=1`, { as })
  const second = await ok('GET', `${integration}/ads/campaigns?limit=1&cursor=${first.nextCursor}`, { as })
  expect([first.data[0].name, second.data[0].name, second.nextCursor]).toEqual(['Baskets', 'Scarves', null])
  // Amounts are numbers here, and exact decimals at the adapter.
  expect([first.data[0].dailyBudget, second.data[0].dailyBudget]).toEqual([25.5, 7])
  expect((await ok('GET', `${integration}/ads/adsets?campaignId=2002`, { as })).data).toMatchObject([{ id: '3002' }])
  expect((await ok('GET', `${integration}/ads/ads?adSetId=3001`, { as })).data).toMatchObject([{ id: '4001' }])
  expect((await ok('GET', `${integration}/ads/ads/4001`, { as })).data).toMatchObject({ name: 'Basket video', campaignId: '2001' })
  expect((await call('GET', `${integration}/ads/ads/4999`, { as })).status).toBe(404)
  expect((await call('GET', `${integration}/ads/campaigns?cursor=x`, { as })).status).toBe(400)
})

test('spend is linked by where ads lead, and costs are those of orders that were taken, confirmed and delivered', async () => {
  expect((await ok('POST', `${integration}/ads/sync-links`, { as })).data).toEqual({ ads: 2, linked: 2 })
  const { data: links } = await ok('GET', `${integration}/ads/links?level=ad`, { as })
  const byAd = Object.fromEntries(links.map((link: { externalId: string }) => [link.externalId, link]))
  expect(byAd['4001']).toMatchObject({ productId: product.id, by: 'url' })
  expect(byAd['4002']).toMatchObject({ productId: null, landingPageId: 'page-1' })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Algiers', dateStyle: 'short' }).format(new Date())
  book.days.splice(0, book.days.length, ...book.days.map((one, at) => ({ ...one, ad: book.ads[at % 2] ?? one.ad, day: today })))
  book.days.pop()
  await Promise.all([
    readSpend(context, connection.id, accountId),
    readSpend(context, connection.id, accountId),
    requestDueSpendReads(context),
  ])
  const fromPage = await order({ landingPageId: 'page-1' })
  const summary = async (by: string) => (await ok('GET', `${integration}/ads/summary?by=${by}`, { as })).data
  const { total, groups, currency } = await summary('product')
  const [{ orders: taken } = { orders: 0 }] = await sql<
    { orders: number }[]
  >`select count(*)::int as orders from orders where project_id = ${projectIdOf(storeId)} and created_at > now() - interval '1 day'`
  expect([currency, total.spend, total.platformPurchases]).toEqual(['USD', 12.44, 3])
  expect(total.costPerLead).toBe(Math.round((12.44 / total.leads) * 10_000) / 10_000)
  expect(total.leads).toBeGreaterThanOrEqual(taken)
  expect(total.confirmed).toBe(1)
  expect(total.costPerConfirmed).toBe(12.44)
  expect(total.costPerDelivered).toBeNull()
  expect(groups).toMatchObject([
    { key: product.id, spend: 12.34 },
    { key: null, spend: 0.1, leads: 0, costPerLead: null },
  ])
  expect((await summary('landingPage')).groups).toContainEqual(
    expect.objectContaining({ key: 'page-1', spend: 0.1, leads: 1, costPerLead: 0.1 }),
  )
  expect((await summary('day')).groups.at(-1)).toMatchObject({ key: today, spend: 12.44 })
  expect((await summary('campaign')).groups).toMatchObject([{ key: '2001', name: 'Baskets', spend: 12.34 }, { key: '2002' }])
  expect(fromPage).toStartWith('ord_')
})

test("ads: a link made by a person is not changed by the platform's data", async () => {
  const { data: links } = await ok('GET', `${integration}/ads/links?level=ad`, { as })
  const { id } = links.find((link: { externalId: string }) => link.externalId === '4002')
  const change = (body: object, who = as) => call('PATCH', `${integration}/ads/links/${id}`, { as: who, body })
  expect((await change({ productId: 'prd_of_nobody' })).status).toBe(400)
  expect((await change({ productId: product.id })).body.data).toMatchObject({
    by: 'person',
    productId: product.id,
    landingPageId: 'page-1',
  })
  await ok('POST', `${integration}/ads/sync-links`, { as })
  const { data: after } = await ok('GET', `${integration}/ads/links?level=ad`, { as })
  expect(after.find((link: { externalId: string }) => link.externalId === '4002')).toMatchObject({ by: 'person', productId: product.id })
  expect((await change({ productId: null }, (await app.person()).token)).status).toBe(404)
})

test('an account that was unlinked is read no more, and counts no more', async () => {
  await Promise.all([
    readSpend(context, connection.id, accountId),
    ok('PATCH', `${integration}/ads/settings`, { as, body: { accountIds: [] } }),
  ])
  await readSpend(context, connection.id, accountId)
  expect((await settings()).accounts).toEqual([])
  const { data } = await ok('GET', `${integration}/ads/summary`, { as })
  expect([data.currency, data.total.spend, data.total.clicks]).toEqual([null, null, null])
})

test('a summary of accounts that were not read yet says null and not nothing', async () => {
  const fresh = await app.shop()
  const there = `/v1/stores/${fresh.storeId}/integrations/meta`
  await ok('PUT', there, { as: fresh.owner.token, body: { enabled: true, credentials: { ...client }, settings: {} } })
  const { data } = await ok('GET', `${there}/ads/summary`, { as: fresh.owner.token })
  const { spend, impressions, clicks, platformPurchases, platformLeads, costPerLead, leads } = data.total
  expect([spend, impressions, clicks, platformPurchases, platformLeads, costPerLead]).toEqual([null, null, null, null, null, null])
  expect(leads).toBe(0)
})

test('a store without a connection signs in with the client of the platform, at each of the addresses', async () => {
  const fresh = await app.shop()
  const token = fresh.owner.token
  const there = `/v1/stores/${fresh.storeId}/integrations/meta`
  const refused = await call('POST', `${there}/oauth/start`, { as: token, body: {} })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'adapter_not_enabled'])
  await ok('PUT', '/v1/platform/integrations/meta', { as, body: { enabled: true, credentials: { ...client } } })
  const begun = await ok('POST', `${there}/oauth/start`, { as: token, body: {} })
  expect(begun.data.url).toStartWith('https://www.facebook.com/v26.0/dialog/oauth?')
  expect((await ok('GET', there, { as: token })).data).toMatchObject({ key: 'meta', enabled: true })
  const other = await app.shop()
  const headers = { accept: 'application/json' }
  const asked = await call('GET', `/v1/social/meta/marketing/redirect?storeId=${other.storeId}`, { as: other.owner.token, headers })
  expect(asked.body.data?.url).toStartWith('https://www.facebook.com/v26.0/dialog/oauth?')
  expect((await call('POST', `${there}/oauth/start`, { as: other.owner.token, body: {} })).status).toBe(404)
})

test('ads: a second platform signs in, gets the same orders in its own format, and answers under its slug', async () => {
  const there = `/v1/stores/${storeId}/integrations/tiktok-ads`
  const { data: made } = await ok('PUT', there, { as, body: { enabled: true, credentials: { ...tiktokClient }, settings: {} } })
  const begun = await visit(`${app.origin}/v1/social/tiktok/marketing/redirect?storeId=${storeId}&mobile=true`, {
    authorization: `Bearer ${as}`,
  })
  const { pathname, search } = new URL(String(begun.headers.get('location')))
  const back = new URL(String((await visit(tiktok.url + pathname + search)).headers.get('location')))
  const done = new URL(String((await visit(app.origin + back.pathname + back.search)).headers.get('location')))
  expect([done.pathname, done.searchParams.get('outcome')]).toEqual(['/v1/social/tiktok/marketing/mobile-result', 'connected'])
  const { pixelId } = tiktok.book
  const own = [{ status: 'confirmed', event: 'CompletePayment', pixelId }]
  await ok('PATCH', `${there}/ads/settings`, { as, body: { accountIds: [tiktokAccount], rules: own } })
  const id = await order({ ttclid: 'click-1' })
  await move(id, 'confirmed')
  await sendDueEvents(context, made.id)
  // +213555123456, as its vector has it.
  expect(tiktok.book.events).toMatchObject([
    { id: `order-${id}`, name: 'CompletePayment', phone: 'e5cb565881c669f95be9c2626a9b6948a692f58e6770790e9a024b78213421f0', value: 2500 },
  ])
  const event = { name: 'Lead', person: { phone: '0555123456' } }
  await ok('POST', '/v1/actions/sendTiktokPixelEvent', { as: key, body: { storeId, pixelId, event } })
  expect(tiktok.book.events).toHaveLength(2)
  await readSpend(context, made.id, tiktokAccount)
  expect((await ok('GET', `${there}/ads/settings`, { as })).data.accounts).toMatchObject([{ id: tiktokAccount, problem: null }])
  expect((await ok('GET', `/v1/stores/${storeId}/integrations/tiktok/ads/campaigns`, { as })).data).toHaveLength(2)
  const first = await ok('GET', `${there}/ads/campaigns?limit=1`, { as })
  const others = await ok('GET', `${there}/ads/campaigns?cursor=${first.nextCursor}`, { as })
  expect([...first.data, ...others.data].map(({ name }: { name: string }) => name)).toEqual(['Baskets', 'Scarves'])
})

test("ads: events are sent with a pixel's own token without any sign-in", async () => {
  const other = await app.shop()
  const { pixelId } = tiktok.book
  const there = `/v1/stores/${other.storeId}/integrations/tiktok-ads`
  const connect = (eventsToken: string) =>
    ok('PUT', there, { as: other.owner.token, body: { enabled: true, credentials: { eventsToken }, settings: {} } })
  const tell = (id: string) =>
    call('POST', '/v1/actions/sendTiktokPixelEvent', {
      as: other.key,
      body: { storeId: other.storeId, pixelId, event: { id, name: 'Lead', person: { email: 'someone@example.dz' } } },
    })
  await connect('token-of-a-pixel')
  const refused = await tell('own-1')
  expect([refused.status, refused.body.error.message]).toEqual([502, expect.stringContaining('another token of the Events API')])
  tiktok.book.tokens.add('token-of-another-pixel')
  await connect('token-of-another-pixel')
  expect((await tell('own-2')).body.data).toEqual({ accepted: ['own-2'], refused: [] })
  expect(tiktok.book.events.at(-1)).toMatchObject({ id: 'own-2', testCode: null })
  const test = { storeId: other.storeId, pixelId, code: 'TEST1', event: { id: 'own-3', name: 'Lead', person: { email: 'a@b.example' } } }
  expect((await ok('POST', '/v1/actions/testTiktokPixelEvent', { as: other.key, body: test })).data.accepted).toEqual(['own-3'])
  // Ad accounts are read with the sign-in of the user who connected them.
  expect((await call('GET', `${there}/ad-accounts`, { as: other.owner.token })).body.error.message).toContain('Nobody has signed in')
})

test('a store calls it tiktok: nobody else of that name takes its connection', async () => {
  const { storeId: at, owner } = await app.shop()
  const asked = { as: owner.token }
  const there = `/v1/stores/${at}/integrations/tiktok`
  const body = { enabled: true, credentials: { ...tiktokClient }, settings: {} }
  const { data: made } = await ok('PUT', there, { ...asked, body })
  expect(made).toMatchObject({ key: 'tiktok-ads', kind: 'ads' })
  expect((await ok('PUT', `${there}-ads`, { ...asked, body })).data.id).toBe(made.id)
  expect((await ok('PATCH', there, { ...asked, body: { enabled: true } })).data.id).toBe(made.id)
  const begun = new URL((await ok('POST', `${there}/oauth/start`, asked)).data.url)
  expect(begun.host).toBe('business-api.tiktok.com')
  const back = new URL(String((await visit(tiktok.url + begun.pathname + begun.search)).headers.get('location')))
  await visit(app.origin + back.pathname + back.search)
  expect((await ok('GET', there, asked)).data).toMatchObject({ id: made.id, state: 'connected' })
  expect((await ok('POST', `${there}/testConnection`, asked)).data.ok).toBe(true)
  expect((await ok('POST', `${there}/enable`, { ...asked, body: { enabled: false } })).data.enabled).toBe(false)
  expect((await ok('DELETE', `${there}/oauth`, asked)).data).toEqual({ disconnected: true })
  await ok('DELETE', there, asked)
  expect((await call('GET', `${there}-ads`, asked)).status).toBe(404)
})

test('ads: a click has the time of the order, whenever it is sent', async () => {
  const id = await order({ fbclid: 'AbC-y' })
  const made = new Date(Date.now() - 2 * DAY_MS)
  await sql`update orders set created_at = ${made} where id = ${id}`
  await move(id, 'confirmed')
  await sentOf(id, 2)
  expect(arrived(id).find(({ name }) => name === 'Purchase')?.clickedAt).toBe(made.getTime())
})

test('a connection that goes leaves nothing behind, whatever is written at the same time', async () => {
  const there = `/v1/stores/${storeId}/integrations/tiktok-ads`
  const own = [{ status: 'pending', event: 'Lead', pixelId: tiktok.book.pixelId }]
  const { connectionId } = (await ok('GET', `${there}/ads/settings`, { as })).data
  const change = () => call('PATCH', `${there}/ads/settings`, { as, body: { accountIds: [tiktokAccount], rules: own } })
  await Promise.all([change(), order(), call('POST', `${there}/ads/sync-links`, { as }), call('DELETE', there, { as }), change(), order()])
  await sendDueEvents(context, connectionId)
  const tables = ['ads_rules', 'ads_accounts', 'ads_links', 'ads_events']
  const left = await Promise.all(tables.map((table) => sql`select 1 from ${sql(table)} where connection_id = ${connectionId}`))
  expect(left.map((rows) => rows.length)).toEqual([0, 0, 0, 0])
})

test('ads: spend older than the longest range is deleted', async () => {
  const ad = { ad: 'old-ad' }
  await sql`insert into ads_spend (project_id, connection_id, account_id, day, ad_id, ad_set_id, campaign_id, currency, spend, impressions, clicks, purchases, leads)
    select ${projectIdOf(storeId)}, ${connection.id}, 'act_old', current_date - n, ${ad.ad}, 's', 'c', 'USD', 1, 1, 1, 0, 0 from unnest(array[801, 802, 790]) n`
  await deleteOldAdsData(context)
  const left = await sql`select current_date - day as days from ads_spend where ad_id = ${ad.ad}`
  expect(left.map(({ days }) => days)).toEqual([790])
  await sql`delete from ads_spend where ad_id = ${ad.ad}`
})

test('ads: a refused token is reported, and signing out deletes it', async () => {
  book.tokens.clear()
  const id = await order()
  await send()
  const state = async () => (await ok('GET', integration, { as })).data.state
  // It is written beside what it follows from.
  await until(async () => (await state()) === 'needs_attention')
  expect(arrived(id)).toEqual([])
  expect((await ok('DELETE', `${integration}/oauth`, { as })).data).toEqual({ disconnected: true })
  expect((await call('GET', `${integration}/ad-accounts`, { as })).status).toBeGreaterThanOrEqual(400)
  await ok('DELETE', integration, { as })
  const [left] = await sql`select (select count(*) from ads_rules where connection_id = ${connection.id})::int as rules`
  expect(left?.rules).toBe(0)
  await order()
})
