import type { Queryable } from '../../data/sql.ts'

/** Lease for changing a parcel at its carrier. `fields` are the fields to change; null means cancelling. */
export interface ChangeLeaseRow {
  readonly projectId: string
  readonly parcelId: string
  readonly id: string
  readonly fields: readonly string[] | null
}

/** Inserts a lease. Returns false when the parcel has one already. */
export const insertChangeLease = async (sql: Queryable, { projectId, parcelId, id, fields }: ChangeLeaseRow, seconds: number) =>
  (
    await sql`insert into parcel_leases (project_id, parcel_id, id, fields, until)
      values (${projectId}, ${parcelId}, ${id}, ${fields as string[] | null}, now() + ${seconds} * interval '1 second')
      on conflict do nothing`
  ).count > 0

const matchesLease = (sql: Queryable, { projectId, parcelId, id }: ChangeLeaseRow) =>
  sql`project_id = ${projectId} and parcel_id = ${parcelId} and id = ${id}`

/** Extends a lease; it then lasts the given seconds from now. */
export const renewChangeLease = (sql: Queryable, lease: ChangeLeaseRow, seconds: number) =>
  sql`update parcel_leases set until = now() + ${seconds} * interval '1 second' where ${matchesLease(sql, lease)}`

/** Deletes a lease. Returns false when it did not exist any more. */
export const deleteChangeLease = async (sql: Queryable, lease: ChangeLeaseRow): Promise<boolean> =>
  (await sql`delete from parcel_leases where ${matchesLease(sql, lease)}`).count > 0

/** Deletes an expired lease. Returns false when there is none. */
export const deleteExpiredChangeLease = async (sql: Queryable, lease: ChangeLeaseRow): Promise<boolean> =>
  (await sql`delete from parcel_leases where ${matchesLease(sql, lease)} and until < now()`).count > 0

/** Lists expired leases, whose processes have died or were stopped. */
export const listExpiredChangeLeases = (sql: Queryable, of: { readonly projectId: string; readonly parcelId: string } | null) =>
  sql<ChangeLeaseRow[]>`select project_id, parcel_id, id, fields from parcel_leases
    where until < now() ${of === null ? sql`` : sql`and project_id = ${of.projectId} and parcel_id = ${of.parcelId}`} order by until limit 500`
