import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { Currency, payoutDetails, payoutLineKinds, payoutStatuses } from '../../../plugins/payment/model.ts'
import { type Asked, listing } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneOf, pageQuery, Text, Timestamp } from '../../http/schema.ts'

/** What a line comes to, held against what customers paid and were given back. */
export const payoutOutcomes = ['matched', 'differs', 'paid_already', 'unknown', 'not_done', 'other_currency', 'fee', 'unexpected'] as const
export type PayoutOutcome = (typeof payoutOutcomes)[number]

/** Those that settle the payment, or the refund, that they are of. */
export const settlingOutcomes = ['matched', 'differs', 'other_currency'] as const satisfies readonly PayoutOutcome[]

/** `untold`: what a payout comes to beyond what the gateway says that it is made of. */
export const lineKinds = [...payoutLineKinds, 'untold'] as const
export type LineKind = (typeof lineKinds)[number]

export const payoutStates = ['open', 'posted', 'reversed'] as const

const Amount = T.Number({ description: 'in the major unit; below zero, what the store owes' })

export const GatewayPayout = named(
  'GatewayPayout',
  T.Object({
    id: Id,
    storeId: Id,
    gateway: T.String({ description: "the adapter's slug" }),
    externalId: T.String({ description: "the gateway's own name of it" }),
    status: oneOf(payoutStatuses, { description: 'as the gateway has it' }),
    state: oneOf(payoutStates, { description: '`posted`: it stands in the ledger; `reversed`: that was taken back, since it failed' }),
    amount: Amount,
    currency: Currency,
    lines: oneOf(payoutDetails, { description: 'whether the gateway tells what it is made of' }),
    complete: T.Boolean({ description: 'whether all its lines are here' }),
    waiting: T.Integer({ minimum: 0, description: 'lines that wait for a person' }),
    returnedBy: Nullable(Id, { description: 'of one that failed: the payout that brought its money back' }),
    message: Nullable(T.String()),
    madeAt: Timestamp,
    arrivesAt: Nullable(Timestamp),
    postedAt: Nullable(Timestamp),
    reversedAt: Nullable(Timestamp),
  }),
)
export type GatewayPayout = Static<typeof GatewayPayout>

const Sum = T.Object({ lines: T.Integer({ minimum: 0 }), gross: Amount, fee: Amount, net: Amount })
const byOutcome = Object.fromEntries([...payoutOutcomes, 'open' as const].map((outcome) => [outcome, Sum])) as Record<
  PayoutOutcome | 'open',
  typeof Sum
>

/** A payout, and what its lines come to by what became of them. */
export const GatewayPayoutDetail = named(
  'GatewayPayoutDetail',
  T.Object({
    ...GatewayPayout.properties,
    totals: T.Object(byOutcome, { description: '`open`: not looked at yet' }),
    posted: T.Number({ description: 'what stands in the ledger as arrived' }),
  }),
)

export const GatewayPayoutLine = named(
  'GatewayPayoutLine',
  T.Object({
    id: Id,
    externalId: T.String(),
    kind: oneOf(lineKinds),
    outcome: Nullable(oneOf(payoutOutcomes), { description: 'null: not looked at yet' }),
    state: oneOf(['open', 'waiting', 'settled', 'accepted'], { description: '`accepted`: a person said that it is as it should be' }),
    gross: Amount,
    fee: Amount,
    net: Amount,
    currency: Currency,
    expected: Nullable(T.Number(), { description: 'what it would have to be, before its fee' }),
    paymentId: Nullable(Id),
    orderId: Nullable(Id),
    refundId: Nullable(Id),
    reason: Nullable(T.String(), { description: 'of the person who accepted it' }),
    message: Nullable(T.String()),
    at: Nullable(Timestamp),
  }),
)
export type GatewayPayoutLine = Static<typeof GatewayPayoutLine>

export const PayoutReading = named(
  'PayoutReading',
  T.Object({
    gateway: T.String(),
    connectionId: Id,
    status: oneOf(['running', 'done', 'failed']),
    message: Nullable(T.String(), { description: 'why it failed' }),
    beganAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
    dueAt: Timestamp,
  }),
)
export type PayoutReading = Static<typeof PayoutReading>

export const UnpaidOut = named(
  'UnpaidOut',
  T.Object({
    paymentId: Id,
    orderId: Id,
    gateway: T.String(),
    externalId: Nullable(T.String()),
    paid: T.Number({ minimum: 0 }),
    refunded: T.Number({ minimum: 0 }),
    fee: Nullable(T.Number({ minimum: 0 })),
    currency: Currency,
    paidAt: Timestamp,
    days: T.Integer({ minimum: 0, description: 'since it was paid' }),
  }),
)
export type UnpaidOut = Static<typeof UnpaidOut>

export const LineAcceptance = named('PayoutLineAcceptance', exact({ reason: Text(500, 1) }))

export const payoutList = listing({
  sorts: null,
  filters: { status: oneOf(payoutStatuses), waiting: t.Boolean({ description: 'for a person' }) },
})
export type AskedPayouts = Asked<typeof payoutList.filters>

export const lineQuery = { ...pageQuery, waiting: T.Optional(t.Boolean({ description: 'those that wait for a person' })) }

/** Gateways pay within days; what takes longer is missing. */
export const MISSING_DAYS = 14
export const missingQuery = {
  ...pageQuery,
  days: T.Optional(t.Integer({ minimum: 0, maximum: 365, default: MISSING_DAYS, description: 'paid so long ago at least' })),
}
