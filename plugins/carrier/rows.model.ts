import { type Static, Type as T, type TProperties } from '@sinclair/typebox'
import { RowError } from '../../core/http/errors/row-error.model.ts'
import { exact, Nullable, namedSchema } from '../schema.ts'
import { Parcel } from './parcel.model.ts'
import { TrackingNumber, Trackings, told } from './segments.model.ts'

/** Schema of a body with several tracking numbers, as `trackingIds` or under the earlier name `trackings`. */
export const ofTrackings = <P extends TProperties>(more: P) =>
  T.Union([exact({ trackingIds: Trackings, ...more }), exact({ trackings: EarlierTrackings, ...more })])
const EARLIER = 'earlier name'
const EarlierTrackings: typeof Trackings = { ...Trackings, deprecated: true, description: `${EARLIER}: use trackingIds` }

/** Schema of a body with one tracking number, as `trackingId` or under the earlier name `tracking`. */
export const ofTracking = <P extends TProperties>(more: P) =>
  T.Union([
    exact({ trackingId: TrackingNumber, ...more }),
    exact({
      tracking: { ...TrackingNumber, deprecated: true, description: `${EARLIER}: use trackingId` } as typeof TrackingNumber,
      ...more,
    }),
  ])

/** Returns the tracking numbers of a body, under either name. */
export const trackingsIn = (
  body: { readonly trackingIds: readonly string[] } | { readonly trackings: readonly string[] },
): readonly string[] => ('trackingIds' in body ? body.trackingIds : body.trackings)

const OrderId = T.String({ description: 'id of the order to send' })
const SentRow = namedSchema(
  'SentRow',
  T.Object({ outcome: T.Literal('sent'), orderId: OrderId, parcel: Parcel, ...told }, { description: 'the carrier has it' }),
)
const PendingRow = namedSchema(
  'PendingRow',
  T.Object(
    { outcome: T.Literal('pending'), orderId: OrderId, parcel: Parcel, ...told },
    {
      description:
        'it continues in the background: the carrier has not answered yet, its rate limit is reached, or it is unknown whether it has the parcel (`outcomeUnknown`)',
    },
  ),
)
const RefusedRow = namedSchema(
  'RefusedRow',
  T.Object(
    {
      outcome: T.Literal('refused'),
      orderId: OrderId,
      error: RowError,
      parcelId: Nullable(T.String(), {
        description: 'parcel that was created here but is at no carrier: it is used when the order is sent again; null if there is none',
      }),
    },
    { description: 'no carrier has it, and it is not retried automatically' },
  ),
)
/** Outcome of sending one order of a batch. */
export const SendRowResult = T.Union([SentRow, PendingRow, RefusedRow], { discriminator: { propertyName: 'outcome' } })
/** Type of {@link SendRowResult}. */
export type SendRowResult = Static<typeof SendRowResult>

/** Outcome of cancelling one parcel of a batch. */
export const RemovedRow = T.Union(
  [
    namedSchema('DeletedRow', T.Object({ outcome: T.Literal('deleted'), trackingId: T.String(), deleted: T.Literal(true) })),
    namedSchema(
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
/** Type of {@link RemovedRow}. */
export type RemovedRow = Static<typeof RemovedRow>
