import { type Static, Type as T } from '@sinclair/typebox'
import { parcelStatuses, statusFlags } from '../../../../plugins/carrier/model.ts'
import { exact, Maybe, oneOf } from '../../../http/schema.ts'
import { type DataOf, eventOfBoth, eventOfProject } from '../../../platform/webhooks/events.ts'
import { Parcel, ParcelBatch } from '../parcels.model.ts'

/** Details of a status change in its event and timeline entry. */
export const MoveDetails = exact({
  carrierStatus: Maybe(T.String({ description: 'status as the carrier names it' })),
  reason: Maybe(T.String()),
  flag: Maybe(oneOf(statusFlags)),
  trackingId: Maybe(T.String({ description: 'set when the change reports it' })),
  decidedByPerson: Maybe(T.Boolean({ description: 'a user decided the outcome of its submission' })),
})
/** Type of {@link MoveDetails}. */
export type MoveDetails = Static<typeof MoveDetails>

const Status = oneOf(parcelStatuses)
/** Sequence number of the parcel's events, from 1. */
const sequence = T.Integer({ minimum: 1, description: 'number of this event of the parcel; the higher one is the later one' })
const moved = {
  parcel: Parcel,
  fromStatus: Status,
  toStatus: Status,
  source: T.String({ description: 'api, poller, system or webhook:{carrier}' }),
  ...MoveDetails.properties,
  sequence,
}

const ofParcels = eventOfBoth('parcels')
/** Webhook events of parcels and batches. */
export const parcelEvents = {
  'parcel.created': ofParcels('Somebody entered a shipment or sent an order; no carrier has accepted it yet', { parcel: Parcel, sequence }),
  'parcel.submission_failed': ofParcels('The carrier refused the shipment, or its data was not acceptable: correct it and submit again', {
    parcel: Parcel,
    code: T.String(),
    message: T.String(),
    sequence,
  }),
  'parcel.status_changed': ofParcels(
    'The carrier reported progress, or a user moved the shipment: compare the status before and after',
    moved,
  ),
  'parcel.delivered': ofParcels('The customer has the goods; sent in addition to `parcel.status_changed`', moved),
  'parcel.deleted': ofParcels('A shipment was removed for good: drop your copy of it', { parcel: Parcel, sequence }),
  'batch.completed': eventOfProject('parcels')('All rows were processed, well or not: read the results and correct the failures', {
    batch: ParcelBatch,
  }),
}

declare module '../../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof parcelEvents> {}
}
