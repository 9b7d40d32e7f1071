import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, namedSchema, oneOf } from '../schema.ts'
import { CashStatusSchema, Instant, Money } from './model.ts'

/** Net amount; negative if more is deducted than was collected, as for a returned parcel. */
const Net = T.Number({ minimum: -1e12, maximum: 1e12 })

/**
 * A parcel with collected cash: `amount` is the full amount (gross), `fee` the deduction from it, `net` what is paid out. Values that the
 * carrier does not report are absent and never calculated here; `amount` or `net` is present. With all three, `amount - net` is the fee.
 */
export const CashLine = namedSchema(
  'CashLine',
  exact({
    trackingId: T.String(),
    reference: Maybe(T.String()),
    amount: Maybe(Money),
    fee: Maybe(Money),
    net: Maybe(Net),
    status: CashStatusSchema,
  }),
)
/** Type of {@link CashLine}. */
export type CashLine = Static<typeof CashLine>

/** A payout with its totals: `amount` is what was collected (gross), `net` what is paid out. At least one of them is present. */
export const CashBatch = namedSchema(
  'CashBatch',
  exact({
    id: T.String(),
    status: CashStatusSchema,
    amount: Maybe(Money),
    net: Maybe(Net),
    parcels: T.Integer({ minimum: 0 }),
    at: Maybe(Instant),
  }),
)
/** Type of {@link CashBatch}. */
export type CashBatch = Static<typeof CashBatch>

/** A payout with its lines. */
export const CashBatchDetail = namedSchema('CashBatchDetail', exact({ ...CashBatch.properties, lines: T.Array(CashLine) }))
/** Type of {@link CashBatchDetail}. */
export type CashBatchDetail = Static<typeof CashBatchDetail>

const Sum = (description: string) => T.Number({ description })

/** Cash of a connection: collected, held and paid amounts. */
export const Finance = namedSchema(
  'CarrierFinance',
  T.Object({
    currency: T.String(),
    collected: T.Number(),
    payoutReady: T.Number(),
    paidOut: T.Number(),
    due: T.Number({ description: 'collected for us and, according to the carrier, not paid out yet' }),
    parcels: T.Integer(),
    owed: Sum('amount that the carrier owes until its arrival is confirmed; negative if it paid for returned parcels'),
    aged: Sum('the part of owed that is older than agedDays'),
    sales: Sum('total collected for us'),
    fees: Sum('kept by the carrier'),
    received: Sum('received in confirmed payouts'),
    differences: Sum('amount missing in confirmed payouts; negative: paid too much'),
    months: T.Array(
      T.Object({
        month: T.String({ description: 'YYYY-MM, UTC' }),
        sales: T.Number(),
        fees: T.Number(),
        received: T.Number(),
        differences: T.Number(),
      }),
      { description: 'the last twelve months with entries, newest first' },
    ),
  }),
)
/** Type of {@link Finance}. */
export type Finance = Static<typeof Finance>

const cashLine = {
  trackingId: T.String(),
  reference: T.Optional(T.String()),
  amount: T.Number({ description: 'collected for us' }),
  fee: T.Optional(T.Number({ description: 'deducted from it, if known' })),
  status: CashStatusSchema,
}

/** A delivered parcel that is in no confirmed payout. */
export const OwedLine = namedSchema(
  'OwedLine',
  T.Object({
    ...cashLine,
    parcelId: T.String(),
    net: T.Number(),
    deliveredAt: T.String(),
    ageDays: T.Integer(),
    aged: T.Boolean(),
  }),
)
/** Type of {@link OwedLine}. */
export type OwedLine = Static<typeof OwedLine>

/** States of a payout here, whatever the carrier says of it. */
export const payoutStates = ['draft', 'confirmed', 'reversed'] as const

/** A payout of a carrier: reported by it, imported from a file, or an opening balance. */
export const Payout = namedSchema(
  'Payout',
  T.Object({
    id: T.String(),
    status: CashStatusSchema,
    amount: T.Number({ description: 'as stated by the payout' }),
    parcels: T.Integer(),
    at: T.Optional(T.String()),
    source: oneOf(['carrier', 'file', 'opening']),
    state: oneOf(payoutStates),
    fileName: Nullable(T.String()),
    confirmedAt: Nullable(T.String()),
    reversedAt: Nullable(T.String()),
  }),
)
/** Type of {@link Payout}. */
export type Payout = Static<typeof Payout>

/** Outcomes of comparing a payout's line with the amount owed. */
export const lineOutcomes = ['matched', 'short', 'excess', 'unknown', 'paid_already', 'not_delivered', 'deducted', 'charged'] as const
/** One of {@link lineOutcomes}. */
export type LineOutcome = (typeof lineOutcomes)[number]

/** A line of a payout, compared with the amount owed. */
export const PayoutLine = namedSchema(
  'PayoutLine',
  T.Object({
    ...cashLine,
    line: T.Integer(),
    parcelId: Nullable(T.String()),
    outcome: oneOf(lineOutcomes, {
      description: 'how it compares with what the carrier owes',
    }),
    net: Sum('amount paid out'),
    expected: Sum('amount owed for it before the fee; negative: an earlier payment that is taken back'),
    difference: Sum('missing amount; negative: paid too much'),
  }),
)
/** Type of {@link PayoutLine}. */
export type PayoutLine = Static<typeof PayoutLine>

/** A payout with its lines, the missing parcels and totals. */
export const PayoutDetail = namedSchema(
  'PayoutDetail',
  T.Object({
    ...Payout.properties,
    lines: T.Array(PayoutLine, { description: 'all lines, or as many as limit allows; the next page begins after the last one' }),
    missing: T.Array(OwedLine, { description: 'parcels delivered before the payout that are in no payout: the oldest thousand' }),
    totals: T.Object({
      expected: T.Number(),
      amount: T.Number(),
      fees: T.Number(),
      received: T.Number(),
      difference: T.Number(),
      unposted: Sum('the part of the received amount that was paid earlier, and is not posted'),
      missing: Sum('sum of the missing parcels, before fees'),
      missingParcels: T.Integer(),
      aged: Sum('the part of missing that is older than agedDays'),
      agedParcels: T.Integer(),
      lines: T.Unsafe<Record<LineOutcome, number>>(T.Object(Object.fromEntries(lineOutcomes.map((outcome) => [outcome, T.Integer()])))),
    }),
  }),
)
/** Type of {@link PayoutDetail}. */
export type PayoutDetail = Static<typeof PayoutDetail>
