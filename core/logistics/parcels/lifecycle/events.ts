import { type Static, Type as T } from '@sinclair/typebox'
import { parcelStatuses, statusFlags } from '../../../../plugins/carrier/model.ts'
import { exact, Maybe, oneOf } from '../../../http/schema.ts'
import { type DataOf, eventOfBoth, eventOfProject } from '../../../platform/webhooks/events.ts'
import { Batch, Parcel } from '../parcels.model.ts'

/** What is told of a move beside where it went. */
export const MoveDetails = exact({
  carrierStatus: Maybe(T.String({ description: "in the carrier's words" })),
  reason: Maybe(T.String()),
  flag: Maybe(oneOf(statusFlags)),
  trackingId: Maybe(T.String({ description: 'where the move tells it' })),
  decidedByPerson: Maybe(T.Boolean({ description: 'a person said what became of its sending' })),
})
export type MoveDetails = Static<typeof MoveDetails>

const Status = oneOf(parcelStatuses)
/** Counts what was told of the parcel, from 1 on. */
const sequence = T.Integer({ minimum: 1, description: 'of what is told of this parcel: the higher one is the later one' })
const moved = {
  parcel: Parcel,
  fromStatus: Status,
  toStatus: Status,
  source: T.String({ description: 'api, poller, system or webhook:{carrier}' }),
  ...MoveDetails.properties,
  sequence,
}

const ofParcels = eventOfBoth('parcels')
export const events = {
  'parcel.created': ofParcels('A parcel was made', { parcel: Parcel, sequence }),
  'parcel.submission_failed': ofParcels('A parcel was not handed over to its carrier', {
    parcel: Parcel,
    code: T.String(),
    message: T.String(),
    sequence,
  }),
  'parcel.status_changed': ofParcels('A parcel has another status', moved),
  'parcel.delivered': ofParcels('A parcel arrived: told beside the change of its status', moved),
  'parcel.deleted': ofParcels('A parcel was deleted', { parcel: Parcel, sequence }),
  'batch.completed': eventOfProject('parcels')('It is known what became of each row of a batch', { batch: Batch }),
}

declare module '../../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}
