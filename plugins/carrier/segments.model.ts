import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import { CashStatusSchema, Center, City, DeliveryTypeSchema, Label, State, Warning } from './model.ts'

/** A body that refuses what it does not know. */
export const exact = <P extends Record<string, TSchema>>(properties: P) => T.Object(properties, { additionalProperties: false })
/** No carrier prints control characters on a label. */
export const TrackingNumber = T.String({ minLength: 1, maxLength: 120, pattern: '^[^\\u0000-\\u001f]+$' })
export const Tracking = T.Object({ tracking: TrackingNumber })
export const Trackings = T.Array(TrackingNumber, { minItems: 1, maxItems: 100, uniqueItems: true })
export const Query = T.Object
/** An adapter may keep what it is given, and a NUL character cannot be kept. */
export const Written = (maxLength: number, minLength = 0) => T.String({ minLength, maxLength, pattern: '^[^\\u0000]*$' })
export const Text = (maxLength: number) => T.Optional(Written(maxLength))
export const Id = Written(64, 1)

/** What may be said when an order is sent; everything else comes from the order. */
export const SendOptions = exact({
  deliveryType: T.Optional(DeliveryTypeSchema),
  pickupId: Text(64),
  weightKg: T.Optional(T.Number({ exclusiveMinimum: 0, maximum: 10_000 })),
  dimensions: T.Optional(exact({ lengthCm: Side(), widthCm: Side(), heightCm: Side() })),
  notes: Text(1000),
})
function Side() {
  return T.Number({ exclusiveMinimum: 0, maximum: 1000 })
}

export const SendOrder = exact({ orderId: Id, ...SendOptions.properties })
export const SendOrders = exact({ orders: T.Array(SendOrder, { minItems: 1, maxItems: 500 }) })

/** How labels are printed. */
export const LabelOptions = {
  paper: T.Optional(
    T.Union([T.Literal('a6'), T.Literal('a4')], { default: 'a6', description: 'a4: four to a sheet, where they are the size of a label' }),
  ),
  own: T.Optional(
    T.Boolean({ default: false, description: "ours, although the carrier has labels; without this, the carrier's where it has them" }),
  ),
}

/** One of several labels, as it is answered. */
export const PrintedLabel = exact({
  ...Label.properties,
  notMerged: T.Optional(T.String({ description: 'why it stands beside the document, as the address that the carrier gave' })),
})
export type PrintedLabel = Static<typeof PrintedLabel>

/** A parcel, as its own feature describes it; the kind only passes it on. */
const ParcelAnswer = T.Record(T.String(), T.Unknown(), { description: 'a parcel, as GET /v1/parcels/{id} answers it' })
export const SendResult = T.Object({ parcel: ParcelAnswer, warnings: T.Optional(T.Array(Warning)) })
export const SendRowResult = T.Object({
  orderId: T.String(),
  parcel: T.Optional(ParcelAnswer),
  error: T.Optional(T.Object({ code: T.String(), message: T.String() })),
})
export const Removed = T.Object({ trackingId: T.String(), deleted: T.Boolean(), message: T.Optional(T.String()) })
export const Counts = T.Object({
  total: T.Integer(),
  byStatus: T.Record(T.String(), T.Integer()),
  delivered: T.Integer(),
  returned: T.Integer(),
  deliveryRate: T.Union([T.Number(), T.Null()]),
  cash: T.Object({
    currency: T.String(),
    collected: T.Number({ description: 'on delivered parcels, whoever holds it now' }),
    owed: T.Number({ description: 'by the carrier' }),
    fees: T.Number({ description: 'kept by the carrier' }),
    received: T.Number(),
  }),
})
const Sum = (description: string) => T.Number({ description })
const oneOf = <const V extends readonly string[]>(values: V, options = {}) =>
  T.Unsafe<V[number]>(
    T.Union(
      values.map((value) => T.Literal(value)),
      options,
    ),
  )
const Nullable = <S extends TSchema>(schema: S) => T.Union([schema, T.Null()])

export const Finance = T.Object({
  currency: T.String(),
  collected: T.Number(),
  payoutReady: T.Number(),
  paidOut: T.Number(),
  due: T.Number({ description: 'collected for us and, as the carrier says, not paid out yet' }),
  parcels: T.Integer(),
  owed: Sum('what the carrier owes until it is confirmed to have arrived; below zero where it paid for what came back'),
  aged: Sum('the part of it that is older than agedDays'),
  sales: Sum('collected for us in all'),
  fees: Sum('kept by the carrier'),
  received: Sum('arrived, in confirmed payouts'),
  differences: Sum('short in them; below zero: too much'),
  months: T.Array(
    T.Object({
      month: T.String({ description: 'YYYY-MM, UTC' }),
      sales: T.Number(),
      fees: T.Number(),
      received: T.Number(),
      differences: T.Number(),
    }),
    { description: 'the last twelve with any entry, newest first' },
  ),
})
export type Finance = Static<typeof Finance>

