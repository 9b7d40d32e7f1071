import { type Insight, majorAmount, number, type Period, present, printed, type Row, readable, rows, text, word } from 'serai/ads'
import type { Context } from './fields.ts'
import { pageOf } from './report.ts'

export const ROWS_AT_ONCE = 200
const NAME_MAX = 500
const FIELDS = 'campaign_id,campaign_name,adset_id,ad_id,ad_name,spend,impressions,clicks,actions,date_start'

/** Names of the purchase action, best first. Meta counts one purchase under several of them, so only the first one present is read. */
const PURCHASES = ['omni_purchase', 'purchase', 'offsite_conversion.fb_pixel_purchase']
const LEADS = ['lead', 'onsite_conversion.lead_grouped']

function countOf(actions: readonly Row[], names: readonly string[]): number {
  const found = names.map((name) => actions.find(({ action_type }) => action_type === name)).find((one) => one !== undefined)
  return Math.max(0, Math.round(number(found?.value) ?? 0))
}

const whole = (value: unknown) => Math.max(0, Math.round(number(value) ?? 0))

/** Reads the daily results of each ad, in the account's time zone. Unlike other amounts, `spend` is a decimal text in major units. */
export async function insights(context: Context, period: Period) {
  const range = JSON.stringify({ since: period.from, until: period.to })
  const asked = { level: 'ad', fields: FIELDS, time_range: range, time_increment: 1 }
  const page = await pageOf(context, period, asked, ROWS_AT_ONCE)
  return { ...page, rows: readable(context, page.rows, insightIn) }
}

function insightIn(row: Row): Insight | undefined {
  const [day, spend, campaignId, adSetId, adId] = [
    text(row.date_start),
    majorAmount(row.spend),
    word(row.campaign_id),
    word(row.adset_id),
    word(row.ad_id),
  ]
  if (!day || !spend || !campaignId || !adSetId || !adId) return undefined
  const actions = rows(row.actions)
  return {
    day,
    campaignId,
    adSetId,
    adId,
    ...present({ campaignName: printed(row.campaign_name, NAME_MAX), adName: printed(row.ad_name, NAME_MAX) }),
    spend,
    impressions: whole(row.impressions),
    clicks: whole(row.clicks),
    purchases: countOf(actions, PURCHASES),
    leads: countOf(actions, LEADS),
  }
}
