import { expectOne, type Queryable } from '../../../data/sql.ts'

/** Counts the parcels of a connection that are submitted or being submitted, and have not ended. */
export const countParcelsUnderWay = async (sql: Queryable, connectionId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from parcels where carrier_account_id = ${connectionId} and status not in ('created', 'delivered', 'returned', 'cancelled', 'lost')`,
  ).count

/** Counts the parcels of a project in these statuses. */
export const countParcelsInStatuses = async (sql: Queryable, projectId: string, statuses: readonly string[]) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from parcels where project_id = ${projectId} and status = any (${statuses as string[]})`,
  ).count

/** Counts the parcels of a connection by status. */
export const countParcelsByStatus = (sql: Queryable, connectionId: string) =>
  sql<{ status: string; count: number }[]>`
    select status, count(*)::int as count from parcels where carrier_account_id = ${connectionId} group by status`

/**
 * Counts the outcomes of a phone number's parcels, without identifying them. Parcels of other stores count only once they have ended, so
 * that no store learns what another has under way.
 */
export const countParcelOutcomes = async (sql: Queryable, projectId: string, phone: string) =>
  expectOne(
    await sql<{ parcels: number; delivered: number; returned: number }[]>`
    select count(*)::int as parcels, count(*) filter (where status = 'delivered')::int as delivered, count(*) filter (where status in ('returning', 'returned'))::int as returned
    from parcels where recipient->>'phone' = ${phone} and status not in ('created', 'cancelled') and (status in ('delivered', 'returned') or project_id = ${projectId})`,
  )
