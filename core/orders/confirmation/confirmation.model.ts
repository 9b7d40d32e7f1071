import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { RecipientRecord } from '../details/details.model.ts'
import { Order } from '../orders.model.ts'
import { callOutcomeNames } from './outcomes.ts'

const tagList = (what: string) =>
  T.Optional(T.Array(Text(60, 1), { minItems: 1, maxItems: 30, description: `${what}; without it, any order matches` }))

/** Request for the next order to call. */
export const NextCallRequest = named(
  'NextConfirmation',
  exact({
    storeId: T.Optional(Id),
    languages: tagList('languages of the agent; an order requests one with `language` in its metadata'),
    skills: tagList('skills of the agent; an order requests one with `skill` in its metadata'),
  }),
)
/** Type of {@link NextCallRequest}. */
export type NextCallRequest = Static<typeof NextCallRequest>

/** Order that is leased to an agent to call its customer. */
export const ConfirmationCall = named(
  'Confirmation',
  T.Object({
    order: Order,
    recipient: RecipientRecord,
    leasedUntil: Timestamp,
    attempts: T.Integer({ minimum: 0, description: 'consecutive calls without a decision' }),
    calls: T.Array(
      T.Object({
        outcome: oneOf(callOutcomeNames),
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
export type ConfirmationCall = Static<typeof ConfirmationCall>

/** Request that records the outcome of a call, or returns the order to the queue. */
export const ReleaseRequest = named(
  'ConfirmationRelease',
  exact({
    storeId: T.Optional(Id),
    orderId: Id,
    outcome: T.Optional(oneOf(callOutcomeNames, { default: 'given_back', description: 'what the call led to' })),
    until: T.Optional({ ...Timestamp, description: 'for `postponed`: time of the next call' }),
    reason: T.Optional(Text(500)),
  }),
)
/** Type of {@link ReleaseRequest}. */
export type ReleaseRequest = Static<typeof ReleaseRequest>

/** Order after its call, and the time of the next one. */
export const ReleasedCall = named(
  'ReleasedConfirmation',
  T.Object({
    order: Order,
    nextTryAt: Nullable(Timestamp, { description: 'time of the next call; null when there is none' }),
  }),
)
/** Type of {@link ReleasedCall}. */
export type ReleasedCall = Static<typeof ReleasedCall>
