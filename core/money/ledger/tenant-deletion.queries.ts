import { expectOne, type Queryable } from '../../data/sql.ts'

/** Counts a tenant's parcels that were delivered in the last `days` days and that no confirmed remittance has paid. */
export const countOwedParcels = async (sql: Queryable, tenantId: number, days: number) =>
  expectOne(
    await sql<{ count: number }[]>`
    select count(*)::int as count from projects own join cash_entries d on d.project_id = own.id
    where own.tenant_id = ${tenantId} and d.kind = 'delivered' and d.stands and d.sales <> 0 and d.at > now() - ${days} * interval '1 day'
      and not exists (select 1 from cash_entries r where r.project_id = d.project_id and r.parcel_id = d.parcel_id and r.kind = 'remittance' and r.stands)`,
  ).count
