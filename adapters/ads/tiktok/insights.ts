import { type Ad, type Insight, isRow, majorAmount, number, type Period, present, type Row, readable, text, word } from 'serai/ads'
import { listOf } from './api.ts'
import type { Context } from './fields.ts'
import { adIn } from './reads.ts'

/** Ads looked up in one call. */
export const ROWS_AT_ONCE = 100
const METRICS = ['spend', 'impressions', 'clicks', 'conversion']
/** Campaign or ad set of an ad that TikTok no longer knows; its spend still counts. */
const UNKNOWN = 'unknown'

const whole = (value: unknown) => Math.max(0, Math.round(number(value) ?? 0))

/** Reads the daily results of each ad, in the account's time zone. TikTok gives one conversion count, whatever the campaign's objective. */
export async function insights(context: Context, { accountId, from, to, cursor }: Period) {
  const page = await listOf(context, 'report/integrated/get', {
    advertiser_id: accountId,
    report_type: 'BASIC',
    data_level: 'AUCTION_AD',
    dimensions: JSON.stringify(['ad_id', 'stat_time_day']),
    metrics: JSON.stringify(METRICS),
    start_date: from,
    end_date: to,
    page_size: ROWS_AT_ONCE,
    cursor,
  })
  const ads = await adsOf(context, accountId, page.rows)
  return { ...page, rows: readable(context, page.rows, (row) => insightIn(row, ads)) }
}

const idIn = ({ dimensions }: Row) => (isRow(dimensions) ? word(dimensions.ad_id) : undefined)

async function adsOf(context: Context, accountId: string, reported: readonly Row[]): Promise<Map<string, Ad>> {
  const ids = [...new Set(reported.flatMap((row) => idIn(row) ?? []))]
  if (ids.length === 0) return new Map()
  const { rows } = await listOf(context, 'ad/get', {
    advertiser_id: accountId,
    filtering: JSON.stringify({ ad_ids: ids }),
    page_size: ROWS_AT_ONCE,
  })
  return new Map(readable(context, rows, adIn).map((ad) => [ad.id, ad]))
}

function insightIn(row: Row, ads: ReadonlyMap<string, Ad>): Insight | undefined {
  const { dimensions, metrics } = row
  const adId = idIn(row)
  if (!isRow(dimensions) || !isRow(metrics) || adId === undefined) return undefined
  const [day, spend] = [text(dimensions.stat_time_day)?.slice(0, 10), majorAmount(metrics.spend)]
  if (!day || !spend) return undefined
  const ad = ads.get(adId)
  return {
    day,
    campaignId: ad?.campaignId ?? UNKNOWN,
    adSetId: ad?.adSetId ?? UNKNOWN,
    adId,
    ...present({ adName: ad?.name }),
    spend,
    impressions: whole(metrics.impressions),
    clicks: whole(metrics.clicks),
    conversions: whole(metrics.conversion),
  }
}
