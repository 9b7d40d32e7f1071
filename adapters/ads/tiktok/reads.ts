import {
  type Ad,
  type AdAccount,
  AdapterError,
  type AdSet,
  type Campaign,
  type Listing,
  majorAmount,
  type Pixel,
  pageAddress,
  present,
  printed,
  type Row,
  readable,
  rows,
  text,
  word,
} from 'serai/ads'
import { api, listOf } from './api.ts'
import type { Context } from './fields.ts'

const ACCOUNTS_AT_ONCE = 100
const ACCOUNTS_MAX = 500
const NAME_MAX = 500
const STATUS_MAX = 60

/** Lists the advertiser accounts of the signed-in user. The endpoint requires the app secret. */
async function advertiserIds(context: Context): Promise<string[]> {
  const { clientId, clientSecret } = context.credentials
  if (!clientId || !clientSecret) throw new AdapterError('unauthorized', 'The App ID and the App secret are missing.')
  const { list } = await api(context, 'oauth2/advertiser/get', { query: { app_id: clientId, secret: clientSecret } })
  return rows(list)
    .flatMap(({ advertiser_id }) => word(advertiser_id) ?? [])
    .slice(0, ACCOUNTS_MAX)
}

export async function testConnection(context: Context) {
  const [first, ...others] = await advertiserIds(context)
  return first === undefined ? {} : { account: others.length === 0 ? first : `${first} and ${others.length} more` }
}

export async function adAccounts(context: Context): Promise<AdAccount[]> {
  const ids = await advertiserIds(context)
  const found: Row[] = []
  for (let at = 0; at < ids.length; at += ACCOUNTS_AT_ONCE) {
    const query = { advertiser_ids: JSON.stringify(ids.slice(at, at + ACCOUNTS_AT_ONCE)) }
    found.push(...rows((await api(context, 'advertiser/info', { query })).list))
  }
  return readable(context, found, (row) => {
    const [id, currency, status] = [word(row.advertiser_id), text(row.currency), printed(row.status, STATUS_MAX)]
    const timeZone = text(row.display_timezone) ?? text(row.timezone)
    if (!id || !currency || !timeZone) return undefined
    const name = printed(row.name, NAME_MAX) ?? id
    return { id, name, currency, timeZone, active: status === 'STATUS_ENABLE', ...present({ status }) }
  })
}

const states: Readonly<Record<string, Campaign['state']>> = { ENABLE: 'active', DISABLE: 'paused', FROZEN: 'paused', DELETE: 'ended' }

function commonFields(row: Row, kind: 'campaign' | 'adgroup' | 'ad') {
  const id = word(row[`${kind}_id`])
  const status = printed(row.operation_status, STATUS_MAX) ?? 'UNKNOWN'
  return id === undefined
    ? undefined
    : {
        id,
        name: printed(row[`${kind}_name`], NAME_MAX) ?? id,
        state: states[status] ?? ('unknown' as const),
        status,
      }
}

/** Budget in major units; its period is a separate field. */
const budgetsIn = (row: Row) =>
  row.budget_mode === 'BUDGET_MODE_DAY'
    ? present({ dailyBudget: majorAmount(row.budget) })
    : row.budget_mode === 'BUDGET_MODE_TOTAL'
      ? present({ lifetimeBudget: majorAmount(row.budget) })
      : {}

/** Builds the query for an account, or a part of it. */
function queryOf({ accountId, campaignId, adSetId, adId, limit, cursor }: Listing) {
  const filtering = {
    ...(campaignId !== undefined && { campaign_ids: [campaignId] }),
    ...(adSetId !== undefined && { adgroup_ids: [adSetId] }),
    ...(adId !== undefined && { ad_ids: [adId] }),
  }
  const filtered = Object.keys(filtering).length > 0 && { filtering: JSON.stringify(filtering) }
  return { advertiser_id: accountId, page_size: limit, cursor, ...filtered }
}

export async function campaigns(context: Context, listing: Listing) {
  const page = await listOf(context, 'campaign/get', queryOf(listing))
  const found = readable(context, page.rows, (row): Campaign | undefined => {
    const shown = commonFields(row, 'campaign')
    return shown && { ...shown, ...present({ objective: printed(row.objective_type, 100) }), ...budgetsIn(row) }
  })
  return { ...page, rows: found }
}

export async function adsets(context: Context, listing: Listing) {
  const page = await listOf(context, 'adgroup/get', queryOf(listing))
  const found = readable(context, page.rows, (row): AdSet | undefined => {
    const [shown, campaignId] = [commonFields(row, 'adgroup'), word(row.campaign_id)]
    return shown && campaignId ? { ...shown, campaignId, ...budgetsIn(row) } : undefined
  })
  return { ...page, rows: found }
}

export async function ads(context: Context, listing: Listing) {
  const page = await listOf(context, 'ad/get', queryOf(listing))
  return { ...page, rows: readable(context, page.rows, adIn) }
}

export function adIn(row: Row): Ad | undefined {
  const [shown, campaignId, adSetId] = [commonFields(row, 'ad'), word(row.campaign_id), word(row.adgroup_id)]
  return shown && campaignId && adSetId
    ? { ...shown, campaignId, adSetId, ...present({ url: pageAddress(row.landing_page_url) }) }
    : undefined
}

/** Lists pixels. Events name a pixel by its code, not by its id. */
export async function pixels(context: Context, accountId: string): Promise<Pixel[]> {
  const { pixels: found } = await api(context, 'pixel/list', { query: { advertiser_id: accountId } })
  return readable(context, rows(found), (row) => {
    const id = word(row.pixel_code)
    return id === undefined ? undefined : { id, name: printed(row.pixel_name, NAME_MAX) ?? id }
  })
}
