import type { Queryable } from '../../../data/sql.ts'
import type { ParcelRow } from '../../../logistics/parcels/parcels.queries.ts'

/** Returned parcel, with the exact time by which the list is sorted. */
export type ExpectedRow = ParcelRow & { readonly returnedAt: string; readonly sortValue: string }

/** Lists parcels that their carrier calls returned and that the store has not seen, oldest return first. `after` ended the previous page. */
export const listExpectedReturns = (
  sql: Queryable,
  projectId: string,
  { from, after }: { readonly from: string | null; readonly after: { readonly at: string; readonly id: string } | null },
  take: number,
) =>
  sql<ExpectedRow[]>`select *, returned_at::text as sort_value from parcels
    where project_id = ${projectId} and status = 'returned' and return_received_at is null and returned_at is not null
      ${from === null ? sql`` : sql`and returned_at >= ${from}`}
      ${after === null ? sql`` : sql`and (returned_at, id) > (${after.at}, ${after.id})`}
    order by returned_at, id limit ${take}`
