import type { Subscribers } from '../../data/subscribers.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { countParcelsInStatuses, countParcelsUnderWay } from './figures/figures.queries.ts'
import { underWayStatuses } from './lifecycle/transitions.ts'

/** Vetoes the removal of a store or a carrier connection while it has parcels under way, because it receives their callbacks. */
export const removalVetoes: Subscribers = {
  async 'store.leaving'(tx, { store: { projectId } }) {
    const parcels = await countParcelsInStatuses(tx, projectId, underWayStatuses)
    if (parcels > 0)
      throw new DomainError(
        'conflict',
        `${parcels} parcels of the store are on their way. It can be deleted when they have arrived or come back.`,
      )
  },
  async 'connection.leaving'(tx, { connection: { id, key } }) {
    const parcels = await countParcelsUnderWay(tx, id)
    if (parcels > 0)
      throw new DomainError(
        'conflict',
        `${parcels} parcels are on their way with ${key}. Switch it off with enabled: false; it can be deleted when they have arrived.`,
      )
  },
}
