import type { Queryable } from '../../../data/sql.ts'

/** View of a page, with its product and its landing page. */
export interface PageView {
  readonly productId?: string
  readonly landingPageId?: string
}

/** Finds which of the ids are products of the store. */
export const findKnownProducts = async (sql: Queryable, projectId: string, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : (
        await sql<
          { id: string }[]
        >`select id from products where project_id = ${projectId} and id = any (${ids as string[]}) and deleted_at is null`
      ).map(({ id }) => id)

/** Inserts landing pages that are new, as long as the project has fewer than `most`. */
export const insertLandingPages = (sql: Queryable, projectId: string, ids: readonly string[], most: number) => sql`
  insert into store_landing_pages (project_id, id)
  select ${projectId}, page.id from unnest(${ids as string[]}::text[]) page (id)
  where not exists (select 1 from store_landing_pages p where p.project_id = ${projectId} and p.id = page.id)
  order by page.id limit greatest(0, ${most} - (select count(*) from store_landing_pages where project_id = ${projectId}))
  on conflict do nothing`

/** Adds views to the counters of 15 minutes. Updates rows in a fixed order to avoid deadlocks. */
export const upsertViews = (sql: Queryable, projectId: string, views: readonly PageView[]) => {
  const idsOf = (key: keyof PageView) => views.flatMap((view) => view[key] ?? [])
  return sql`
    with told (dimension, key) as (
      select 'store', '' from generate_series(1, ${views.length}::int)
      union all select 'productId', id from unnest(${idsOf('productId')}::text[]) id
      union all select 'landingPageId', page.id from unnest(${idsOf('landingPageId')}::text[]) page (id)
        where exists (select 1 from store_landing_pages p where p.project_id = ${projectId} and p.id = page.id)
    )
    insert into store_views as v (project_id, dimension, key, at, views)
    select ${projectId}, dimension, key, date_bin('15 minutes', now(), 'epoch'), count(*) from told group by dimension, key order by dimension, key
    on conflict (project_id, dimension, key, at) do update set views = v.views + excluded.views`
}

/** Query for views over a range of days. */
export interface ViewsQuery {
  readonly dimension: string
  readonly keys: readonly string[] | null
  readonly timeZone: string
  readonly from: string
  readonly until: string
}

/** Reads the number of views by day and value. */
export const readViews = (sql: Queryable, projectId: string, { dimension, keys, timeZone, from, until }: ViewsQuery) =>
  sql<{ day: string; key: string; views: number }[]>`
    select to_char(at at time zone ${timeZone}, 'YYYY-MM-DD') as day, key, sum(views)::float8 as views from store_views
    where project_id = ${projectId} and dimension = ${dimension} ${keys === null ? sql`` : sql`and key = any (${keys as string[]})`}
      and at >= ${from}::timestamp at time zone ${timeZone} and at < ${until}::timestamp at time zone ${timeZone}
    group by 1, 2`

/** Deletes views older than `days`, at most `atOnce` rows. Returns the number of deleted rows. */
export const deleteViewsBefore = async (sql: Queryable, days: number, atOnce: number) =>
  (
    await sql`delete from store_views where ctid = any (array(select ctid from store_views where at < now() - ${days} * interval '1 day' limit ${atOnce}))`
  ).count
