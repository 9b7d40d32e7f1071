import { Type as T, type TSchema } from '@sinclair/typebox'
import { Center, City, DeliveryTypeSchema, State, Warning } from './model.ts'

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
})
export const Finance = T.Object({
  currency: T.String(),
  collected: T.Number(),
  payoutReady: T.Number(),
  paidOut: T.Number(),
  due: T.Number({ description: 'collected for us and not paid out yet' }),
  parcels: T.Integer(),
})
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
  cityName: T.Union([T.String(), T.Null()]),
  method: T.String(),
  confidence: T.Number(),
  deliverable: T.Object({ home: T.Union([T.Boolean(), T.Null()]), pickup: T.Union([T.Boolean(), T.Null()]) }),
  centers: T.Array(Center),
})
export const Geography = T.Array(T.Union([State, City, Center]))
