import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, Text, Timestamp } from '../../http/schema.ts'

/** Limits of comments: of one order, and members whom one comment mentions. */
export const COMMENT_LIMITS = { perOrder: 500, mentions: 20 } as const

/** Body that comments on an order. */
export const NewOrderComment = named(
  'NewOrderComment',
  exact({
    text: Text(2000, 1),
    mentions: T.Optional(
      T.Array(Id, {
        maxItems: COMMENT_LIMITS.mentions,
        uniqueItems: true,
        description: 'ids of members who may read orders; each is notified',
      }),
    ),
  }),
)
/** Type of {@link NewOrderComment}. */
export type NewOrderComment = Static<typeof NewOrderComment>

/** Comment on an order. */
export const OrderComment = named(
  'OrderComment',
  T.Object({
    id: Id,
    orderId: Id,
    text: T.String(),
    writtenBy: T.Object({ userId: Id, name: T.String() }),
    mentions: T.Array(T.Object({ userId: Id, name: T.String() })),
    createdAt: Timestamp,
  }),
)
/** Type of {@link OrderComment}. */
export type OrderComment = Static<typeof OrderComment>
