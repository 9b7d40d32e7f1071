import type { Queryable } from '../../data/sql.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'

/** Returns true when a parcel of the connection is being submitted. */
export const hasSubmittingParcels = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (await sql`select 1 from parcels where project_id = ${projectId} and carrier_account_id = ${id} and status = 'submitting' limit 1`)
    .length > 0

/** Lists parcels of a connection for which the carrier may have new reports, in id order after the given one. */
export const listTrackableParcels = (sql: Queryable, { id, projectId }: { id: string; projectId: string }, after: string, take: number) =>
  sql<
    { id: string; trackingId: string }[]
  >`select id, tracking_id from parcels where project_id = ${projectId} and carrier_account_id = ${id} and tracking_id is not null
    and status not in ('returned', 'cancelled', 'lost', 'created') and id > ${after} order by id limit ${take}`
