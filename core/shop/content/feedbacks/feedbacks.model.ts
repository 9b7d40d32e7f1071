import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'

/** Comments on one feedback. */
export const COMMENTS_MAX = 100
/** Feedbacks that one network may submit to one store within an hour. */
export const FEEDBACKS_PER_HOUR = 10

/** Fields that only members and API keys of the store see. */
export const PRIVATE_FIELDS = ['phone', 'email', 'orderId'] as const

const feedbackFields = {
  name: T.String({ minLength: 1, maxLength: 120, description: 'name of the customer, shown to the public' }),
  phone: T.Optional(Nullable(Text(40), { description: 'visible to the store only' })),
  email: T.Optional(Nullable(T.String({ format: 'email', maxLength: 254 }), { description: 'visible to the store only' })),
  text: Text(4000, 1),
  rating: T.Integer({ minimum: 1, maximum: 5 }),
  productId: T.Optional(Nullable(Id)),
  orderId: T.Optional(Nullable(Id)),
}

/** Body that submits feedback. It stays pending until a member publishes it. */
export const NewFeedback = named('NewFeedback', exact({ storeId: Id, ...feedbackFields }))
/** Type of {@link NewFeedback}. */
export type NewFeedback = Static<typeof NewFeedback>

/** Fields of a feedback that a member may write. */
export const FeedbackFields = named(
  'FeedbackFields',
  T.Object({ ...feedbackFields, status: T.Optional(oneOf(['pending', 'published', 'hidden'])) }),
)

/** Answer of the store to a feedback. */
export const Comment = named('FeedbackComment', T.Object({ id: Id, text: T.String(), createdAt: Timestamp }))
/** Type of {@link Comment}. */
export type Comment = Static<typeof Comment>
/** Body that adds a comment. */
export const NewComment = named('NewFeedbackComment', exact({ text: Text(4000, 1) }))
/** Comments on a feedback, oldest first. */
export const Comments = T.Array(Comment, { description: 'answers of the store, oldest first' })

/** Feedback as members and API keys of the store see it. */
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
/** Type of {@link Feedback}. */
export type Feedback = Static<typeof Feedback>
/** Feedback as its author and the public see it, without private fields. */
export const PublicFeedback = named('PublicFeedback', T.Omit(Feedback, PRIVATE_FIELDS))
