import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import { deliveryTypes, parcelStatuses } from '../../../plugins/carrier/model.ts'
import { Parcel, ParcelDestination } from '../../../plugins/carrier/parcel.model.ts'
import { told } from '../../../plugins/carrier/segments.model.ts'
import { freeForm } from '../../http/body/free-form.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Maybe, Metadata, Money, Nullable, named, oneOf, Phone, Text, Timestamp } from '../../http/schema.ts'

const Weight = T.Number({ minimum: 0, maximum: 10_000, 'x-decimals': 4, description: 'kilograms' })
const Dimensions = freeForm({ names: 20, nameLength: 40, bytes: 1024 }, { description: 'lengthCm, widthCm, heightCm are understood' })

/** Recipient of a parcel in a request. */
const Recipient = named('Recipient', exact({ name: Text(200, 1), phone: Phone, phoneAlt: Maybe(Nullable(Text(100))) }))
/** Place in a request, before the catalogue resolves it, and the pick-up point there. */
export const typedPlace = {
  country: T.String({ pattern: '^[A-Za-z]{2}$' }),
  stateCode: Text(120, 1),
  cityName: Text(120, 1),
  pickupId: Maybe(Nullable(Text(64))),
}
const NewDestination = named(
  'NewParcelDestination',
  exact({
    ...typedPlace,
    address: Maybe(T.String({ maxLength: 500, description: 'not needed for a pickup' })),
    deliveryType: Maybe(oneOf(deliveryTypes, { description: 'home by default' })),
  }),
)

const Reference = T.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\u0000-\\u001f]+$',
  description: 'your own reference, unique in the project; generated when omitted',
})

const writable = {
  // No default in the schema: a field that a change omits stays as it is.
  codAmount: Maybe(T.Number({ ...Money, description: 'amount that the carrier collects; 0 when omitted in a new parcel' })),
  declaredValue: Maybe(Money),
  weightKg: Maybe(Weight),
  dimensions: Maybe(Nullable(Dimensions)),
  contents: Maybe(Text(1000)),
  notes: Maybe(Text(1000)),
  metadata: Maybe(Metadata),
}

/** Request that creates a parcel. */
export const NewParcel = named(
  'NewParcel',
  exact({
    reference: Maybe(Reference),
    recipient: Recipient,
    destination: NewDestination,
    ...writable,
    carrierAccountId: Maybe(Nullable(Id)),
    submit: Maybe(T.Boolean({ description: 'submit it to the carrier of `carrierAccountId` immediately' })),
  }),
)
/** Type of {@link NewParcel}. */
export type NewParcel = Static<typeof NewParcel>

/** Request that changes a parcel; at least one field is required. */
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
/** Type of {@link ParcelChange}. */
export type ParcelChange = Static<typeof ParcelChange>

export { Parcel, ParcelDestination }

/** Parcel with the notices of its carrier. */
export const ParcelResponse = named('ParcelAnswer', T.Object({ data: Parcel, ...told }))
/** Type of {@link ParcelResponse}. */
export type ParcelResponse = Static<typeof ParcelResponse>

/** Entry of the timeline of a parcel. */
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
/** Type of {@link ParcelEvent}. */
export type ParcelEvent = Static<typeof ParcelEvent>

/** Filters, sort fields and search of the list of parcels. */
export const parcelList = defineList({
  mayBeOld: true,
  sorts: { updatedAt: 'updated_at' },
  filters: {
    status: oneOf(parcelStatuses),
    reference: Text(64),
    trackingId: Text(120),
    carrierAccountId: Text(64),
    batchId: Text(64),
    phone: T.String({ maxLength: 40, description: 'phone number of the recipient, as stored in the parcel' }),
  },
  search: "the reference, the tracking number, or the recipient's phone",
})
/** Validated query of the list of parcels. */
export type ParcelListRequest = ListQuery<typeof parcelList.filters>

/** Request that creates many parcels in the background. */
export const NewParcelBatch = named(
  'NewParcelBatch',
  exact({
    carrierAccountId: Maybe(Nullable(Id)),
    submit: Maybe(T.Boolean()),
    parcels: T.Array(NewParcel, { minItems: 1, maxItems: 1000 }),
  }),
)
/** Type of {@link NewParcelBatch}. */
export type NewParcelBatch = Static<typeof NewParcelBatch>

const batchRow = {
  row: T.Integer(),
  reference: Nullable(T.String()),
  parcelId: Nullable(T.String()),
  status: oneOf(['waiting', 'created', 'submitting', 'submitted', 'failed', 'unknown', 'cancelled']),
}
const BatchError = T.Object({ code: T.String(), message: T.String() })
const BatchRow = T.Object({ ...batchRow, error: Nullable(BatchError) })
/** Row of a batch as it is stored. */
export type BatchRow = Static<typeof BatchRow>

const outcomeRow = <O extends string, E extends TSchema>(title: string, outcome: O, error: E, description: string) =>
  named(title, T.Object({ outcome: T.Literal(outcome), ...batchRow, error, ...told }, { description }))

/** Result of one row of a batch. */
export const BatchResult = T.Union(
  [
    outcomeRow('CreatedBatchRow', 'created', Nullable(BatchError), 'the parcel was created, and was not to be submitted'),
    outcomeRow('SentBatchRow', 'sent', Nullable(BatchError), 'a carrier has it'),
    outcomeRow(
      'PendingBatchRow',
      'pending',
      Nullable(BatchError),
      'it continues by itself, or its outcome at the carrier is not known yet',
    ),
    outcomeRow('RefusedBatchRow', 'refused', BatchError, 'no carrier has it, and it is not retried by itself'),
  ],
  { discriminator: { propertyName: 'outcome' } },
)
/** Type of {@link BatchResult}. */
export type BatchResult = Static<typeof BatchResult>
/** Batch of parcels with its results so far. */
export const ParcelBatch = named(
  'ParcelBatch',
  T.Object({
    id: Id,
    status: oneOf(['processing', 'completed']),
    total: T.Integer(),
    succeeded: T.Integer(),
    failed: T.Integer(),
    unknown: T.Integer({ description: 'rows whose outcome at the carrier is not known' }),
    results: T.Array(BatchResult),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
  }),
)

/** Options for submitting a parcel to its carrier. */
export const SubmitOptions = named(
  'SubmitOptions',
  exact({
    force: Maybe(
      T.Boolean({
        description: 'sends the parcel of an unconfirmed order, although the store sends only confirmed ones; recorded in the audit log',
      }),
    ),
  }),
)

/** Decision of a user about a submission with an unknown outcome. */
export const OutcomeDecision = named(
  'OutcomeDecision',
  exact({
    taken: T.Boolean({ description: 'whether the carrier has it' }),
    trackingId: Maybe(T.String({ minLength: 1, maxLength: 120, description: 'required when the carrier has it' })),
  }),
)
