import type { Queryable } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { isOfOrder } from './reservations.queries.ts'

/** A caller takes, gives back and reverses what no order holds: its parcels would find their goods gone. Throws `conflict`. */
export async function assertOfNoOrder(sql: Queryable, projectId: string, reservationId: string | null | undefined): Promise<void> {
  if (reservationId && (await isOfOrder(sql, projectId, reservationId)))
    throw new ApiError('conflict', 'An order holds this reservation: change, send, cancel or return the order.')
}
