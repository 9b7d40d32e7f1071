import { expectOne, type Queryable, rowValues } from '../../../data/sql.ts'
import type { CatalogFeed } from './catalog.model.ts'

/** Inserts a feed, or replaces that of the same project and platform. Returns its creation time. */
export const upsertFeed = async (sql: Queryable, feed: CatalogFeed & { readonly digest: string }) =>
  expectOne(
    await sql<{ createdAt: string }[]>`insert into catalog_feeds ${rowValues(sql, feed)} on conflict (project_id, platform)
      do update set digest = excluded.digest, product_url = excluded.product_url, by = excluded.by, brand = excluded.brand, created_at = now()
      returning created_at`,
  )

/** Finds a feed by the hash of its token. Returns undefined for a hidden or deleted store. */
export const findFeed = async (sql: Queryable, digest: string) =>
  (
    await sql<CatalogFeed[]>`select f.project_id, f.platform, f.product_url, f.by, f.brand
      from catalog_feeds f join stores o on o.project_id = f.project_id join shown_stores s on s.id = o.id where f.digest = ${digest}`
  )[0]

/** Deletes all feeds of a project. */
export const deleteFeedsOfProject = (sql: Queryable, projectId: string) => sql`delete from catalog_feeds where project_id = ${projectId}`

/** Active product with the name of its category. */
export interface ActiveProduct {
  readonly id: string
  readonly category: string | null
}

/** Lists the active products of a store after an id, oldest first, with the names of their categories. */
export const listActiveProducts = (sql: Queryable, projectId: string, after: string, take: number) =>
  sql<
    ActiveProduct[]
  >`select p.id, c.name as category from products p left join categories c on c.project_id = p.project_id and c.id = p.category_id
    where p.project_id = ${projectId} and p.id > ${after} and p.status = 'active' and p.deleted_at is null order by p.id limit ${take}`

const PICTURE = '$[*] ? (@.kind == "image")'

/** Counts the rows of a catalogue, and the products or variants that it leaves out: without an image, or not active. */
export const countCatalogRows = async (sql: Queryable, projectId: string, by: CatalogFeed['by']) =>
  expectOne(
    await sql<{ rows: number; unseen: number; inactive: number }[]>`select
        coalesce(sum(shown) filter (where status = 'active'), 0)::int as rows,
        coalesce(sum(all_rows - shown) filter (where status = 'active'), 0)::int as unseen,
        coalesce(sum(all_rows) filter (where status <> 'active'), 0)::int as inactive
      from (
        select p.status, a.all_rows, case
            when jsonb_path_exists(p.media, ${PICTURE}::jsonpath) then a.all_rows
            when ${by} = 'product' then 0
            else (select count(*) from jsonb_array_elements(p.variants) v where jsonb_path_exists(v -> 'media', ${PICTURE}::jsonpath)) end as shown
        from products p, lateral (
          select case when ${by} = 'product' or jsonb_array_length(p.variants) = 0 then 1 else jsonb_array_length(p.variants) end as all_rows
        ) a
        where p.project_id = ${projectId} and p.deleted_at is null
      ) counted`,
  )
