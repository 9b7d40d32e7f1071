import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import { deliveryTypes, parcelStatuses } from '../../../plugins/carrier/model.ts'
import { Parcel, ParcelDestination } from '../../../plugins/carrier/parcel.model.ts'
import { told } from '../../../plugins/carrier/segments.model.ts'
import { freeForm } from '../../http/body/free-form.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Maybe, Metadata, Money, Nullable, named, oneOf, Phone, Text, Timestamp } from '../../http/schema.ts'

const Weight = T.Number({ minimum: 0, maximum: 10_000, 'x-decimals': 4, description: 'kilograms' })
const Dimensions = freeForm({ names: 20, nameLength: 40, bytes: 1024 }, { description: 'lengthCm, widthCm, heightCm are understood' })

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

export { Parcel, ParcelDestination }

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

export const parcelList = defineList({
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
export type AskedParcels = ListQuery<typeof parcelList.filters>

export const NewBatch = named(
  'NewParcelBatch',
  exact({
    carrierAccountId: Maybe(Nullable(Id)),
    submit: Maybe(T.Boolean()),
    parcels: T.Array(NewParcel, { minItems: 1, maxItems: 1000 }),
  }),
)
export type NewBatch = Static<typeof NewBatch>

const batchRow = {
  row: T.Integer(),
  reference: Nullable(T.String()),
  parcelId: Nullable(T.String()),
  status: oneOf(['waiting', 'created', 'submitting', 'submitted', 'failed', 'unknown', 'cancelled']),
}
const BatchError = T.Object({ code: T.String(), message: T.String() })
const BatchRow = T.Object({ ...batchRow, error: Nullable(BatchError) })
/** One row of a batch as it is kept. */
export type BatchRow = Static<typeof BatchRow>

const outcomeRow = <O extends string, E extends TSchema>(title: string, outcome: O, error: E, description: string) =>
  named(title, T.Object({ outcome: T.Literal(outcome), ...batchRow, error, ...told }, { description }))

/** What came of one row of a batch. */
export const BatchResult = T.Union(
  [
    outcomeRow('CreatedBatchRow', 'created', Nullable(BatchError), 'the parcel was made, and was not to be sent'),
    outcomeRow('SentBatchRow', 'sent', Nullable(BatchError), 'a carrier has it'),
    outcomeRow('PendingBatchRow', 'pending', Nullable(BatchError), 'it goes on by itself, or nobody knows yet whether the carrier has it'),
    outcomeRow('RefusedBatchRow', 'refused', BatchError, 'no carrier has it, and it is not tried again by itself'),
  ],
  { discriminator: { propertyName: 'outcome' } },
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

export const SubmitOptions = named(
  'SubmitOptions',
  exact({
    force: Maybe(
      T.Boolean({
        description: 'sends the parcel of an order that nobody confirmed, although the store sends only confirmed ones; kept in the audit',
      }),
    ),
  }),
)

export const OutcomeDecision = named(
  'OutcomeDecision',
  exact({
    taken: T.Boolean({ description: 'whether the carrier has it' }),
    trackingId: Maybe(T.String({ minLength: 1, maxLength: 120, description: 'required where it was taken' })),
  }),
)
