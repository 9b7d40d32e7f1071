import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Nullable, named, oneOf, Text } from '../../../http/schema.ts'
import { callOutcomeNames } from '../../details/calls.model.ts'

const REASONS_MAX = 50
const ReasonCode = T.String({ pattern: '^[a-z0-9_]{1,40}$', description: 'stays the same when the label is reworded' })

/** Reason that agents can choose for the outcome of a call. */
export const CallReason = named(
  'CallReason',
  exact({
    code: ReasonCode,
    label: Text(100, 1),
    outcomes: T.Array(oneOf(callOutcomeNames), {
      minItems: 1,
      maxItems: callOutcomeNames.length,
      uniqueItems: true,
      description: 'outcomes that it explains',
    }),
  }),
)
/** Type of {@link CallReason}. */
export type CallReason = Static<typeof CallReason>

/** List of reasons of a store, in the order in which agents see them. */
export const CallReasons = named(
  'CallReasons',
  T.Object({
    reasons: T.Array(CallReason),
    isStandard: T.Boolean({ description: 'true while the store has no list of its own' }),
  }),
)
/** Type of {@link CallReasons}. */
export type CallReasons = Static<typeof CallReasons>

/** Request that replaces the reasons of a store. */
export const CallReasonsReplacement = named(
  'CallReasonsReplacement',
  exact({
    reasons: Nullable(T.Array(CallReason, { maxItems: REASONS_MAX }), { description: 'null restores the standard reasons' }),
  }),
)

/** Reasons of a store that has no list of its own. */
export const standardReasons: readonly CallReason[] = [
  { code: 'too_expensive', label: 'Too expensive', outcomes: ['cancelled'] },
  { code: 'changed_mind', label: 'Changed their mind', outcomes: ['cancelled'] },
  { code: 'not_ordered', label: 'Did not order', outcomes: ['cancelled'] },
  { code: 'ordered_twice', label: 'Ordered twice', outcomes: ['cancelled'] },
  { code: 'bought_elsewhere', label: 'Bought elsewhere', outcomes: ['cancelled'] },
  { code: 'delivery_too_slow', label: 'Delivery takes too long', outcomes: ['cancelled'] },
  { code: 'prank', label: 'Prank order', outcomes: ['cancelled', 'wrong_number'] },
  { code: 'asks_later', label: 'Asks for a later call', outcomes: ['postponed'] },
  { code: 'waits_for_money', label: 'Waits for money', outcomes: ['postponed'] },
  { code: 'away', label: 'Away for now', outcomes: ['postponed'] },
]
