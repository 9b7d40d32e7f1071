import { expectOne, type Queryable, type Tx } from '../../data/sql.ts'

/** Order that has tags. */
export interface TaggedOrder {
  readonly projectId: string
  readonly id: string
}

/** Lists the tags of an order in their alphabetic order. */
export const listTags = async (sql: Queryable, { projectId, id }: TaggedOrder) =>
  (await sql<{ tag: string }[]>`select tag from order_tags where project_id = ${projectId} and order_id = ${id} order by tag`).map(
    ({ tag }) => tag,
  )

/** Lists the different tags of a store in their order, each found by one step in the index. `after` is the tag that ended the previous page. */
export const listStoreTags = (sql: Queryable, projectId: string, after: string | null, take: number) =>
  sql<{ tag: string }[]>`
    with recursive found as (
      (select tag from order_tags where project_id = ${projectId} and tag > ${after ?? ''} order by tag limit 1)
      union all
      select (select t.tag from order_tags t where t.project_id = ${projectId} and t.tag > found.tag order by t.tag limit 1)
      from found where found.tag is not null
    )
    select tag from found where tag is not null limit ${take}`

/** Counts the different tags of a store, up to `most`. */
export const countStoreTags = async (sql: Queryable, projectId: string, most: number) =>
  (await listStoreTags(sql, projectId, null, most)).length

/** Returns how many of these tags no order of the store has. */
export const countNewTags = async (sql: Queryable, projectId: string, tags: readonly string[]) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from unnest(${tags as string[]}::text[]) as given (tag)
      where not exists (select from order_tags t where t.project_id = ${projectId} and t.tag = given.tag collate "C")`,
  ).count

/** Serializes new tags of a store until the transaction ends, so that their limit holds. */
export const lockStoreTags = (tx: Tx, projectId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`order_tags ${projectId}`}, 0))`

/** Adds tags to an order. Those that it has stay. */
export const insertTags = (sql: Queryable, { projectId, id }: TaggedOrder, tags: readonly string[]) =>
  sql`insert into order_tags (project_id, order_id, tag) select ${projectId}, ${id}, tag from unnest(${tags as string[]}::text[]) as given (tag)
    on conflict do nothing`

/** Removes tags of an order. */
export const deleteTags = (sql: Queryable, { projectId, id }: TaggedOrder, tags: readonly string[]) =>
  sql`delete from order_tags where project_id = ${projectId} and order_id = ${id} and tag = any (${tags as string[]})`
