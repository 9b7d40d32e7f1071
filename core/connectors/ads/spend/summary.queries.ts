import { projectIdOf } from '../../../data/project-ids.ts'
import type { Queryable } from '../../../data/sql.ts'
import { idRangeOfDays, type StoreDays } from '../../../lib/days.ts'
import type { Grouping } from '../ads.model.ts'

/** Connection, period, currency and grouping of a summary. */
export interface SummaryFilter extends StoreDays {
  readonly projectId: string
  readonly connectionId: string
  readonly currency: string | null
  readonly to: string
  readonly by: Grouping
}

/** Spend of one group. */
export interface SpendGroupRow {
  readonly key: string | null
  readonly name: string | null
  readonly spend: string
  readonly impressions: number
  readonly clicks: number
  readonly purchases: number
  readonly leads: number
}

const spendKeys: Readonly<Record<Grouping, (sql: Queryable) => ReturnType<Queryable>>> = {
  product: (sql) => sql`coalesce(a.product_id, c.product_id)`,
  landingPage: (sql) => sql`coalesce(a.landing_page_id, c.landing_page_id)`,
  campaign: (sql) => sql`s.campaign_id`,
  day: (sql) => sql`to_char(s.day, 'YYYY-MM-DD')`,
}

/** Sums the spend of linked accounts by group. The link of an ad takes precedence over that of its campaign. */
export const sumSpendByGroup = (sql: Queryable, { projectId, connectionId, currency, from, to, by }: SummaryFilter) =>
  sql<SpendGroupRow[]>`
    select key, max(name) as name, round(sum(spend), 4)::text as spend, sum(impressions)::bigint as impressions, sum(clicks)::bigint as clicks,
      sum(purchases)::bigint as purchases, sum(leads)::bigint as leads
    from (select ${spendKeys[by](sql)} as key, ${by === 'campaign' ? sql`coalesce(s.campaign_name, c.name)` : sql`null::text`} as name, s.spend, s.impressions, s.clicks, s.purchases, s.leads
      from ads_spend s join ads_accounts n on n.project_id = s.project_id and n.connection_id = s.connection_id and n.id = s.account_id
      left join ads_links a on a.project_id = s.project_id and a.connection_id = s.connection_id and a.level = 'ad' and a.external_id = s.ad_id
      left join ads_links c on c.project_id = s.project_id and c.connection_id = s.connection_id and c.level = 'campaign' and c.external_id = s.campaign_id
      where s.project_id = ${projectId} and s.connection_id = ${connectionId} and s.currency = ${currency} and s.day between ${from}::text::date and ${to}::text::date) spent
    group by key order by sum(spend) desc`

/** Numbers of orders of one group. */
export interface OrderGroupRow {
  /** Null for the total, which counts each order once. */
  readonly key: string | null
  readonly orders: number
  readonly confirmed: number
  readonly delivered: number
}

const orderKeys: Readonly<Record<Grouping, (sql: Queryable) => ReturnType<Queryable>>> = {
  product: (sql) => sql`product_id`,
  landingPage: (sql) => sql`landing_page_id`,
  campaign: (sql) => sql`campaign_id`,
  day: (sql) => sql`day`,
}

/**
 * Counts orders that result from ads, by group and in total. Such an order has a line with a linked product or comes from a linked landing
 * page. It may also name a campaign or ad of the connection in its metadata.
 */
export function countOrdersByGroup(sql: Queryable, asked: SummaryFilter, confirmed: readonly string[]) {
  const { projectId, storeId, connectionId, timeZone, from, until, by } = asked
  const [first, last] = idRangeOfDays('ord', asked)
  return sql<OrderGroupRow[]>`
    with links as materialized (select level, external_id, campaign_id, product_id, landing_page_id from ads_links
      where project_id = ${projectId} and connection_id = ${connectionId}),
    taken as materialized (
      select o.id, o.status, to_char(o.created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, p.landing_page_id,
        coalesce(a.campaign_id, c.campaign_id) as campaign_id
      from orders o
      left join (select distinct landing_page_id from links where landing_page_id is not null) p on p.landing_page_id = o.metadata ->> 'landingPageId'
      left join links a on a.level = 'ad' and a.external_id = o.metadata ->> 'adId'
      left join links c on c.level = 'campaign' and c.external_id = o.metadata ->> 'campaignId'
      where o.project_id = ${projectIdOf(storeId)} and o.deleted_at is null and o.exchange_of is null
        and o.id collate "C" >= ${first} and o.id collate "C" < ${last}
        and o.created_at >= (${from}::text::date)::timestamp at time zone ${timeZone} and o.created_at < (${until}::text::date)::timestamp at time zone ${timeZone}),
    lines as (
      select distinct t.*, p.product_id from taken t
      left join order_items i on i.project_id = ${projectIdOf(storeId)} and i.order_id = t.id
      left join (select distinct product_id from links where product_id is not null) p on p.product_id = i.product_id),
    told as materialized (select * from lines where product_id is not null or landing_page_id is not null or campaign_id is not null)
    select case when grouping(${orderKeys[by](sql)}) = 1 then null else ${orderKeys[by](sql)} end as key, count(distinct id)::int as orders,
      count(distinct id) filter (where status = any (${confirmed as string[]}))::int as confirmed,
      count(distinct id) filter (where status = 'delivered')::int as delivered
    from told group by grouping sets ((), (${orderKeys[by](sql)})) having grouping(${orderKeys[by](sql)}) = 1 or ${orderKeys[by](sql)} is not null order by grouping(${orderKeys[by](sql)}) desc, 2 desc limit 1001`
}
