import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Nullable, namedSchema, StorableText } from '../schema.ts'
import { DeliveryTypeSchema, Label, Money, Warning } from './model.ts'
import { Parcel } from './parcel.model.ts'
import { Center, City, State } from './places.model.ts'

/** Tracking number. No carrier prints control characters on a label. */
export const TrackingNumber = T.String({ minLength: 1, maxLength: 120, pattern: '^[^\\u0000-\\u001f]+$' })
/** Path parameters with a tracking number. */
export const Tracking = namedSchema('Tracking', T.Object({ tracking: TrackingNumber }))
/** Distinct tracking numbers of a batch. */
export const Trackings = T.Array(TrackingNumber, { minItems: 1, maxItems: 100, uniqueItems: true })
/** Schema of a query. */
export const Query = T.Object

/** Optional text in a request. */
export const Text = (maxLength: number) => T.Optional(StorableText(maxLength))
/** Id in a request. */
export const Id = StorableText(64, 1)

/** Options for sending an order; everything else comes from the order. */
export const SendOptions = namedSchema(
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
          'sends an unconfirmed order although the store only sends confirmed ones (setting sendOnlyConfirmed), or an order to an unknown place; recorded in the audit log',
      }),
    ),
  }),
)

const PartItem = exact({
  item: T.Integer({ minimum: 0, maximum: 10_000, description: "index of the line in the order's items, from 0" }),
  quantity: T.Integer({ minimum: 1, maximum: 1e9 }),
})

/** Options for sending a part of an order as a parcel of its own. */
export const SendPart = namedSchema(
  'SendPart',
  exact({
    ...SendOptions.properties,
    items: T.Optional(
      T.Array(PartItem, { minItems: 1, maxItems: 200, description: 'contents of this parcel; everything not yet sent by default' }),
    ),
    part: T.Optional(
      T.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\u0000-\\u001f]+$',
        description:
          'your name of the part: a repeated request with the same name, or without a name with the same items, is the same parcel',
      }),
    ),
    codAmount: T.Optional(
      T.Number({
        ...Money,
        description:
          'amount to collect. By default the price of its items less their share of the discount; the first parcel adds the delivery, and the last one collects the rest',
      }),
    ),
  }),
)

function Side() {
  return T.Number({ exclusiveMinimum: 0, maximum: 1000 })
}

/** Request to send one order or a part of it. */
export const SendOrder = namedSchema('SendOrder', exact({ orderId: Id, ...SendPart.properties }))
const SendWhole = exact({ orderId: Id, ...SendOptions.properties })
/** Request to send several orders. */
export const SendOrders = namedSchema('SendOrders', exact({ orders: T.Array(SendWhole, { minItems: 1, maxItems: 500 }) }))

/** Options for printing labels. */
export const LabelOptions = {
  paper: T.Optional(T.Union([T.Literal('a6'), T.Literal('a4')], { default: 'a6', description: 'size of the sheet' })),
  own: T.Optional(
    T.Boolean({
      default: false,
      description: "true for our labels even if the carrier has its own; by default the carrier's are preferred",
    }),
  ),
}

/** One of several labels in a response. */
export const PrintedLabel = namedSchema(
  'PrintedLabel',
  exact({
    ...Label.properties,
    notMerged: T.Optional(
      T.String({ description: 'reason why it is not in the merged document; its URL at the carrier is given instead' }),
    ),
  }),
)
/** Type of {@link PrintedLabel}. */
export type PrintedLabel = Static<typeof PrintedLabel>

const Place = { stateCode: T.String(), cityName: T.String() }
/** Change of a parcel's destination from the requested place to another one. */
export const Rewritten = namedSchema(
  'Rewritten',
  T.Object({
    from: T.Object(Place),
    to: T.Object({ ...Place, pickupId: T.Union([T.String(), T.Null()]) }),
    distanceKm: T.Number({ description: 'straight-line distance; 0 if a place is unknown' }),
  }),
)
/** Type of {@link Rewritten}. */
export type Rewritten = Static<typeof Rewritten>

/** Remarks about a sent parcel. */
export const told = { warnings: T.Optional(T.Array(Warning)), destinationRewritten: T.Optional(Rewritten) }
/** Outcome of sending one order. */
export const SendResult = namedSchema('SendResult', T.Object({ parcel: Parcel, ...told }))

/** Outcome of cancelling a parcel. */
export const Removed = namedSchema(
  'CarrierRemoved',
  T.Object({ trackingId: T.String(), deleted: T.Boolean(), message: T.Optional(T.String()) }),
)
/** Counts and amounts of a store's parcels with a carrier. */
export const Counts = namedSchema(
  'CarrierCounts',
  T.Object({
    total: T.Integer(),
    byStatus: T.Record(T.String(), T.Integer()),
    delivered: T.Integer(),
    returned: T.Integer(),
    deliveryRate: T.Union([T.Number(), T.Null()]),
    cash: T.Optional(
      T.Object(
        {
          currency: T.String(),
          collected: T.Number({ description: 'on delivered parcels, whether paid out or not' }),
          owed: T.Number({ description: 'by the carrier' }),
          fees: T.Number({ description: 'kept by the carrier' }),
          received: T.Number(),
        },
        { description: 'left out for a member without the permission `cash:read`' },
      ),
    ),
  }),
)

/** State of reading parcels from a carrier. */
export const SyncState = namedSchema(
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
/** An address in our geography and in the carrier's. */
export const Resolved = namedSchema(
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
        { description: "place in the carrier's geography" },
      ),
    ),
    deliverable: T.Object({ home: T.Union([T.Boolean(), T.Null()]), pickup: T.Union([T.Boolean(), T.Null()]) }),
    centers: T.Array(Center),
  }),
)
/** One of our communes with its name and id at the carrier. */
const PlaceMatch = namedSchema(
  'CarrierPlaceMatch',
  T.Object({ cityCode: T.String(), stateCode: T.String(), id: T.String(), name: T.String() }),
)
/** A place that only the carrier or only our catalogue has. */
const Leftover = namedSchema(
  'CarrierLeftover',
  T.Object({
    of: T.Union([T.Literal('carrier'), T.Literal('catalogue')]),
    id: T.Optional(T.String()),
    cityCode: T.Optional(T.String()),
    stateCode: T.Optional(T.String()),
    name: T.String(),
  }),
)
/** A row of the carrier's geography. */
export const AnyPlace = T.Union([State, City, Center, PlaceMatch, Leftover])
