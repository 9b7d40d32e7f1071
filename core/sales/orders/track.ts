import type { Queryable } from '../../data/sql.ts'
import { findParcelOfStore, listAppliedEvents } from '../../logistics/parcels/parcels.queries.ts'
import type { Tracked } from './orders.model.ts'
import type { OrderRow } from './orders.queries.ts'

/** Where an order is, for its customer: nothing of his person, and nothing of the money. */
export async function trackOrder(sql: Queryable, order: OrderRow): Promise<Tracked> {
  const parcel = order.parcelId ? await findParcelOfStore(sql, order.storeId, order.parcelId) : undefined
  const events = parcel ? await listAppliedEvents(sql, parcel.projectId, parcel.id) : []
  return {
    reference: order.reference,
    status: order.status,
    trackingId: parcel?.trackingId ?? null,
    carrier: parcel?.courierId ?? null,
    updatedAt: order.updatedAt,
    events: events.flatMap(({ toStatus, at }) => (toStatus ? [{ status: toStatus, at }] : [])),
  }
}
