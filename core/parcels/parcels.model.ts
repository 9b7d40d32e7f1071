import { type Static, Type as T } from '@sinclair/typebox'
import { cashStatuses, deliveryTypes, parcelStatuses } from '../../plugins/carrier/model.ts'
import { exact, Id, MapOf, Maybe, Metadata, Money, Nullable, oneOf, pageQuery, Text, Timestamp } from '../http/schema.ts'

const Weight = T.Number({ minimum: 0, maximum: 10_000, description: 'kilograms' })
const Dimensions = MapOf(40, T.Unknown(), { maxProperties: 20, description: 'lengthCm, widthCm, heightCm are understood' })
const DeliveryType = oneOf(deliveryTypes)

export const Recipient = exact({ name: Text(200, 1), phone: Text(40, 3), phoneAlt: Maybe(Nullable(Text(40))) })
const NewDestination = exact({
  country: T.String({ pattern: '^[A-Za-z]{2}$' }),
  stateCode: Text(120, 1),
  cityName: Text(120, 1),
  address: Text(500),
  deliveryType: DeliveryType,
  pickupId: Maybe(Nullable(Text(64))),
})

const writable = {
  codAmount: Money,
  declaredValue: Maybe(Money),
  weightKg: Maybe(Weight),
  dimensions: Maybe(Dimensions),
  contents: Maybe(Text(1000)),
  notes: Maybe(Text(1000)),
  metadata: Maybe(Metadata),
}

export const NewParcel = exact({
  reference: Maybe(
    T.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[^\\u0000-\\u001f]+$',
      description: 'yours, unique in the project; made here if left out',
    }),
  ),
  recipient: Recipient,
  destination: NewDestination,
  ...writable,
  carrierAccountId: Maybe(Nullable(Id)),
  submit: Maybe(T.Boolean({ description: 'hand it to the carrier of carrierAccountId at once' })),
})
export type NewParcel = Static<typeof NewParcel>

export const ParcelChange = exact(
  {
    recipient: Maybe(exact(T.Partial(Recipient).properties)),
    destination: Maybe(exact(T.Partial(NewDestination).properties)),
    ...writable,
    codAmount: Maybe(Money),
    carrierAccountId: Maybe(Nullable(Id)),
  },
  { minProperties: 1 },
)
export type ParcelChange = Static<typeof ParcelChange>

export const ParcelDestination = T.Object({
  country: T.String(),
  stateCode: T.String(),
  stateName: Nullable(T.String()),
  cityCode: Nullable(T.String()),
  cityName: T.String(),
  address: T.String(),
  deliveryType: DeliveryType,
  pickupId: Nullable(T.String()),
  resolved: T.Object({ method: T.String(), confidence: T.Number() }),
})
export type ParcelDestination = Static<typeof ParcelDestination>

export const Parcel = T.Object({
  id: Id,
  tenantId: T.Integer(),
  reference: T.String(),
  status: oneOf(parcelStatuses),
  outcomeUnknown: T.Boolean({ description: 'nobody knows yet whether the carrier took it; never sent again blindly' }),
  carrierAccountId: Nullable(T.String()),
  courierId: Nullable(T.String({ description: 'slug of the carrier' })),
  trackingId: Nullable(T.String()),
  batchId: Nullable(T.String()),
  orderId: Nullable(T.String()),
  recipient: T.Object({ name: T.String(), phone: T.String(), phoneAlt: Nullable(T.String()) }),
  destination: ParcelDestination,
  codAmount: Money,
  declaredValue: Money,
  weightKg: Weight,
  dimensions: Nullable(Dimensions),
  contents: T.String(),
  notes: T.String(),
  deliveryAttempts: T.Integer(),
  readyForPickup: T.Boolean(),
  cashStatus: oneOf(cashStatuses),
  labelUrl: Nullable(T.String()),
  lastError: Nullable(T.Object({ code: T.String(), message: T.String() })),
  metadata: Metadata,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  submittedAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
  returnedAt: Nullable(Timestamp),
  cancelledAt: Nullable(Timestamp),
})
export type Parcel = Static<typeof Parcel>

export const Warning = T.Object({ code: T.String(), message: T.String() })
export type Warning = Static<typeof Warning>

const Place = { stateCode: T.String(), cityName: T.String() }
export const Rewritten = T.Object({
  from: T.Object(Place),
  to: T.Object({ ...Place, pickupId: Nullable(T.String()) }),
  distanceKm: Nullable(T.Number()),
})
export type Rewritten = Static<typeof Rewritten>

export const ParcelAnswer = T.Object({ data: Parcel, warnings: Maybe(T.Array(Warning)), destinationRewritten: Maybe(Rewritten) })
export type ParcelAnswer = Static<typeof ParcelAnswer>

export const ParcelEvent = T.Object({
  id: Id,
  type: oneOf(['created', 'submitted', 'status_changed']),
  source: T.String({ description: 'api, poller, system or webhook:{carrier}' }),
  at: Timestamp,
  fromStatus: Maybe(oneOf(parcelStatuses)),
  toStatus: Maybe(oneOf(parcelStatuses)),
  payload: T.Record(T.String(), T.Unknown()),
})
export type ParcelEvent = Static<typeof ParcelEvent>

export const ParcelQuery = T.Object({
  ...pageQuery,
  status: Maybe(oneOf(parcelStatuses)),
  reference: Maybe(Text(64)),
  trackingId: Maybe(Text(120)),
  carrierAccountId: Maybe(Text(64)),
  batchId: Maybe(Text(64)),
})
export type ParcelQuery = Static<typeof ParcelQuery>

export const NewBatch = exact({
  carrierAccountId: Maybe(Nullable(Id)),
  submit: Maybe(T.Boolean()),
  parcels: T.Array(NewParcel, { minItems: 1, maxItems: 1000 }),
})
export type NewBatch = Static<typeof NewBatch>

export const BatchResult = T.Object({
  row: T.Integer(),
  reference: Nullable(T.String()),
  parcelId: Nullable(T.String()),
  status: T.String(),
  error: Nullable(T.Object({ code: T.String(), message: T.String() })),
})
export type BatchResult = Static<typeof BatchResult>
export const Batch = T.Object({
  id: Id,
  status: oneOf(['processing', 'completed']),
  total: T.Integer(),
  succeeded: T.Integer(),
  failed: T.Integer(),
  results: T.Array(BatchResult),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
})

export const OutcomeDecision = exact({
  taken: T.Boolean({ description: 'whether the carrier has it' }),
  trackingId: Maybe(T.String({ minLength: 1, maxLength: 120, description: 'required where it was taken' })),
})
