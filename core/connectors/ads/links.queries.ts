import { recordsetOf } from '../../data/rows.ts'
import { type Queryable, rowValues } from '../../data/sql.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'
import type { AdLink } from './ads.model.ts'

/** Link from an ad or a campaign to a product or landing page, as it is stored. */
export interface AdLinkRow extends Omit<AdLink, 'by'> {
  readonly projectId: string
  readonly connectionId: string
  readonly linkedBy: AdLink['by']
}

/** Lists the links of a connection, newest first, before an id. */
export const listLinks = (
  sql: Queryable,
  { id, projectId }: ConnectionRef,
  level: AdLink['level'] | undefined,
  before: string | null,
  limit: number,
) =>
  sql<
    AdLinkRow[]
  >`select * from ads_links where project_id = ${projectId} and connection_id = ${id} ${level === undefined ? sql`` : sql`and level = ${level}`}
    and (${before}::text is null or id < ${before}) order by id desc limit ${limit}`

/** Updates a link and marks it as set by a user. Returns undefined if there is none. */
export const updateLink = async (
  sql: Queryable,
  connection: ConnectionRef,
  id: string,
  change: { productId?: string | null; landingPageId?: string | null },
) =>
  (
    await sql<AdLinkRow[]>`update ads_links set ${rowValues(sql, { ...change, linkedBy: 'person', updatedAt: new Date() })} 
    where project_id = ${connection.projectId} and connection_id = ${connection.id} and id = ${id} returning *`
  )[0]

/** Inserts or updates links. Keeps the product and landing page that a user chose. */
export async function upsertLinks(sql: Queryable, links: readonly Omit<AdLinkRow, 'createdAt' | 'updatedAt'>[]) {
  const now = new Date().toISOString()
  const { names, from } = recordsetOf(
    sql,
    'ads_links',
    links.map((link) => ({ ...link, createdAt: now, updatedAt: now })),
  )
  await sql`insert into ads_links (${names}) select ${names} from ${from} r on conflict (project_id, connection_id, level, external_id) do update set
    name = excluded.name, url = excluded.url, campaign_id = excluded.campaign_id, updated_at = excluded.updated_at,
    product_id = case when ads_links.linked_by = 'person' then ads_links.product_id else excluded.product_id end,
    landing_page_id = case when ads_links.linked_by = 'person' then ads_links.landing_page_id else excluded.landing_page_id end`
}

/** Finds the store's products whose slug or id is one of the words. */
export const findProductsByWords = (sql: Queryable, projectId: string, words: readonly string[]) =>
  sql<
    { id: string; slug: string }[]
  >`select id, slug from products where project_id = ${projectId} and deleted_at is null and (slug = any (${words as string[]}) or id = any (${words as string[]}))`
