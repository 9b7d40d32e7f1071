import { type Static, Type as T, type TProperties } from '@sinclair/typebox'
import { RowError } from '../../core/http/errors/row-error.model.ts'
import { exact, Nullable, named } from '../schema.ts'
import { Parcel } from './parcel.model.ts'
import { TrackingNumber, Trackings, told } from './segments.model.ts'

/** Parcels by their tracking numbers: `trackingIds`, or `trackings` as they were called before. */
export const ofTrackings = <P extends TProperties>(more: P) =>
  T.Union([exact({ trackingIds: Trackings, ...more }), exact({ trackings: EarlierTrackings, ...more })])
const EARLIER = 'the earlier name of it'
const EarlierTrackings: typeof Trackings = { ...Trackings, deprecated: true, description: `${EARLIER}: use trackingIds` }

/** One parcel by its tracking number, likewise. */
export const ofTracking = <P extends TProperties>(more: P) =>
  T.Union([
    exact({ trackingId: TrackingNumber, ...more }),
    exact({
      tracking: { ...TrackingNumber, deprecated: true, description: `${EARLIER}: use trackingId` } as typeof TrackingNumber,
      ...more,
    }),
  ])

/** Tracking numbers of a body, by whichever name. */
export const trackingsIn = (
  body: { readonly trackingIds: readonly string[] } | { readonly trackings: readonly string[] },
): readonly string[] => ('trackingIds' in body ? body.trackingIds : body.trackings)

const OrderId = T.String({ description: 'of the order that was to be sent' })
const SentRow = named(
  'SentRow',
  T.Object({ outcome: T.Literal('sent'), orderId: OrderId, parcel: Parcel, ...told }, { description: 'the carrier has it' }),
)
const PendingRow = named(
  'PendingRow',
  T.Object(
    { outcome: T.Literal('pending'), orderId: OrderId, parcel: Parcel, ...told },
    {
      description:
        'it goes on by itself: the carrier has not answered yet, takes no more for now, or nobody knows yet whether it has the parcel (`outcomeUnknown`)',
    },
  ),
)
const RefusedRow = named(
  'RefusedRow',
  T.Object(
    {
      outcome: T.Literal('refused'),
      orderId: OrderId,
      error: RowError,
      parcelId: Nullable(T.String(), {
        description: 'parcel that was made here and that no carrier has: it is used when the order is sent again; null where none was made',
      }),
    },
    { description: 'no carrier has it, and it is not tried again by itself' },
  ),
)
/** What came of sending one order of many. */
export const SendRowResult = T.Union([SentRow, PendingRow, RefusedRow], { discriminator: { propertyName: 'outcome' } })
export type SendRowResult = Static<typeof SendRowResult>

/** What came of cancelling one parcel of many. */
export const RemovedRow = T.Union(
  [
    named('DeletedRow', T.Object({ outcome: T.Literal('deleted'), trackingId: T.String(), deleted: T.Literal(true) })),
    named(
      'NotDeletedRow',
      T.Object({
        outcome: T.Literal('refused'),
        trackingId: T.String(),
        deleted: T.Literal(false),
        message: T.String(),
        error: RowError,
      }),
    ),
  ],
  { discriminator: { propertyName: 'outcome' } },
)
export type RemovedRow = Static<typeof RemovedRow>
