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

export const Rule = named(
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
          T.Array(T.String({ pattern: '^[A-Za-z0-9-]{1,16}$' }), { minItems: 1, maxItems: 300, description: 'by their codes' }),
        ),
        deliveryTypes: Maybe(T.Array(oneOf(deliveryTypes), { minItems: 1, maxItems: 3 })),
        weightKg: range(10_000, 'both bounds are included'),
        amount: range(1e11, 'what is collected; both bounds are included'),
      },
      { description: 'all that is said must hold; {} always holds' },
    ),
    carriers: T.Array(
      exact({
        carrier: Carrier,
        share: Maybe(T.Integer({ minimum: 1, maximum: 100, description: 'of the orders of this rule; required to choose by share' })),
        minSuccessRate: Maybe(T.Number({ minimum: 0, maximum: 1, description: 'left out below it, once 20 parcels have ended there' })),
      }),
      { minItems: 1, maxItems: 30 },
    ),
    choose: oneOf(choices, {
      description:
        'as listed; by share; the best success rate there, by what it is at least with 95 % certainty, from 20 parcels that ended; the least price',
    }),
  }),
)
export type Rule = Static<typeof Rule>
export const Rules = named(
  'DispatchRules',
  exact({
    rules: T.Array(Rule, { maxItems: 100, description: 'the first whose conditions hold, and that leaves a carrier, decides' }),
  }),
)

const options = {
  ...SendOptions.properties,
  dryRun: Maybe(T.Boolean({ default: false, description: 'says what would be done, and does nothing' })),
}
export const DispatchOrders = T.Union([
  exact({ orderIds: T.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }), ...options }),
  exact({ orderId: Id, ...options }),
])
export type DispatchOrders = Static<typeof DispatchOrders>

const outcomes = ['taken', 'refused', 'held_back', 'waiting', 'unknown'] as const
export const Attempt = named(
  'DispatchAttempt',
  T.Object({
    carrier: T.String(),
    outcome: oneOf(outcomes, {
      description: 'after refused and held_back, which left nothing there, the next is asked; never after the others',
    }),
    message: T.String(),
  }),
)
export type Attempt = Static<typeof Attempt>

const Reason = named('DispatchReason', T.Object({ carrier: T.String(), reason: T.String() }))
export type Reason = Static<typeof Reason>

const choice = {
  orderId: T.String(),
  carrier: Nullable(T.String({ description: 'who has it or is being asked; with dryRun, who would be asked first' })),
  rule: Nullable(T.String({ description: 'null where no rule decided' })),
  reason: T.String({ description: 'why this carrier, or why none' }),
  candidates: T.Array(Reason, { description: 'in the order in which they are asked' }),
  leftOut: T.Array(Reason, { description: 'carriers that are not asked, and why' }),
  tried: T.Array(Attempt),
}
const DispatchChoice = T.Object(choice)
/** The choice of a carrier for one order, before anything came of it. */
export type DispatchChoice = Static<typeof DispatchChoice>

const row = <O extends string, P extends TProperties>(title: string, outcome: O, properties: P, description: string) =>
  named(title, T.Object({ outcome: T.Literal(outcome), ...choice, ...properties }, { description }))

/** What came of one order of a dispatch. */
export const Dispatched = T.Union(
  [
    row('DispatchedSent', 'sent', { parcel: Parcel, ...told }, 'a carrier has it'),
    row(
      'DispatchedPending',
      'pending',
      { parcel: Maybe(Parcel), error: Maybe(RowError), ...told },
      'it goes on by itself: the carrier has not answered yet or takes no more for now, nobody knows yet whether it has the parcel (error `outcome_unknown`), or another request is sending it (error `idempotency_in_progress`)',
    ),
    row(
      'DispatchedRefused',
      'refused',
      {
        error: RowError,
        parcelId: Nullable(
          T.String({ description: 'parcel that was made here and that no carrier has; used when the order is sent again' }),
        ),
      },
      'it was left out or refused, and no carrier has it; `error` and `reason` say why',
    ),
    row('DispatchedPlan', 'planned', {}, 'with dryRun: what would be done'),
  ],
  { discriminator: { propertyName: 'outcome' } },
)
export type Dispatched = Static<typeof Dispatched>
/** What came of it, without the choice. */
export type DispatchOutcome = Dispatched extends infer D ? (D extends Dispatched ? Omit<D, keyof DispatchChoice> : never) : never

const dispatchOutcomes = ['running', 'sent', 'waiting', 'unknown', 'refused'] as const
export const Dispatch = named(
  'Dispatch',
  T.Object({
    id: Id,
    orderId: Id,
    rule: Nullable(T.String()),
    carrier: Nullable(T.String()),
    reason: T.String(),
    outcome: oneOf(dispatchOutcomes),
    tried: T.Array(Attempt),
    parcelId: Nullable(T.String()),
    at: Timestamp,
  }),
)
export type Dispatch = Static<typeof Dispatch>

export const dispatchList = defineList({ filters: { orderId: Id } })
export type AskedDispatches = ListQuery<typeof dispatchList.filters>
