import { eraseInOneTransaction } from '../../../data/personal-data/personal-data.ts'
import { expectOne, json, type Queryable, rowValues } from '../../../data/sql.ts'
import { ERASED } from '../../../lib/person/person-matcher.ts'
import type { Comment, Feedback, NewFeedback } from './feedbacks.model.ts'

const columns = [
  'id',
  'projectId',
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

/** Row of a feedback. */
export interface FeedbackRow extends Omit<Feedback, 'storeId'> {
  readonly projectId: string
}
type FeedbackKey = Pick<FeedbackRow, 'projectId' | 'id'>

/** Inserts a feedback and returns it. Throws a constraint violation for a product or order that the store does not have. */
export const insertFeedback = async (sql: Queryable, key: FeedbackKey, { storeId: _, ...feedback }: NewFeedback) =>
  expectOne(await sql<FeedbackRow[]>`insert into feedbacks ${rowValues(sql, { ...feedback, ...key })} returning ${sql(columns)}`)

/** Finds the project of a feedback by its id alone, as a route names it. Returns undefined where there is none. */
export const findFeedbackKey = async (sql: Queryable, id: string) =>
  (await sql<FeedbackKey[]>`select project_id, id from feedbacks where id = ${id}`)[0]

/** Appends a comment. Returns false where the feedback has `most` comments or does not exist. */
export const appendComment = async (sql: Queryable, { projectId, id }: FeedbackKey, comment: Comment, most: number) =>
  (
    await sql`update feedbacks set comments = comments || ${json(sql, [comment])}, updated_at = now()
      where project_id = ${projectId} and id = ${id} and jsonb_array_length(comments) < ${most}`
  ).count > 0

/** Erases a person's feedback except its rating, and scrubs the person's name from other feedback. */
export const personalFeedbacks = eraseInOneTransaction(
  'feedbacks',
  async (tx, { projectId, orderIds, terms, matcher, requestedAt: askedAt }) => {
    const emails = terms.emails.map((email) => email.toLowerCase())
    const rows = await tx<{ id: string; isTheirs: boolean; contact: string; text: string; comments: string }[]>`
    select id, text, comments::text as comments, concat_ws(' ', phone, email) as contact, coalesce(id = any (${terms.ids as string[]}) or order_id = any (${orderIds as string[]}) or phone = any (${terms.phones as string[]})
      or lower(email) = any (${emails}), false) as is_theirs
    from feedbacks where project_id = ${projectId} and created_at <= ${askedAt} for update`
    for (const { id, isTheirs: isListed, contact, text, comments } of rows) {
      // A number is kept as it was typed.
      const isTheirs = isListed || matcher.isConnected(contact)
      const wholeText = `${text}\n${comments}`
      if (!isTheirs && !matcher.isConnected(wholeText) && !matcher.isNamed(wholeText)) continue
      const clean = json(tx, matcher.scrubJson(JSON.parse(comments), { isAbout: true }))
      if (isTheirs)
        await tx`update feedbacks set name = ${ERASED}, phone = case when phone is not null then ${ERASED} end,
        email = case when email is not null then ${ERASED} end, text = ${ERASED}, comments = ${clean} where project_id = ${projectId} and id = ${id}`
      else
        await tx`update feedbacks set text = ${matcher.scrub(text, { isAbout: true })}, comments = ${clean} where project_id = ${projectId} and id = ${id}`
    }
  },
)
