import { type Static, Type as T, type TProperties } from '@sinclair/typebox'
import { deliveryTypes } from '../../../plugins/carrier/model.ts'
import { Parcel } from '../../../plugins/carrier/parcel.model.ts'
import { SendOptions, told } from '../../../plugins/carrier/segments.model.ts'
import { RowError } from '../../http/errors/row-error.model.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Maybe, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Carrier = T.String({ pattern: '^[a-z][a-z0-9-]{1,40}$', description: "the carrier's slug" })
const range = (maximum: number, description: string) => {
  const Bound = Maybe(T.Number({ minimum: 0, maximum }))
  return Maybe(exact({ min: Bound, max: Bound }, { description }))
}

const choices = ['order', 'share', 'success', 'price'] as const

/** Rule that chooses a carrier for matching orders. */
export const DispatchRule = named(
  'DispatchRule',
  exact({
    name: T.String({
      minLength: 1,
      maxLength: 80,
      pattern: '^[^\\u0000-\\u001f]+$',
      description: 'unique in the store; shares are counted under it',
    }),
    when: exact(
      {
        states: Maybe(
          T.Array(T.String({ pattern: '^[A-Za-z0-9-]{1,16}$' }), { minItems: 1, maxItems: 300, description: 'codes of the states' }),
        ),
        deliveryTypes: Maybe(T.Array(oneOf(deliveryTypes), { minItems: 1, maxItems: 3 })),
        weightKg: range(10_000, 'both bounds are included'),
        amount: range(1e11, 'amount to collect; both bounds are included'),
      },
      { description: 'all given conditions must match; {} always matches' },
    ),
    carriers: T.Array(
      exact({
        carrier: Carrier,
        share: Maybe(T.Integer({ minimum: 1, maximum: 100, description: 'share of the orders of this rule; required for `share`' })),
        minSuccessRate: Maybe(
          T.Number({
            minimum: 0,
            maximum: 1,
            description: 'the carrier is left out below this rate, once 20 of its parcels have ended there',
          }),
        ),
      }),
      { minItems: 1, maxItems: 30 },
    ),
    choose: oneOf(choices, {
      description: 'how one of several carriers is chosen',
    }),
  }),
)
/** Type of {@link DispatchRule}. */
export type DispatchRule = Static<typeof DispatchRule>
/** Rules of a store, in order. */
export const DispatchRules = named(
  'DispatchRules',
  exact({
    rules: T.Array(DispatchRule, { maxItems: 100, description: 'the first rule that matches and has an available carrier decides' }),
  }),
)

const options = {
  ...SendOptions.properties,
  dryRun: Maybe(T.Boolean({ default: false, description: 'returns the plan without sending anything' })),
}
/** Request that dispatches one or many orders. */
export const DispatchRequest = T.Union([
  exact({ orderIds: T.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }), ...options }),
  exact({ orderId: Id, ...options }),
])
/** Type of {@link DispatchRequest}. */
export type DispatchRequest = Static<typeof DispatchRequest>

const outcomes = ['taken', 'refused', 'held_back', 'waiting', 'unknown'] as const
/** Attempt to send an order with one carrier. */
export const DispatchAttempt = named(
  'DispatchAttempt',
  T.Object({
    carrier: T.String(),
    outcome: oneOf(outcomes),
    message: T.String(),
  }),
)
/** Type of {@link DispatchAttempt}. */
export type DispatchAttempt = Static<typeof DispatchAttempt>

const ReasonSchema = named('DispatchReason', T.Object({ carrier: T.String(), reason: T.String() }))
/** Carrier with the reason for or against it. */
export type CarrierReason = Static<typeof ReasonSchema>

const choice = {
  orderId: T.String(),
  carrier: Nullable(T.String({ description: 'carrier that has it or is in use; with dryRun, the first choice' })),
  rule: Nullable(T.String({ description: 'null when no rule decided' })),
  reason: T.String({ description: 'reason for this carrier, or for none' }),
  candidates: T.Array(ReasonSchema, { description: 'in order of preference' }),
  leftOut: T.Array(ReasonSchema, { description: 'carriers that are not used, and the reasons' }),
  tried: T.Array(DispatchAttempt),
}
const DispatchChoice = T.Object(choice)
/** Choice of a carrier for one order, before any outcome. */
export type DispatchChoice = Static<typeof DispatchChoice>

const row = <O extends string, P extends TProperties>(title: string, outcome: O, properties: P, description: string) =>
  named(title, T.Object({ outcome: T.Literal(outcome), ...choice, ...properties }, { description }))

/** Result for one order of a dispatch. */
export const DispatchResult = T.Union(
  [
    row('DispatchedSent', 'sent', { parcel: Parcel, ...told }, 'a carrier has it'),
    row(
      'DispatchedPending',
      'pending',
      { parcel: Maybe(Parcel), error: Maybe(RowError), ...told },
      'it continues by itself: the carrier has not responded yet or accepts no more for now, its outcome is not known yet (error `outcome_unknown`), or another request is sending it (error `idempotency_in_progress`)',
    ),
    row(
      'DispatchedRefused',
      'refused',
      {
        error: RowError,
        parcelId: Nullable(
          T.String({ description: 'parcel that was created and that no carrier has; it is used when the order is sent again' }),
        ),
      },
      'it was left out or refused, and no carrier has it; `error` and `reason` have the cause',
    ),
    row('DispatchedPlan', 'planned', {}, 'with dryRun: the plan'),
  ],
  { discriminator: { propertyName: 'outcome' } },
)
/** Type of {@link DispatchResult}. */
export type DispatchResult = Static<typeof DispatchResult>
/** Outcome of a dispatch, without the choice. */
export type DispatchOutcome = DispatchResult extends infer D ? (D extends DispatchResult ? Omit<D, keyof DispatchChoice> : never) : never

const dispatchOutcomes = ['running', 'sent', 'waiting', 'unknown', 'refused'] as const
/** Dispatch of an order as it is stored. */
export const Dispatch = named(
  'Dispatch',
  T.Object({
    id: Id,
    orderId: Id,
    rule: Nullable(T.String()),
    carrier: Nullable(T.String()),
    reason: T.String(),
    outcome: oneOf(dispatchOutcomes),
    tried: T.Array(DispatchAttempt),
    parcelId: Nullable(T.String()),
    at: Timestamp,
  }),
)
/** Type of {@link Dispatch}. */
export type Dispatch = Static<typeof Dispatch>

/** Filters of the list of dispatches. */
export const dispatchList = defineList({ filters: { orderId: Id } })
/** Validated query of the list of dispatches. */
export type DispatchListRequest = ListQuery<typeof dispatchList.filters>
