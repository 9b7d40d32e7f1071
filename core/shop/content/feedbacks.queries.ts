import { json, one, type Queryable, row } from '../../data/sql.ts'
import type { Comment, Feedback, NewFeedback } from './feedbacks.model.ts'

const columns = [
  'id',
  'storeId',
  'name',
  'phone',
  'email',
  'text',
  'rating',
  'productId',
  'orderId',
  'status',
  'comments',
  'createdAt',
  'updatedAt',
] as const

/** Throws where a constraint is violated: of the product, or of the order. */
export const insertFeedback = async (sql: Queryable, id: string, feedback: NewFeedback) =>
  one(await sql<Feedback[]>`insert into feedbacks ${row(sql, { ...feedback, id })} returning ${sql(columns)}`)

export const findStoreOfFeedback = async (sql: Queryable, id: string) =>
  (await sql<{ storeId: string }[]>`select store_id from feedbacks where id = ${id}`)[0]

/** Whether there was room for one more. */
export const appendComment = async (sql: Queryable, feedbackId: string, comment: Comment, most: number) =>
  (
    await sql`update feedbacks set comments = comments || ${json(sql, [comment])}, updated_at = now()
      where id = ${feedbackId} and jsonb_array_length(comments) < ${most}`
  ).count > 0
