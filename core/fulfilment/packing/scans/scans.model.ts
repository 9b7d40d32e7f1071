import { type Static, Type as T } from '@sinclair/typebox'
import { parcelStatuses } from '../../../../plugins/carrier/model.ts'
import { exact, Id, Money, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'
import { AuditActor } from '../../../platform/audit/audit.model.ts'

/** Codes in one request. */
const CODES_MAX = 100

/** Codes as they are scanned or typed. */
export const Codes = T.Array(Text(120, 1), {
  minItems: 1,
  maxItems: CODES_MAX,
  description: 'tracking numbers, references of parcels, or references of orders; capitals do not matter',
})

/** Request with scanned codes. */
export const ScanRequest = named(
  'ParcelScan',
  exact({
    codes: Codes,
    connectionId: T.Optional({ ...Id, description: 'the only carrier connection whose parcels are expected' }),
  }),
)
/** Type of {@link ScanRequest}. */
export type ScanRequest = Static<typeof ScanRequest>

/** Results of a scanned code. */
const scanOutcomes = ['done', 'done_before', 'refused'] as const

/** Reasons for which a scan changes nothing. */
export const scanRefusals = [
  'unknown',
  'ambiguous',
  'other_carrier',
  'cancelled',
  'not_sent',
  'not_printed',
  'ended',
  'not_returning',
  'other_manifest',
  'full',
] as const
/** Element of {@link scanRefusals}. */
export type ScanRefusal = (typeof scanRefusals)[number]

/** Parcel that a code names. */
export const ScannedParcel = named(
  'ScannedParcel',
  T.Object({
    id: Id,
    orderId: Nullable(Id),
    reference: T.String(),
    trackingId: Nullable(T.String()),
    status: oneOf(parcelStatuses),
    connectionId: Nullable(Id),
    carrier: Nullable(T.String({ description: "the carrier's slug" })),
    recipientName: T.String(),
    cityName: T.String(),
    codAmount: Money,
  }),
)
/** Type of {@link ScannedParcel}. */
export type ScannedParcel = Static<typeof ScannedParcel>

/** Result of one scanned code. */
export const ScanResult = named(
  'ParcelScanResult',
  T.Object({
    code: T.String({ description: 'as it was sent' }),
    outcome: oneOf(scanOutcomes),
    reason: Nullable(oneOf(scanRefusals), { description: 'why nothing was recorded; null unless refused' }),
    parcel: Nullable(ScannedParcel, { description: 'null if no parcel, or more than one, has the code' }),
    at: Nullable(Timestamp, { description: 'when this was recorded: now, or before' }),
    by: Nullable(AuditActor, { description: 'who recorded it' }),
  }),
)
/** Type of {@link ScanResult}. */
export type ScanResult = Static<typeof ScanResult>
