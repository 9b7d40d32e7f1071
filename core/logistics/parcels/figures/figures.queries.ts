import { expectOne, type Queryable } from '../../../data/sql.ts'

/** Handed over, or about to be, and not at their end. */
export const countOnTheirWay = async (sql: Queryable, connectionId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from parcels where carrier_account_id = ${connectionId} and status not in ('created', 'delivered', 'returned', 'cancelled', 'lost')`,
  ).count

export const countOfProject = async (sql: Queryable, projectId: string, statuses: readonly string[]) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from parcels where project_id = ${projectId} and status = any (${statuses as string[]})`,
  ).count

/** Parcels of an account, counted by status. */
export const countParcels = (sql: Queryable, connectionId: string) =>
  sql<{ status: string; count: number }[]>`
    select status, count(*)::int as count from parcels where carrier_account_id = ${connectionId} group by status`

/**
 * What became of this phone's parcels: numbers, and nothing that tells whose they are. Of other stores only what ended is counted, so that
 * nobody sees what another has under way.
 */
export const countOutcomes = async (sql: Queryable, projectId: string, phone: string) =>
  expectOne(
    await sql<{ parcels: number; delivered: number; returned: number }[]>`
    select count(*)::int as parcels, count(*) filter (where status = 'delivered')::int as delivered, count(*) filter (where status in ('returning', 'returned'))::int as returned
    from parcels where recipient->>'phone' = ${phone} and status not in ('created', 'cancelled') and (status in ('delivered', 'returned') or project_id = ${projectId})`,
  )
