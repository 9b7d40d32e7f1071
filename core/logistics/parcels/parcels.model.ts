import { type Static, Type as T } from '@sinclair/typebox'
import { cashStatuses, deliveryTypes, parcelStatuses } from '../../../plugins/carrier/model.ts'
import { told } from '../../../plugins/carrier/segments.model.ts'
import { freeForm } from '../../http/free-form.ts'
import { type Asked, listing } from '../../http/list.ts'
import { exact, Id, Maybe, Metadata, Money, Nullable, named, oneOf, Phone, Text, Timestamp } from '../../http/schema.ts'

const Weight = T.Number({ minimum: 0, maximum: 10_000, description: 'kilograms' })
const Dimensions = freeForm({ names: 20, nameLength: 40, bytes: 1024 }, { description: 'lengthCm, widthCm, heightCm are understood' })
const DeliveryType = oneOf(deliveryTypes)

export const Recipient = named('Recipient', exact({ name: Text(200, 1), phone: Phone, phoneAlt: Maybe(Nullable(Text(100))) }))
const NewDestination = named(
  'NewParcelDestination',
  exact({
    country: T.String({ pattern: '^[A-Za-z]{2}$' }),
    stateCode: Text(120, 1),
    cityName: Text(120, 1),
    address: Maybe(T.String({ maxLength: 500, description: 'a pickup needs none' })),
    deliveryType: Maybe(oneOf(deliveryTypes, { description: 'home unless said' })),
    pickupId: Maybe(Nullable(Text(64))),
  }),
)

const Reference = T.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\u0000-\\u001f]+$',
  description: 'yours, unique in the project; made here if left out',
})

const writable = {
  // Without a default of the schema's: what is left out of a change stays as it is.
  codAmount: Maybe(T.Number({ ...Money, description: 'what the carrier collects; nothing where it is left out of a new one' })),
  declaredValue: Maybe(Money),
  weightKg: Maybe(Weight),
  dimensions: Maybe(Nullable(Dimensions)),
  contents: Maybe(Text(1000)),
  notes: Maybe(Text(1000)),
  metadata: Maybe(Metadata),
}

export const NewParcel = named(
  'NewParcel',
  exact({
    reference: Maybe(Reference),
    recipient: Recipient,
    destination: NewDestination,
    ...writable,
    carrierAccountId: Maybe(Nullable(Id)),
    submit: Maybe(T.Boolean({ description: 'hand it to the carrier of carrierAccountId at once' })),
  }),
)
export type NewParcel = Static<typeof NewParcel>

export const ParcelChange = named(
  'ParcelChange',
  exact(
    {
      recipient: Maybe(exact(T.Partial(Recipient).properties)),
      destination: Maybe(exact(T.Partial(NewDestination).properties)),
      ...writable,
      reference: Maybe(Reference),
      carrierAccountId: Maybe(Nullable(Id)),
    },
    { minProperties: 1 },
  ),
)
export type ParcelChange = Static<typeof ParcelChange>

export const ParcelDestination = named(
  'ParcelDestination',
  T.Object({
    country: T.String(),
    stateCode: T.String(),
    stateName: Nullable(T.String()),
    currentStateCode: T.Optional(T.String({ description: 'the state since borders were drawn anew, where carriers use another' })),
    cityCode: Nullable(T.String()),
    cityName: T.String(),
    address: T.String(),
    deliveryType: DeliveryType,
    pickupId: Nullable(T.String()),
    resolved: T.Object({ method: T.String(), confidence: T.Number() }),
  }),
)
export type ParcelDestination = Static<typeof ParcelDestination>

export const Parcel = named(
  'Parcel',
  T.Object({
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
  }),
)
export type Parcel = Static<typeof Parcel>

export const ParcelAnswer = named('ParcelAnswer', T.Object({ data: Parcel, ...told }))
export type ParcelAnswer = Static<typeof ParcelAnswer>

export const ParcelEvent = named(
  'ParcelEvent',
  T.Object({
    id: Id,
    type: oneOf(['created', 'submitted', 'submission_failed', 'status_changed']),
    source: T.String({ description: 'api, poller, system or webhook:{carrier}' }),
    at: Timestamp,
    fromStatus: Maybe(oneOf(parcelStatuses)),
    toStatus: Maybe(oneOf(parcelStatuses)),
    payload: T.Record(T.String(), T.Unknown()),
  }),
)
export type ParcelEvent = Static<typeof ParcelEvent>

export const parcelList = listing({
  mayBeOld: true,
  sorts: { updatedAt: 'updated_at' },
  filters: {
    status: oneOf(parcelStatuses),
    reference: Text(64),
    trackingId: Text(120),
    carrierAccountId: Text(64),
    batchId: Text(64),
    phone: T.String({ maxLength: 40, description: "the recipient's, as the parcel has it" }),
  },
  search: "the reference, the tracking number, or the recipient's phone",
})
export type AskedParcels = Asked<typeof parcelList.filters>

export const NewBatch = named(
  'NewParcelBatch',
  exact({
    carrierAccountId: Maybe(Nullable(Id)),
    submit: Maybe(T.Boolean()),
    parcels: T.Array(NewParcel, { minItems: 1, maxItems: 1000 }),
  }),
)
export type NewBatch = Static<typeof NewBatch>

export const BatchResult = named(
  'ParcelBatchResult',
  T.Object({
    row: T.Integer(),
    reference: Nullable(T.String()),
    parcelId: Nullable(T.String()),
    status: oneOf(['waiting', 'created', 'submitting', 'submitted', 'failed', 'unknown', 'cancelled']),
    error: Nullable(T.Object({ code: T.String(), message: T.String() })),
    ...told,
  }),
)
export type BatchResult = Static<typeof BatchResult>
export const Batch = named(
  'ParcelBatch',
  T.Object({
    id: Id,
    status: oneOf(['processing', 'completed']),
    total: T.Integer(),
    succeeded: T.Integer(),
    failed: T.Integer(),
    unknown: T.Integer({ description: 'rows of which nobody knows whether the carrier took them' }),
    results: T.Array(BatchResult),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
  }),
)

export const OutcomeDecision = named(
  'OutcomeDecision',
  exact({
    taken: T.Boolean({ description: 'whether the carrier has it' }),
    trackingId: Maybe(T.String({ minLength: 1, maxLength: 120, description: 'required where it was taken' })),
  }),
)
