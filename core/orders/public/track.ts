import type { Queryable } from '../../data/sql.ts'
import { findParcelOfStore, listLiveParcelsInStore, listNewestParcelEvents } from '../../logistics/parcels/parcels.queries.ts'
import type { TrackedOrder } from '../orders.model.ts'
import type { OrderRow } from '../orders.queries.ts'

/** Maximum number of events; a carrier may report more than a customer reads. */
const EVENTS_MAX = 100

/** Reads the tracking data of an order for its customer, without personal data and amounts. */
export async function trackOrder(sql: Queryable, order: OrderRow): Promise<TrackedOrder> {
  const parcels = order.parcelId === null ? [] : await listLiveParcelsInStore(sql, order.storeId, order.id)
  const parcel = order.parcelId === null ? undefined : await findParcelOfStore(sql, order.storeId, order.parcelId)
  const events = parcel ? await listNewestParcelEvents(sql, parcel, EVENTS_MAX) : []
  return {
    reference: order.reference,
    status: order.status,
    trackingId: parcel?.trackingId ?? null,
    carrier: parcel?.courierId ?? null,
    parcels: parcels.map(({ status, trackingId, courierId: carrier }) => ({ status, trackingId, carrier })),
    updatedAt: order.updatedAt,
    events: events.flatMap(({ toStatus, at }) => (toStatus ? [{ status: toStatus, at }] : [])),
  }
}
