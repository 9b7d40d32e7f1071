import { type Static, Type as T } from '@sinclair/typebox'
import { freeForm } from '../../core/http/body/free-form.ts'
import { Id, Metadata, Money, Timestamp } from '../../core/http/schema.ts'
import { Nullable, namedSchema, oneOf } from '../schema.ts'
import { cashStatuses, deliveryTypes, parcelStatuses } from './model.ts'

/** Fields of a destination in the API: the address as given, and the place that the catalogue resolved it to. */
export const destinationFields = {
  country: T.String(),
  stateCode: T.String({ description: 'code of the catalogue when the state is recognised, else the text as given' }),
  stateName: Nullable(T.String()),
  currentStateCode: T.Optional(T.String({ description: 'code of the state under the current borders, when carriers use an older one' })),
  cityCode: Nullable(T.String()),
  cityName: T.String(),
  address: T.String(),
  deliveryType: oneOf(deliveryTypes),
  pickupId: Nullable(T.String()),
  resolved: T.Object({ method: T.String(), confidence: T.Number() }),
}

/** Destination of a parcel in the API. */
export const ParcelDestination = namedSchema('ParcelDestination', T.Object(destinationFields))
/** Type of {@link ParcelDestination}. */
export type ParcelDestination = Static<typeof ParcelDestination>

/** A parcel in the API. */
export const Parcel = namedSchema(
  'Parcel',
  T.Object({
    id: Id,
    tenantId: T.Integer(),
    reference: T.String(),
    status: oneOf(parcelStatuses),
    outcomeUnknown: T.Boolean({ description: 'it is unknown whether the carrier has it; it is looked up before it is sent again' }),
    carrierAccountId: Nullable(T.String()),
    courierId: Nullable(T.String({ description: 'slug of the carrier' })),
    trackingId: Nullable(T.String()),
    batchId: Nullable(T.String()),
    orderId: Nullable(T.String()),
    recipient: T.Object({ name: T.String(), phone: T.String(), phoneAlt: Nullable(T.String()) }),
    destination: ParcelDestination,
    codAmount: Money,
    declaredValue: Money,
    weightKg: T.Number({ minimum: 0, maximum: 10_000, description: 'kilograms' }),
    dimensions: Nullable(freeForm({ names: 20, nameLength: 40, bytes: 1024 }, { description: 'lengthCm, widthCm and heightCm are used' })),
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
/** Type of {@link Parcel}. */
export type Parcel = Static<typeof Parcel>
