import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'

export const COMMENTS_MAX = 100
/** What one network may write to one store. */
export const FEEDBACKS_AN_HOUR = 10

/** What is never shown to who is not of the store. */
export const PRIVATE = ['phone', 'email', 'orderId'] as const

const said = {
  name: T.String({ minLength: 1, maxLength: 120, description: 'of the customer, as it is shown' }),
  phone: T.Optional(Nullable(Text(40), { description: 'for the store alone' })),
  email: T.Optional(Nullable(T.String({ format: 'email', maxLength: 254 }), { description: 'for the store alone' })),
  text: Text(4000, 1),
  rating: T.Integer({ minimum: 1, maximum: 5 }),
  productId: T.Optional(Nullable(Id)),
  orderId: T.Optional(Nullable(Id)),
}

/** What a customer writes. It waits until a member publishes it. */
export const NewFeedback = named('NewFeedback', exact({ storeId: Id, ...said }))
export type NewFeedback = Static<typeof NewFeedback>

export const FeedbackFields = named('FeedbackFields', T.Object({ ...said, status: T.Optional(oneOf(['pending', 'published', 'hidden'])) }))

export const Comment = named('FeedbackComment', T.Object({ id: Id, text: T.String(), createdAt: Timestamp }))
export type Comment = Static<typeof Comment>
export const NewComment = named('NewFeedbackComment', exact({ text: Text(4000, 1) }))
export const Comments = T.Array(Comment, { description: 'what the store answered, oldest first' })

export const Feedback = named(
  'Feedback',
  T.Object({
    id: Id,
    storeId: Id,
    ...T.Required(FeedbackFields).properties,
    comments: Comments,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Feedback = Static<typeof Feedback>
/** As its writer gets it, and as anybody reads it. */
export const PublicFeedback = named('PublicFeedback', T.Omit(Feedback, PRIVATE))
