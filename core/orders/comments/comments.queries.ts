import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { expectOne, type Queryable, rowValues } from '../../data/sql.ts'
import type { OrderComment } from './comments.model.ts'

/** Order that comments are about. */
export interface CommentedOrder {
  readonly projectId: string
  readonly id: string
}

const selectComments = (sql: Queryable) => sql`select c.id, c.order_id, c.text, c.created_at,
  jsonb_build_object('userId', u.id, 'name', u.name) as written_by,
  coalesce((select jsonb_agg(jsonb_build_object('userId', m.id, 'name', m.name) order by m.id) from users m where m.id = any (c.mentions)), '[]')
    as mentions
  from order_comments c join users u on u.id = c.user_id`

/** Lists the comments of an order, newest first. `before` is the id that ended the previous page. */
export const listComments = (sql: Queryable, { projectId, id }: CommentedOrder, before: string | null, take: number) =>
  sql<OrderComment[]>`${selectComments(sql)} where c.project_id = ${projectId} and c.order_id = ${id}
    and (${before}::text is null or c.id < ${before}) order by c.id desc limit ${take}`

/** Counts the comments of an order. */
export const countComments = async (sql: Queryable, { projectId, id }: CommentedOrder) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from order_comments where project_id = ${projectId} and order_id = ${id}`,
  ).count

interface NewRow {
  readonly projectId: string
  readonly orderId: string
  readonly id: string
  readonly userId: string
  readonly text: string
  readonly mentions: readonly string[]
}

/** Inserts a comment and returns it. */
export async function insertComment(sql: Queryable, { mentions, ...row }: NewRow): Promise<OrderComment> {
  await sql`insert into order_comments ${rowValues(sql, { ...row, mentions: [...mentions] })}`
  return expectOne(
    await sql<OrderComment[]>`${selectComments(sql)}
      where c.project_id = ${row.projectId} and c.order_id = ${row.orderId} and c.id = ${row.id}`,
  )
}

/** Finds the user who wrote a comment, and locks the comment. Returns undefined where there is none. */
export const lockComment = async (sql: Queryable, { projectId, id }: CommentedOrder, commentId: string) =>
  (
    await sql<{ userId: string }[]>`select user_id from order_comments
      where project_id = ${projectId} and order_id = ${id} and id = ${commentId} for update`
  )[0]

/** Deletes a comment. */
export const deleteComment = (sql: Queryable, { projectId, id }: CommentedOrder, commentId: string) =>
  sql`delete from order_comments where project_id = ${projectId} and order_id = ${id} and id = ${commentId}`

/** Comments on orders of a person, for the search of personal data. */
export const personalComments = eraseBySearch({
  table: 'order_comments',
  owner: 'order',
  key: ['order_id', 'id'],
  columns: { text: 'whole' },
})
