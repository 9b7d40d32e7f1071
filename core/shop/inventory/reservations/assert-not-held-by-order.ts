import type { Queryable } from '../../../data/sql.ts'
import { inventoryErrors } from '../inventory.errors.ts'
import { isHeldByOrder } from './reservations.queries.ts'

/**
 * Throws `conflict` where an order holds the reservation. API callers may not fulfill, release or reverse it, because the order's parcels
 * need the stock.
 */
export async function assertNotHeldByOrder(sql: Queryable, projectId: string, reservationId: string | null | undefined): Promise<void> {
  if (reservationId && (await isHeldByOrder(sql, projectId, reservationId))) throw inventoryErrors.reservationOfOrder()
}
