import type { Queryable } from '../../data/sql.ts'

/** Whether any parcel of it is being handed over now. */
export const isSending = async (sql: Queryable, connectionId: string) =>
  (await sql`select 1 from parcels where carrier_account_id = ${connectionId} and status = 'submitting' limit 1`).length > 0

/** Parcels of an account that the carrier may have news of, in the order in which they were made. */
export const listOpenParcels = (sql: Queryable, { id, projectId }: { id: string; projectId: string }, after: string, take: number) =>
  sql<
    { id: string; trackingId: string }[]
  >`select id, tracking_id from parcels where project_id = ${projectId} and carrier_account_id = ${id} and tracking_id is not null
    and status not in ('returned', 'cancelled', 'lost', 'created') and id > ${after} order by id limit ${take}`
