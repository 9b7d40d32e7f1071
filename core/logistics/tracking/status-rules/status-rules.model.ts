import { type Static, Type as T } from '@sinclair/typebox'
import { cashStatuses, parcelStatuses, statusFlags } from '../../../../plugins/carrier/model.ts'
import { exact, Id, Maybe, Nullable, named, oneOf, Timestamp } from '../../../http/schema.ts'

/** What a carrier can say of a parcel that it has. */
const sayable = parcelStatuses.filter((status) => status !== 'created' && status !== 'submitting')
const Raw = T.String({ minLength: 1, maxLength: 400, pattern: '^[^\\u0000]*$', description: "the carrier's word, as it wrote it" })

export const StatusRule = named(
  'StatusRule',
  exact({
    raw: Raw,
    status: Maybe(oneOf(sayable)),
    cash: Maybe(oneOf(cashStatuses)),
    flag: Maybe(oneOf(statusFlags)),
  }),
)
export type StatusRule = Static<typeof StatusRule>

export const MappedStatus = named(
  'MappedStatus',
  T.Object({
    raw: T.String(),
    status: Nullable(oneOf(sayable)),
    cash: Nullable(oneOf(cashStatuses)),
    flag: Nullable(oneOf(statusFlags)),
    createdAt: Timestamp,
  }),
)

export type MappedStatus = Static<typeof MappedStatus>

export const UnknownStatus = named(
  'UnknownStatus',
  T.Object({
    raw: T.String(),
    count: T.Integer({ description: 'how often the carrier said it' }),
    firstSeenAt: Timestamp,
    lastSeenAt: Timestamp,
    sampleParcelId: Nullable(Id),
  }),
)