const cashLine = {
  trackingId: T.String(),
  reference: T.Optional(T.String()),
  amount: T.Number({ description: 'collected for us' }),
  fee: T.Optional(T.Number({ description: 'kept of it, where that is known' })),
  status: CashStatusSchema,
}

/** A delivered parcel that no confirmed payout has paid. */
export const OwedLine = T.Object({
  ...cashLine,
  parcelId: T.String(),
  net: T.Number(),
  deliveredAt: T.String(),
  ageDays: T.Integer(),
  aged: T.Boolean(),
})
export type OwedLine = Static<typeof OwedLine>

const payoutStates = ['draft', 'confirmed', 'reversed'] as const

export const Payout = T.Object({
  id: T.String(),
  status: CashStatusSchema,
  amount: T.Number({ description: 'as the payout says' }),
  parcels: T.Integer(),
  at: T.Optional(T.String()),
  source: oneOf(['carrier', 'file', 'opening']),
  state: oneOf(payoutStates),
  fileName: Nullable(T.String()),
  confirmedAt: Nullable(T.String()),
  reversedAt: Nullable(T.String()),
})
export type Payout = Static<typeof Payout>

export const lineOutcomes = ['matched', 'short', 'excess', 'unknown', 'paid_already', 'not_delivered', 'deducted', 'charged'] as const
export type LineOutcome = (typeof lineOutcomes)[number]

export const PayoutLine = T.Object({
  ...cashLine,
  line: T.Integer(),
  parcelId: Nullable(T.String()),
  outcome: oneOf(lineOutcomes, {
    description:
      'matched, short or excess: it pays what is owed, less or more · not_delivered: paid in advance · paid_already: posted before, and not again · deducted: it takes back what was paid · charged: fees alone · unknown: no parcel of this connection',
  }),
  net: Sum('what arrives'),
  expected: Sum('what the carrier owed for it, before its fee; below zero: what it paid, and takes back'),
  difference: Sum('short; below zero: too much'),
})
export type PayoutLine = Static<typeof PayoutLine>

export const PayoutDetail = T.Object({
  ...Payout.properties,
  lines: T.Array(PayoutLine, { description: 'all of them, unless limit asks for fewer; the rest follows after the last one shown' }),
  missing: T.Array(OwedLine, { description: 'delivered before the payout and in none: the oldest thousand' }),
  totals: T.Object({
    expected: T.Number(),
    amount: T.Number(),
    fees: T.Number(),
    received: T.Number(),
    difference: T.Number(),
    unposted: Sum('the part of what was received that was paid before, and is posted nowhere'),
    missing: Sum('what the missing parcels come to, before fees'),
    missingParcels: T.Integer(),
    aged: Sum('the part of what is missing that is older than agedDays'),
    agedParcels: T.Integer(),
    lines: T.Unsafe<Record<LineOutcome, number>>(T.Object(Object.fromEntries(lineOutcomes.map((outcome) => [outcome, T.Integer()])))),
  }),
})
export type PayoutDetail = Static<typeof PayoutDetail>

export const SyncState = T.Object({
  status: T.Union([T.Literal('never'), T.Literal('queued'), T.Literal('running'), T.Literal('done'), T.Literal('failed')]),
  startedAt: T.Union([T.String(), T.Null()]),
  finishedAt: T.Union([T.String(), T.Null()]),
  parcels: T.Integer(),
  changed: T.Integer(),
  message: T.Union([T.String(), T.Null()]),
})
export const Resolved = T.Object({
  stateCode: T.Union([T.String(), T.Null()]),
  stateName: T.Union([T.String(), T.Null()]),
  cityCode: T.Union([T.String(), T.Null()]),
  cityName: T.Union([T.String(), T.Null()]),
  method: T.String(),
  confidence: T.Number(),
  place: Nullable(
    T.Object(
      { stateId: T.String(), stateName: T.String(), cityId: Nullable(T.String()), cityName: Nullable(T.String()) },
      { description: "in the carrier's words" },
    ),
  ),
  deliverable: T.Object({ home: T.Union([T.Boolean(), T.Null()]), pickup: T.Union([T.Boolean(), T.Null()]) }),
  centers: T.Array(Center),
})
/** One of our communes as the carrier lists it. */
const PlaceMatch = T.Object({ cityCode: T.String(), stateCode: T.String(), id: T.String(), name: T.String() })
/** A place of only one side. */
const Leftover = T.Object({
  of: T.Union([T.Literal('carrier'), T.Literal('catalogue')]),
  id: T.Optional(T.String()),
  cityCode: T.Optional(T.String()),
  stateCode: T.Optional(T.String()),
  name: T.String(),
})
export const Geography = T.Array(T.Union([State, City, Center, PlaceMatch, Leftover]))
