import type { Queryable } from '../../../data/sql.ts'
import { updatePrintedAt } from '../parcels.queries.ts'

/** Records that labels of a connection's parcels were printed now. Tracking numbers without a parcel of ours are ignored. */
export async function markParcelsPrinted(
  sql: Queryable,
  connection: { readonly id: string; readonly projectId: string },
  trackings: readonly string[],
): Promise<void> {
  await updatePrintedAt(sql, connection, trackings)
}
