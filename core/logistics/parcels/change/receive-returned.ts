import type { Tx } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { currentActor } from '../../../data/tenant-context.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import type { ParcelRow, ReturnCondition } from '../parcels.queries.ts'
import { updateReturnReceived } from './scans.queries.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when the goods of a parcel came back to the store, with the parcel as it is after. */
    'parcel.return_received': { readonly parcel: ParcelRow }
  }
}

/** Records that the goods of a parcel came back. The caller must have locked it, and leaves out one that was recorded before. */
export async function receiveReturnedParcel(tx: Tx, parcel: ParcelRow, condition: ReturnCondition): Promise<void> {
  const received = await updateReturnReceived(tx, parcel, condition, currentActor() ?? null)
  const { id, projectId, courierId: carrier, trackingId, orderId } = received
  await recordAudit(tx, { projectId }, { what: 'parcel.return_received', thing: id, after: { carrier, trackingId, orderId, condition } })
  await publish(tx, 'parcel.return_received', { parcel: received })
}
