import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Nullable, named, oneOf, Written } from '../schema.ts'
import { CashStatusSchema, Center, City, DeliveryTypeSchema, Label, Money, State, Warning } from './model.ts'
import { Parcel } from './parcel.model.ts'

/** No carrier prints control characters on a label. */
export const TrackingNumber = T.String({ minLength: 1, maxLength: 120, pattern: '^[^\\u0000-\\u001f]+$' })
export const Tracking = named('Tracking', T.Object({ tracking: TrackingNumber }))
export const Trackings = T.Array(TrackingNumber, { minItems: 1, maxItems: 100, uniqueItems: true })
export const Query = T.Object

export const Text = (maxLength: number) => T.Optional(Written(maxLength))
export const Id = Written(64, 1)

/** What may be said when an order is sent; everything else comes from the order. */
export const SendOptions = named(
  'SendOptions',
  exact({
    deliveryType: T.Optional(DeliveryTypeSchema),
    pickupId: Text(64),
    weightKg: T.Optional(T.Number({ exclusiveMinimum: 0, maximum: 10_000 })),
    dimensions: T.Optional(exact({ lengthCm: Side(), widthCm: Side(), heightCm: Side() })),
    notes: Text(1000),
    force: T.Optional(
      T.Boolean({
        description:
          'sends an order that nobody confirmed, although the store sends only confirmed ones (setting sendOnlyConfirmed), or one to a place that nobody knows; kept in the audit',
      }),
    ),
  }),
)

const PartItem = exact({
  item: T.Integer({ minimum: 0, maximum: 10_000, description: "the line's place in the order's items, from 0" }),
  quantity: T.Integer({ minimum: 1, maximum: 1e9 }),
})

/** The same of an order that travels in several parcels. */
export const SendPart = named(
  'SendPart',
  exact({
    ...SendOptions.properties,
    items: T.Optional(
      T.Array(PartItem, { minItems: 1, maxItems: 200, description: 'what travels in this parcel: all that is left to send, unless said' }),
    ),
    part: T.Optional(
      T.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\u0000-\\u001f]+$',
        description:
          'your name for it: what is asked for again under the same name, or without one with the same items, is the same parcel',
      }),
    ),
    codAmount: T.Optional(
      T.Number({
        ...Money,
        description:
          'what this parcel collects: unless said, the price of its items less their share of the discount, the first one with the delivery; the one that carries the last of the order collects all that is left',
      }),
    ),
  }),
)

function Side() {
  return T.Number({ exclusiveMinimum: 0, maximum: 1000 })
}

export const SendOrder = named('SendOrder', exact({ orderId: Id, ...SendPart.properties }))
const SendWhole = exact({ orderId: Id, ...SendOptions.properties })
export const SendOrders = named('SendOrders', exact({ orders: T.Array(SendWhole, { minItems: 1, maxItems: 500 }) }))

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
export const PrintedLabel = named(
  'PrintedLabel',
  exact({
    ...Label.properties,
    notMerged: T.Optional(T.String({ description: 'why it stands beside the document, as the address that the carrier gave' })),
  }),
)
export type PrintedLabel = Static<typeof PrintedLabel>

const Place = { stateCode: T.String(), cityName: T.String() }
/** Where a parcel goes instead of where it was to go. */
export const Rewritten = named(
  'Rewritten',
  T.Object({
    from: T.Object(Place),
    to: T.Object({ ...Place, pickupId: T.Union([T.String(), T.Null()]) }),
    distanceKm: T.Number({ description: 'as the crow flies; 0 where a place is unknown' }),
  }),
)
export type Rewritten = Static<typeof Rewritten>

/** What its sending had to say. */
export const told = { warnings: T.Optional(T.Array(Warning)), destinationRewritten: T.Optional(Rewritten) }
export const SendResult = named('SendResult', T.Object({ parcel: Parcel, ...told }))

export const Removed = named('CarrierRemoved', T.Object({ trackingId: T.String(), deleted: T.Boolean(), message: T.Optional(T.String()) }))
export const Counts = named(
  'CarrierCounts',
  T.Object({
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
  }),
)
const Sum = (description: string) => T.Number({ description })

export const Finance = named(
  'CarrierFinance',
  T.Object({
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
  }),
)
export type Finance = Static<typeof Finance>

const cashLine = {
  trackingId: T.String(),
  reference: T.Optional(T.String()),
  amount: T.Number({ description: 'collected for us' }),
  fee: T.Optional(T.Number({ description: 'kept of it, where that is known' })),
  status: CashStatusSchema,
}

/** A delivered parcel that no confirmed payout has paid. */
export const OwedLine = named(
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
export type OwedLine = Static<typeof OwedLine>

const payoutStates = ['draft', 'confirmed', 'reversed'] as const

export const Payout = named(
  'Payout',
  T.Object({
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
  }),
)
export type Payout = Static<typeof Payout>

export const lineOutcomes = ['matched', 'short', 'excess', 'unknown', 'paid_already', 'not_delivered', 'deducted', 'charged'] as const
export type LineOutcome = (typeof lineOutcomes)[number]

export const PayoutLine = named(
  'PayoutLine',
  T.Object({
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
  }),
)
export type PayoutLine = Static<typeof PayoutLine>

export const PayoutDetail = named(
  'PayoutDetail',
  T.Object({
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
  }),
)
export type PayoutDetail = Static<typeof PayoutDetail>

export const SyncState = named(
  'CarrierSyncState',
  T.Object({
    status: T.Union([T.Literal('never'), T.Literal('queued'), T.Literal('running'), T.Literal('done'), T.Literal('failed')]),
    startedAt: T.Union([T.String(), T.Null()]),
    finishedAt: T.Union([T.String(), T.Null()]),
    parcels: T.Integer(),
    changed: T.Integer(),
    message: T.Union([T.String(), T.Null()]),
  }),
)
export const Resolved = named(
  'CarrierResolved',
  T.Object({
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
  }),
)
/** One of our communes as the carrier lists it. */
const PlaceMatch = named('CarrierPlaceMatch', T.Object({ cityCode: T.String(), stateCode: T.String(), id: T.String(), name: T.String() }))
/** A place of only one side. */
const Leftover = named(
  'CarrierLeftover',
  T.Object({
    of: T.Union([T.Literal('carrier'), T.Literal('catalogue')]),
    id: T.Optional(T.String()),
    cityCode: T.Optional(T.String()),
    stateCode: T.Optional(T.String()),
    name: T.String(),
  }),
)
export const AnyPlace = T.Union([State, City, Center, PlaceMatch, Leftover])
