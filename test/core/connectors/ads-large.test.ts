import { afterAll, expect, test } from 'bun:test'
import { readSpend } from '../../../core/connectors/ads/spend/read-spend.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { accountId, client, startMeta } from '../../adapters/ads/meta/simulator.ts'
import { startApp } from '../../support/app.ts'

const meta = startMeta()
const { book } = meta
afterAll(() => meta.stop())
const app = await startApp({ simulators: { 'graph.facebook.com': meta.url, 'www.facebook.com': meta.url } }, { socket: true })
const { ok, context } = app
const { storeId, owner } = await app.shop()
const as = owner.token
const integration = `/v1/stores/${storeId}/integrations/meta`
const { data: connection } = await ok('PUT', integration, { as, body: { enabled: true, credentials: { ...client }, settings: {} } })
const follow = async (address: string) => new URL(String((await fetch(address, { redirect: 'manual' })).headers.get('location')))
const { data } = await ok('GET', `/v1/social/meta/marketing/redirect?storeId=${storeId}`, { as, headers: { accept: 'application/json' } })
const asked = new URL(data.url)
const back = await follow(meta.url + asked.pathname + asked.search)
await follow(app.origin + back.pathname + back.search)
await ok('PATCH', `${integration}/ads/settings`, { as, body: { accountIds: [accountId] } })

/** As many a day as make too many of all days together, of pages of two rows. */
const EACH_DAY = 4
const DAYS = 30
const dayBack = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Algiers', dateStyle: 'short' }).format(Date.now() - days * DAY_MS)
const [first] = book.days
if (!first) throw new Error('The book is empty.')
const ads = Array.from({ length: EACH_DAY }, (_, at) => ({ ...first.ad, id: String(5000 + at) }))
const days = Array.from({ length: DAYS }, (_, back) => dayBack(back))
book.days.splice(0, book.days.length, ...days.flatMap((day) => ads.map((ad) => ({ ...first, ad, day, spend: '1.00' }))))

const kept = async () =>
  (
    await context.sql<{ day: string; count: number }[]>`select day::text, count(*)::int as count from ads_spend
      where account_id = ${accountId} group by day order by day desc`
  ).map(({ day, count }) => `${day} ${count}`)
const account = async () => (await ok('GET', `${integration}/ads/settings`, { as })).data.accounts[0]
const askedDays = () =>
  meta.requests.flatMap(({ query }) => {
    const range = query.get('time_range')
    return range === null || query.has('after') ? [] : [JSON.parse(range).since as string]
  })

test('an account that has more than is read at once is read in parts of whole days, and goes on where that broke off', async () => {
  book.refusing = { fault: 'rate_limited', calls: 'nothing yet' }
  // The second part is refused in its middle.
  const answered = setInterval(async () => {
    if ((await kept()).length > 0) book.refusing = { fault: 'rate_limited', calls: 'insights' }
  }, 5)
  await readSpend(context, connection.id, accountId)
  clearInterval(answered)
  const some = await kept()
  expect(some.length).toBeGreaterThan(0)
  expect(some.length).toBeLessThan(DAYS)
  expect(await account()).toMatchObject({ problem: expect.stringContaining('Meta'), readAt: null })

  book.refusing = null
  const before = askedDays().length
  await readSpend(context, connection.id, accountId)
  expect(askedDays()[before]).toBe(dayBack(Number(days.indexOf(some[0]?.slice(0, 10) ?? '')) - 1))
  expect(await account()).toMatchObject({ problem: null, readAt: expect.any(String) })
  const all = await kept()
  expect(all.every((one) => one.endsWith(` ${EACH_DAY}`))).toBe(true)
  expect(all[0]).toBe(`${dayBack(0)} ${EACH_DAY}`)
})
