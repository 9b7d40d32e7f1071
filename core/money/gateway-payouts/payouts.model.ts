import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { Currency } from '../../../plugins/payment/model.ts'
import { payoutDetails, payoutLineKinds, payoutStatuses } from '../../../plugins/payment/payouts.model.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneOf, pageQuery, Text, Timestamp } from '../../http/schema.ts'

/** Outcomes of reconciling a payout line with payments and refunds. */
export const payoutOutcomes = ['matched', 'differs', 'paid_already', 'unknown', 'not_done', 'other_currency', 'fee', 'unexpected'] as const
/** One of {@link payoutOutcomes}. */
export type PayoutOutcome = (typeof payoutOutcomes)[number]

/** Outcomes that settle the payment or refund of a line. */
export const settlingOutcomes = ['matched', 'differs', 'other_currency'] as const satisfies readonly PayoutOutcome[]

/** Kinds of payout lines. `untold` is our own line for the part of the amount that the gateway's lines do not explain. */
export const allPayoutLineKinds = [...payoutLineKinds, 'untold'] as const
/** Kind of a payout line, including our own `untold`. */
export type PayoutLineKind = (typeof allPayoutLineKinds)[number]

/** States of a payout in the ledger. */
export const payoutStates = ['open', 'posted', 'reversed'] as const

const Amount = T.Number({ description: 'in the major unit; below zero, what the store owes' })

/** Gateway payout in the API format. */
export const GatewayPayout = named(
  'GatewayPayout',
  T.Object({
    id: Id,
    storeId: Id,
    gateway: T.String({ description: "the adapter's slug" }),
    externalId: T.String({ description: "the gateway's id" }),
    status: oneOf(payoutStatuses, { description: 'status at the gateway' }),
    state: oneOf(payoutStates, { description: 'whether the ledger counts it' }),
    amount: Amount,
    currency: Currency,
    lines: oneOf(payoutDetails, { description: 'when the gateway reports its lines' }),
    complete: T.Boolean({ description: 'whether all its lines have been read' }),
    waiting: T.Integer({ minimum: 0, description: 'lines that wait for review' }),
    returnedBy: Nullable(Id, { description: 'for a failed payout: the payout that paid its money again' }),
    message: Nullable(T.String()),
    madeAt: Timestamp,
    arrivesAt: Nullable(Timestamp),
    postedAt: Nullable(Timestamp),
    reversedAt: Nullable(Timestamp),
  }),
)
/** Type of {@link GatewayPayout}. */
export type GatewayPayout = Static<typeof GatewayPayout>

const Sum = T.Object({ lines: T.Integer({ minimum: 0 }), gross: Amount, fee: Amount, net: Amount })
const byOutcome = Object.fromEntries([...payoutOutcomes, 'open' as const].map((outcome) => [outcome, Sum])) as Record<
  PayoutOutcome | 'open',
  typeof Sum
>

/** Gateway payout with the totals of its lines by outcome. */
export const GatewayPayoutDetail = named(
  'GatewayPayoutDetail',
  T.Object({
    ...GatewayPayout.properties,
    totals: T.Object(byOutcome, { description: '`open`: not reconciled yet' }),
    posted: T.Number({ description: 'received amount in the ledger' }),
  }),
)

/** Line of a gateway payout in the API format. */
export const GatewayPayoutLine = named(
  'GatewayPayoutLine',
  T.Object({
    id: Id,
    externalId: T.String(),
    kind: oneOf(allPayoutLineKinds),
    outcome: Nullable(oneOf(payoutOutcomes), { description: 'null: not reconciled yet' }),
    state: oneOf(['open', 'waiting', 'settled', 'accepted']),
    gross: Amount,
    fee: Amount,
    net: Amount,
    currency: Currency,
    expected: Nullable(T.Number(), { description: 'expected amount before its fee' }),
    paymentId: Nullable(Id),
    orderId: Nullable(Id),
    refundId: Nullable(Id),
    reason: Nullable(T.String(), { description: 'reason given when it was accepted' }),
    message: Nullable(T.String()),
    at: Nullable(Timestamp),
  }),
)
/** Type of {@link GatewayPayoutLine}. */
export type GatewayPayoutLine = Static<typeof GatewayPayoutLine>

/** State of pulling the payouts of one connection, in the API format. */
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
/** Type of {@link PayoutReading}. */
export type PayoutReading = Static<typeof PayoutReading>

/** Payment that no payout includes although it is old enough, in the API format. */
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
/** Type of {@link UnpaidOut}. */
export type UnpaidOut = Static<typeof UnpaidOut>

/** Request body that accepts a line: the reason. */
export const LineAcceptance = named('PayoutLineAcceptance', exact({ reason: Text(500, 1) }))

/** Filters of the list of payouts. */
export const payoutList = defineList({
  sorts: null,
  filters: { status: oneOf(payoutStatuses), waiting: t.Boolean({ description: 'has lines that wait for review' }) },
})
/** Query of a page of payouts. */
export type PayoutsQuery = ListQuery<typeof payoutList.filters>

/** Query parameters of the list of a payout's lines. */
export const payoutLineQuery = { ...pageQuery, waiting: T.Optional(t.Boolean({ description: 'whether the line waits for review' })) }

/** Default age in days after which a payment without a payout counts as missing. Gateways pay within days. */
export const MISSING_DAYS = 14
/** Query parameters of the list of missing payments. */
export const missingPaymentsQuery = {
  ...pageQuery,
  days: T.Optional(t.Integer({ minimum: 0, maximum: 365, default: MISSING_DAYS, description: 'minimum days since the payment' })),
}
