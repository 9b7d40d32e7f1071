import { type Static, Type as T } from '@sinclair/typebox'
import { cashStatuses, parcelStatuses, statusFlags } from '../../../../plugins/carrier/model.ts'
import { exact, Id, Maybe, Nullable, named, oneOf, Timestamp } from '../../../http/schema.ts'

/** Statuses that a carrier can report of a parcel. */
const reportableStatuses = parcelStatuses.filter((status) => status !== 'created' && status !== 'submitting')
const Raw = T.String({ minLength: 1, maxLength: 400, pattern: '^[^\\u0000]*$', description: 'status text, exactly as the carrier sent it' })

/** Rule that defines the meaning of a raw status. */
export const StatusRule = named(
  'StatusRule',
  exact({
    raw: Raw,
    status: Maybe(oneOf(reportableStatuses)),
    cash: Maybe(oneOf(cashStatuses)),
    flag: Maybe(oneOf(statusFlags)),
  }),
)
/** Type of {@link StatusRule}. */
export type StatusRule = Static<typeof StatusRule>

/** Status rule of a connection as the API shows it. */
export const MappedStatus = named(
  'MappedStatus',
  T.Object({
    raw: T.String(),
    status: Nullable(oneOf(reportableStatuses)),
    cash: Nullable(oneOf(cashStatuses)),
    flag: Nullable(oneOf(statusFlags)),
    createdAt: Timestamp,
  }),
)

/** Type of {@link MappedStatus}. */
export type MappedStatus = Static<typeof MappedStatus>

/** Raw status without a meaning, with its frequency. */
export const UnknownStatus = named(
  'UnknownStatus',
  T.Object({
    raw: T.String(),
    count: T.Integer({ description: 'number of reports with this status' }),
    firstSeenAt: Timestamp,
    lastSeenAt: Timestamp,
    sampleParcelId: Nullable(Id),
  }),
)
