import { assertEqual, assertFits, assertUnique, check, expectFailure } from '../../acceptance/checks.ts'
import { AdPage, AdSetPage, CampaignPage, InsightPage } from '../members.ts'
import { AdAccount, type Insight, Pixel } from '../model.ts'
import type { Bench, Draft } from './draft.ts'

const PAGES_MAX = 50

/** Cases about accounts, campaigns, ads, insights and pixels. */
export const readingCases = (): Draft[] => [
  { name: 'accounts have their currency and time zone', run: accounts },
  { name: 'each campaign is on exactly one page', run: campaigns },
  { name: 'a list continues at its cursor, also with larger pages', run: largerPages },
  { name: 'ad sets and ads belong to the requested campaign', run: adsOfCampaign },
  { name: 'one ad is read by its id, and an unknown id gives none', run: oneAd },
  { name: 'insights are exact for each day, and count a purchase once', run: insights },
  { name: 'days without impressions have no rows', run: quietDays },
  { name: 'pixels are listed', run: pixels },
]

async function accounts({ adapter, rig, open }: Bench) {
  const found = await adapter.adAccounts(open().context)
  for (const account of found) assertFits(AdAccount, account, 'account')
  const own = found.find(({ id }) => id === rig.account.id)
  check(own, `the account ${rig.account.id} is listed`)
  check(Intl.supportedValuesOf('timeZone').includes(own.timeZone), `${own.timeZone} is a time zone`)
  assertEqual([own.currency, own.timeZone], [rig.account.currency, rig.account.timeZone], 'currency and time zone')
}

interface Paged<Row> {
  readonly rows: readonly Row[]
  readonly cursor?: string | undefined
}

/** Reads all pages. Throws if the list has no end. */
async function all<Row>(read: (cursor: { cursor?: string }) => Promise<Paged<Row>> | Paged<Row>): Promise<{ rows: Row[]; pages: number }> {
  const rows: Row[] = []
  let cursor: string | undefined
  for (let pages = 1; pages <= PAGES_MAX; pages += 1) {
    const page = await read(cursor === undefined ? {} : { cursor })
    rows.push(...page.rows)
    cursor = page.cursor
    if (cursor === undefined) return { rows, pages }
  }
  throw new Error(`the list does not end within ${PAGES_MAX} pages`)
}

async function campaigns({ adapter, rig, open }: Bench) {
  const { context } = open()
  const { rows, pages } = await all(async (cursor) => {
    const page = await adapter.campaigns(context, { accountId: rig.account.id, limit: 1, ...cursor })
    assertFits(CampaignPage, page, 'page')
    return page
  })
  assertUnique(
    rows.map(({ id }) => id),
    'campaigns',
  )
  check(pages >= rig.account.campaigns.length, 'a page is not longer than requested')
  const listed = rows.map(({ id, name, state, dailyBudget }) => ({ id, name, state, ...(dailyBudget !== undefined && { dailyBudget }) }))
  assertEqual(listed.toSorted(byId), rig.account.campaigns.toSorted(byId), 'campaigns')
}

async function largerPages({ adapter, rig, open }: Bench) {
  const { context } = open()
  const accountId = rig.account.id
  const { rows: first, cursor } = await adapter.campaigns(context, { accountId, limit: 1 })
  const { rows: others } = await adapter.campaigns(context, { accountId, limit: 50, ...(cursor !== undefined && { cursor }) })
  const ids = [...first, ...others].map(({ id }) => id)
  assertEqual(ids.toSorted(), rig.account.campaigns.map(({ id }) => id).toSorted(), 'campaigns')
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

async function adsOfCampaign({ adapter, rig, open }: Bench) {
  const { context } = open()
  const [{ id: campaignId } = { id: '' }] = rig.account.campaigns
  const asked = { accountId: rig.account.id, campaignId, limit: 50 }
  const sets = await adapter.adsets(context, asked)
  assertFits(AdSetPage, sets, 'ad sets')
  check(sets.rows.length > 0 && sets.rows.every((one) => one.campaignId === campaignId), 'ad sets are of the campaign')
  const ads = await adapter.ads(context, asked)
  assertFits(AdPage, ads, 'ads')
  check(ads.rows.length > 0 && ads.rows.every((one) => one.campaignId === campaignId), 'ads are of the campaign')
  const [first] = ads.rows
  assertEqual(first?.url ?? null, rig.account.url, 'destination of the ad')
  assertFits(AdPage, await adapter.ads(context, { accountId: rig.account.id, limit: 50 }), 'all ads')
  if (rig.campaignOfOthers === undefined) return
  const foreign = { ...asked, campaignId: rig.campaignOfOthers }
  const found = [...(await adapter.adsets(context, foreign)).rows, ...(await adapter.ads(context, foreign)).rows]
  assertEqual(found, [], 'ads of a campaign of another account')
}

async function oneAd({ adapter, rig, open }: Bench) {
  const { context } = open()
  const [{ adId } = { adId: '' }] = rig.account.insights
  const { rows } = await adapter.ads(context, { accountId: rig.account.id, adId, limit: 1 })
  assertEqual(
    rows.map(({ id }) => id),
    [adId],
    'the ad',
  )
  const none = Promise.resolve(adapter.ads(context, { accountId: rig.account.id, adId: '999999999999', limit: 1 }))
  const answer = await none.catch(() => undefined)
  if (answer) assertEqual(answer.rows, [], 'an ad that is not there')
  else await expectFailure(none, ['not_found'], 'an ad that is not there')
  if (rig.adOfOthers === undefined) return
  const foreign = await adapter.ads(context, { accountId: rig.account.id, adId: rig.adOfOthers, limit: 1 })
  assertEqual(foreign.rows, [], 'an ad of another account')
}

const periodOf = (rows: readonly Pick<Insight, 'day'>[]) => {
  const days = rows.map(({ day }) => day).sort()
  return { from: days[0] ?? '', to: days.at(-1) ?? '' }
}
const withoutNames = ({ adName: _, campaignName: __, ...row }: Insight) => row
const byPlace = (a: Pick<Insight, 'day' | 'adId'>, b: Pick<Insight, 'day' | 'adId'>) =>
  `${a.day} ${a.adId}` < `${b.day} ${b.adId}` ? -1 : 1
const inOrder = (row: object) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))

async function insights({ adapter, rig, open }: Bench) {
  const { context } = open()
  const { rows } = await all(async (cursor) => {
    const page = await adapter.insights(context, { accountId: rig.account.id, ...periodOf(rig.account.insights), ...cursor })
    assertFits(InsightPage, page, 'insights')
    return page
  })
  assertEqual(rows.map(withoutNames).toSorted(byPlace).map(inOrder), rig.account.insights.toSorted(byPlace).map(inOrder), 'insights')
}

async function quietDays({ adapter, rig, open }: Bench) {
  const page = await adapter.insights(open().context, { accountId: rig.account.id, from: '2020-01-01', to: '2020-01-02' })
  assertEqual(page.rows, [], 'rows')
}

async function pixels({ adapter, rig, open }: Bench) {
  const found = await adapter.pixels(open().context, rig.account.id)
  for (const pixel of found) assertFits(Pixel, pixel, 'pixel')
  check(
    found.some(({ id }) => id === rig.pixelId),
    `the pixel ${rig.pixelId} is listed`,
  )
}
