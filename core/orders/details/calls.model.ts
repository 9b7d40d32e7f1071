import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

/** Names of all outcomes of a confirmation call. */
export const callOutcomeNames = ['confirmed', 'no_answer', 'busy', 'wrong_number', 'postponed', 'cancelled', 'given_back'] as const
/** Name of an outcome of a call. */
export type CallOutcome = (typeof callOutcomeNames)[number]

/** Finished call to the customer of an order. */
export const PastCall = named(
  'PastCall',
  T.Object({
    id: Id,
    outcome: oneOf(callOutcomeNames),
    reasonCode: Nullable(T.String(), { description: 'code of the reason in the list of the store' }),
    reason: T.String(),
    agentId: Id,
    agentName: Nullable(T.String(), { description: 'current name of the person or the key; null if it was deleted' }),
    nextTryAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
/** Type of {@link PastCall}. */
export type PastCall = Static<typeof PastCall>

/** Number of past calls that an order shows. */
export const CALLS_SHOWN = 20
/** Past calls of an order, as the API shows them. */
export const PastCalls = T.Array(PastCall, { description: `calls to its customer, newest first, at most ${CALLS_SHOWN}` })
