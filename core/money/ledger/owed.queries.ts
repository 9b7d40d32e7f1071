import type { CashStatus } from '../../../plugins/carrier/model.ts'
import { expectOne, type Queryable } from '../../data/sql.ts'

/** Delivered parcel that no confirmed remittance has paid. `numeric` columns come as text. */
export interface OwedRow {
  readonly parcelId: string
  readonly trackingId: string | null
  readonly reference: string
  readonly cashStatus: CashStatus
  readonly at: string
  /** Cash on delivery, the known fee, and the remainder that the carrier owes. */
  readonly cod: string
  readonly fees: string
  readonly carrier: string
}

/** SQL clauses from `from` on: parcels `p` and deliveries `d` of a connection that no confirmed remittance has paid. */
export const owedParcels = (sql: Queryable, projectId: string, connectionId: string) => sql`
  from ledger_entries d join parcels p on p.project_id = d.project_id and p.id = d.parcel_id
  where d.project_id = ${projectId} and d.connection_id = ${connectionId} and d.kind = 'delivered' and d.stands
    and not exists (select 1 from ledger_entries r where r.project_id = d.project_id and r.parcel_id = d.parcel_id and r.kind = 'remittance' and r.stands)`

/** SQL columns of an {@link OwedRow}, from the tables of {@link owedParcels}. */
export const owedColumns = (sql: Queryable) =>
  sql`p.id as parcel_id, p.tracking_id, p.reference, p.cash_status, d.at, -d.sales as cod, d.fees, d.carrier`

/** Lists owed parcels, oldest first, starting after the parcel `after`. */
export const listOwedParcels = (sql: Queryable, projectId: string, connectionId: string, after: string | null, take: number) =>
  sql<OwedRow[]>`
    select ${owedColumns(sql)} ${owedParcels(sql, projectId, connectionId)}
    ${
      after === null
        ? sql``
        : sql`and (d.at, d.id) > (select a.at, a.id from ledger_entries a where a.project_id = ${projectId} and a.parcel_id = ${after} and a.kind = 'delivered' order by a.id desc limit 1)`
    }
    order by d.at, d.id limit ${take}`

/** Sums delivered parcels of a connection by the carrier's cash status and by whether a confirmed remittance paid them. */
export const sumDeliveredParcels = (sql: Queryable, projectId: string, connectionId: string, agedDays: number) =>
  sql<{ cashStatus: CashStatus; isPaid: boolean; parcels: number; cod: string; aged: string }[]>`
    select p.cash_status, r.id is not null as is_paid, count(*)::int as parcels, sum(-d.sales) as cod,
      coalesce(sum(d.carrier) filter (where r.id is null and d.at < now() - ${agedDays} * interval '1 day'), 0) as aged
    from ledger_entries d join parcels p on p.project_id = d.project_id and p.id = d.parcel_id
    left join ledger_entries r on r.project_id = d.project_id and r.parcel_id = d.parcel_id and r.kind = 'remittance' and r.stands
    where d.project_id = ${projectId} and d.connection_id = ${connectionId} and d.kind = 'delivered' and d.stands group by 1, 2`

/** Balances of the accounts of a connection, as `numeric` text. */
export interface AccountBalances {
  readonly carrier: string
  readonly sales: string
  readonly fees: string
  readonly bank: string
  readonly difference: string
}

const sums = (
  sql: Queryable,
) => sql`coalesce(sum(carrier), 0) as carrier, coalesce(-sum(sales), 0) as sales, coalesce(sum(fees), 0) as fees,
  coalesce(sum(bank), 0) as bank, coalesce(sum(difference), 0) as difference`

/** Sums the accounts of a connection. Sales are positive here. */
export const sumAccounts = async (sql: Queryable, projectId: string, connectionId: string) =>
  expectOne(
    await sql<
      AccountBalances[]
    >`select ${sums(sql)} from ledger_entries where project_id = ${projectId} and connection_id = ${connectionId}`,
  )

/** Sums the accounts of a connection for each of the last `most` UTC months with entries, newest first. */
export const sumMonths = (sql: Queryable, projectId: string, connectionId: string, most: number) =>
  sql<(AccountBalances & { month: string })[]>`
    select to_char(date_trunc('month', at, 'UTC') at time zone 'UTC', 'YYYY-MM') as month, ${sums(sql)} from ledger_entries
    where project_id = ${projectId} and connection_id = ${connectionId} group by 1 order by 1 desc limit ${most}`

/** Counts a tenant's parcels that were delivered in the last `days` days and that no confirmed remittance has paid. */
export const countOwedParcels = async (sql: Queryable, tenantId: number, days: number) =>
  expectOne(
    await sql<{ count: number }[]>`
    select count(*)::int as count from projects own join ledger_entries d on d.project_id = own.id
    where own.tenant_id = ${tenantId} and d.kind = 'delivered' and d.stands and d.sales <> 0 and d.at > now() - ${days} * interval '1 day'
      and not exists (select 1 from ledger_entries r where r.project_id = d.project_id and r.parcel_id = d.parcel_id and r.kind = 'remittance' and r.stands)`,
  ).count

/** Unpaid money of a connection: how many parcels or payments, and how much of it is aged. `numeric` columns come as text. */
export interface UnpaidSum {
  readonly connectionId: string
  readonly unpaid: number
  /** Time of the oldest one. */
  readonly since: string
  readonly agedUnpaid: number
  readonly aged: string
}

/** Sums what each carrier of a project owes for parcels that no confirmed remittance has paid. */
export const sumOwedByConnection = (sql: Queryable, projectId: string, agedDays: number) => {
  const isAged = sql`filter (where d.at < now() - ${agedDays} * interval '1 day')`
  return sql<UnpaidSum[]>`
    select d.connection_id, count(*)::int as unpaid, min(d.at) as since, count(*) ${isAged}::int as aged_unpaid, coalesce(sum(d.carrier) ${isAged}, 0) as aged
    from ledger_entries d where d.project_id = ${projectId} and d.kind = 'delivered' and d.stands
      and not exists (select 1 from ledger_entries r where r.project_id = d.project_id and r.parcel_id = d.parcel_id and r.kind = 'remittance' and r.stands)
    group by 1`
}

/** Returns the balance that each carrier and gateway of a project owes, as `numeric` text. */
export const sumBalancesByConnection = (sql: Queryable, projectId: string) =>
  sql<{ connectionId: string; owed: string }[]>`
    select connection_id, sum(carrier) as owed from ledger_entries where project_id = ${projectId} group by 1`
