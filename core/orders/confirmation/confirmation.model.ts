import { type Static, Type as T, type TInteger } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { type CallOutcome, callOutcomeNames, PastCalls } from '../details/calls.model.ts'
import { RecipientRecord } from '../details/details.model.ts'
import { Order } from '../orders.model.ts'

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
    calls: PastCalls,
  }),
)
/** Type of {@link ConfirmationCall}. */
export type ConfirmationCall = Static<typeof ConfirmationCall>

/** Request for an order whose customer has called. */
export const TakeRequest = named('ConfirmationTake', exact({ storeId: T.Optional(Id), orderId: Id }))

/** Request that undoes the outcome of a call. */
export const UndoRequest = named(
  'ConfirmationUndo',
  exact({ storeId: T.Optional(Id), orderId: Id, callId: { ...Id, description: '`callId` of the response that recorded the outcome' } }),
)
/** Type of {@link UndoRequest}. */
export type UndoRequest = Static<typeof UndoRequest>

type OutcomeCounts = Record<CallOutcome, TInteger>
const OutcomeCounts = T.Object(Object.fromEntries(callOutcomeNames.map((name) => [name, T.Integer({ minimum: 0 })])) as OutcomeCounts, {
  description: 'those calls by outcome',
})

/** Orders of one kind that are counted at most. */
export const COUNTED_MAX = 10_000

const Count = (description: string) => T.Integer({ minimum: 0, description })

/** Orders that wait for a call, and the calls of the agent today. */
export const ConfirmationCounts = named(
  'ConfirmationCounts',
  T.Object(
    {
      due: Count('orders to call now that no agent has'),
      later: Count('orders with a planned later call'),
      stopped: Count('orders without a planned call, which wait for another number or for their customer'),
      leased: Count('orders that an agent has now'),
      nextDueAt: Nullable(Timestamp, { description: 'time of the first later call' }),
      mine: T.Object({
        held: Count('orders that the caller has now'),
        calls: Count('calls of the caller today, in the time zone of the calling hours'),
        outcomes: OutcomeCounts,
      }),
    },
    { description: `counts of orders are exact up to ${COUNTED_MAX}, and then stay there` },
  ),
)
/** Type of {@link ConfirmationCounts}. */
export type ConfirmationCounts = Static<typeof ConfirmationCounts>

/** Request that records the outcome of a call, or returns the order to the queue. */
export const ReleaseRequest = named(
  'ConfirmationRelease',
  exact({
    storeId: T.Optional(Id),
    orderId: Id,
    outcome: T.Optional(oneOf(callOutcomeNames, { default: 'given_back', description: 'what the call led to' })),
    until: T.Optional({ ...Timestamp, description: 'for `postponed`: time of the next call' }),
    reasonCode: T.Optional({ ...Text(40, 1), description: 'code of a reason of the store for this outcome' }),
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
    callId: Nullable(Id, { description: 'the recorded call, to undo it; null if the order was given back' }),
    nextTryAt: Nullable(Timestamp, { description: 'time of the next call; null when there is none' }),
  }),
)
/** Type of {@link ReleasedCall}. */
export type ReleasedCall = Static<typeof ReleasedCall>
