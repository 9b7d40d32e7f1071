import {
  type Ad,
  type AdAccount,
  AdapterError,
  type AdSet,
  type Campaign,
  isRow,
  type Listing,
  majorOfMinor,
  type Pixel,
  pageAddress,
  present,
  printed,
  type Row,
  readable,
  text,
  word,
} from 'serai/ads'
import type { Context } from './fields.ts'
import { graph, listOf } from './graph.ts'

const ACCOUNT_FIELDS = 'id,name,currency,timezone_name,account_status'
const BUDGETS = 'daily_budget,lifetime_budget'
const CAMPAIGN_FIELDS = `id,name,effective_status,objective,${BUDGETS}`
const SET_FIELDS = `id,name,account_id,campaign_id,effective_status,${BUDGETS}`
const AD_FIELDS = 'id,name,account_id,adset_id,campaign_id,effective_status,creative{id,thumbnail_url,object_story_spec}'
const ACCOUNTS_AT_ONCE = 100
const PAGES_MAX = 5
const NAME_MAX = 500
const STATUS_MAX = 60
/** Active, and in the grace period after an unpaid bill. */
const ACTIVE_ACCOUNTS = ['1', '9']

const states: Readonly<Record<string, Campaign['state']>> = {
  ACTIVE: 'active',
  IN_PROCESS: 'active',
  WITH_ISSUES: 'active',
  PAUSED: 'paused',
  CAMPAIGN_PAUSED: 'paused',
  ADSET_PAUSED: 'paused',
  PENDING_REVIEW: 'paused',
  PREAPPROVED: 'paused',
  PENDING_BILLING_INFO: 'paused',
  DISAPPROVED: 'ended',
  ARCHIVED: 'ended',
  DELETED: 'ended',
}

/** Fields that all objects share; undefined without an id. */
function commonFields(row: Row) {
  const id = word(row.id)
  const status = printed(row.effective_status, STATUS_MAX) ?? 'UNKNOWN'
  return id === undefined
    ? undefined
    : {
        id,
        name: printed(row.name, NAME_MAX) ?? id,
        state: states[status] ?? ('unknown' as const),
        status,
      }
}

export async function adAccounts(context: Context): Promise<AdAccount[]> {
  const found: Row[] = []
  let after: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await listOf(context, 'me/adaccounts', { fields: ACCOUNT_FIELDS, limit: ACCOUNTS_AT_ONCE, after })
    found.push(...page.rows)
    after = page.cursor
    if (after === undefined) break
  }
  return readable(context, found, (row) => {
    const [id, currency, timeZone, status] = [word(row.id), text(row.currency), text(row.timezone_name), word(row.account_status)]
    if (!id || !currency || !timeZone) return undefined
    const name = printed(row.name, NAME_MAX) ?? id
    return { id, name, currency, timeZone, active: ACTIVE_ACCOUNTS.includes(status ?? ''), ...present({ status }) }
  })
}

/** Keeps rows of this account. Campaigns and ad sets are read by id alone, so Meta also returns those of the user's other accounts. */
const inAccount = (accountId: string, found: readonly Row[]) => found.filter((row) => `act_${word(row.account_id)}` === accountId)

/** Returns the number of decimals of the account's currency. Budgets are in its minor unit. */
async function placesOf(context: Context, accountId: string): Promise<number> {
  const { currency } = await graph(context, accountId, { query: { fields: 'currency' } })
  return context.settings.wholeCurrencies.split(',').includes(String(currency)) ? 0 : 2
}

const budgetsIn = (row: Row, places: number) =>
  present({ dailyBudget: majorOfMinor(row.daily_budget, places), lifetimeBudget: majorOfMinor(row.lifetime_budget, places) })

export async function campaigns(context: Context, { accountId, limit, cursor }: Listing) {
  const places = await placesOf(context, accountId)
  const page = await listOf(context, `${accountId}/campaigns`, { fields: CAMPAIGN_FIELDS, limit, after: cursor })
  const rows = readable(context, page.rows, (row): Campaign | undefined => {
    const shown = commonFields(row)
    return shown && { ...shown, ...present({ objective: printed(row.objective, 100) }), ...budgetsIn(row, places) }
  })
  return { ...page, rows }
}

export async function adsets(context: Context, { accountId, campaignId, limit, cursor }: Listing) {
  const places = await placesOf(context, accountId)
  const page = await listOf(context, `${campaignId ?? accountId}/adsets`, { fields: SET_FIELDS, limit, after: cursor })
  const rows = readable(context, inAccount(accountId, page.rows), (row): AdSet | undefined => {
    const [shown, ofCampaign] = [commonFields(row), word(row.campaign_id)]
    return shown && ofCampaign ? { ...shown, campaignId: ofCampaign, ...budgetsIn(row, places) } : undefined
  })
  return { ...page, rows }
}

/** Returns the link of a creative: of a link, a video or a carousel. */
function urlIn(creative: unknown): string | undefined {
  const story = isRow(creative) && isRow(creative.object_story_spec) ? creative.object_story_spec : {}
  const link = isRow(story.link_data) ? pageAddress(story.link_data.link) : undefined
  const called = isRow(story.video_data) && isRow(story.video_data.call_to_action) ? story.video_data.call_to_action.value : undefined
  return link ?? (isRow(called) ? pageAddress(called.link) : undefined)
}

function adIn(row: Row): Ad | undefined {
  const [shown, campaignId, adSetId] = [commonFields(row), word(row.campaign_id), word(row.adset_id)]
  if (!shown || !campaignId || !adSetId) return undefined
  const image = isRow(row.creative) ? pageAddress(row.creative.thumbnail_url) : undefined
  return { ...shown, campaignId, adSetId, ...present({ url: urlIn(row.creative), image }) }
}

export async function ads(context: Context, { accountId, campaignId, adSetId, adId, limit, cursor }: Listing) {
  if (adId !== undefined) return { rows: await oneAd(context, accountId, adId) }
  const page = await listOf(context, `${adSetId ?? campaignId ?? accountId}/ads`, { fields: AD_FIELDS, limit, after: cursor })
  return { ...page, rows: readable(context, inAccount(accountId, page.rows), adIn) }
}

const BAD_PARAMETER = '100'

/** Returns an empty list for an unknown id (Meta answers `bad parameter`) or an ad of another account. */
async function oneAd(context: Context, accountId: string, adId: string): Promise<Ad[]> {
  try {
    const row = await graph(context, adId, { query: { fields: AD_FIELDS } })
    return readable(context, inAccount(accountId, [row]), adIn)
  } catch (error) {
    if (error instanceof AdapterError && error.reason === 'refused' && error.upstream.code?.split('/')[0] === BAD_PARAMETER) return []
    throw error
  }
}

export async function pixels(context: Context, accountId: string): Promise<Pixel[]> {
  const { rows } = await listOf(context, `${accountId}/adspixels`, { fields: 'id,name,last_fired_time', limit: 100 })
  return readable(context, rows, (row) => {
    const id = word(row.id)
    return id === undefined
      ? undefined
      : { id, name: printed(row.name, NAME_MAX) ?? id, ...present({ lastFiredAt: text(row.last_fired_time)?.slice(0, 40) }) }
  })
}
