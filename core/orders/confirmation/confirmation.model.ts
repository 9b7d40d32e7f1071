import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { RecipientRecord } from '../details/details.model.ts'
import { Order } from '../orders.model.ts'
import { outcomeNames } from './outcomes.ts'

const tagList = (what: string) =>
  T.Optional(T.Array(Text(60, 1), { minItems: 1, maxItems: 30, description: `${what}; without it, any order matches` }))

/** Request for the next order to call. */
export const NextCall = named(
  'NextConfirmation',
  exact({
    storeId: T.Optional(Id),
    languages: tagList('languages of the agent; an order requests one with `language` in its metadata'),
    skills: tagList('skills of the agent; an order requests one with `skill` in its metadata'),
  }),
)
/** Type of {@link NextCallRequest}. */
export type NextCall = Static<typeof NextCall>

/** Order that is leased to an agent to call its customer. */
export const Call = named(
  'Confirmation',
  T.Object({
    order: Order,
    recipient: RecipientRecord,
    leasedUntil: Timestamp,
    attempts: T.Integer({ minimum: 0, description: 'consecutive calls without a decision' }),
    calls: T.Array(
      T.Object({
        outcome: oneOf(outcomeNames),
        reason: T.String(),
        agentId: Id,
        nextTryAt: Nullable(Timestamp),
        createdAt: Timestamp,
      }),
      { description: 'newest first, at most 20' },
    ),
  }),
)
/** Type of {@link ConfirmationCall}. */
export type Call = Static<typeof Call>

/** Request that records the outcome of a call, or returns the order to the queue. */
export const Release = named(
  'ConfirmationRelease',
  exact({
    storeId: T.Optional(Id),
    orderId: Id,
    outcome: T.Optional(oneOf(outcomeNames, { default: 'given_back', description: '`given_back`: no call was made' })),
    until: T.Optional({ ...Timestamp, description: 'for `postponed`: time of the next call' }),
    reason: T.Optional(Text(500)),
  }),
)
/** Type of {@link ReleaseRequest}. */
export type Release = Static<typeof Release>

/** Order after its call, and the time of the next one. */
export const Released = named(
  'ReleasedConfirmation',
  T.Object({
    order: Order,
    nextTryAt: Nullable(Timestamp, { description: 'time of the next call; null when there is none' }),
  }),
)
/** Type of {@link ReleasedCall}. */
export type Released = Static<typeof Released>
