import type { Subscribers } from '../../data/subscribers.ts'
import { countParcelsInStatuses, countParcelsUnderWay } from './figures/figures.queries.ts'
import { underWayStatuses } from './lifecycle/transitions.ts'
import { parcelErrors } from './parcels.errors.ts'

/** Vetoes the removal of a store or a carrier connection while it has parcels under way, because it receives their callbacks. */
export const removalVetoes: Subscribers = {
  async 'store.deleted'(tx, { store: { projectId } }) {
    const parcels = await countParcelsInStatuses(tx, projectId, underWayStatuses)
    if (parcels > 0) throw parcelErrors.parcelsOfStoreMoving({ parcels })
  },
  async 'connection.removed'(tx, { connection: { id, key } }) {
    const parcels = await countParcelsUnderWay(tx, id)
    if (parcels > 0) throw parcelErrors.parcelsOfCarrierMoving({ parcels, key })
  },
}
