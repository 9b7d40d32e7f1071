import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'

/** Store that deletes personal data after a number of days. */
export interface RetainingStore {
  readonly id: string
  readonly projectId: string
  readonly days: number
}

/** Moment before which a row is older than its store keeps personal data. */
export const olderThan = (sql: Queryable, days: number) => sql`now() - ${days} * interval '1 day'`

/** Matches a parcel whose recipient must stay: it is recent, or with a carrier, or queued for one. */
export const isRetained = (sql: Queryable, days: number) => sql`(p.created_at >= ${olderThan(sql, days)}
  or not (p.status in ('delivered', 'returned', 'cancelled', 'lost') or (p.status = 'created' and p.submit_at is null)))`

/** Lists customers whose orders and parcels have all ended and are older than the retention period. */
export const listOutdatedCustomers = (sql: Queryable, { id, projectId, days }: RetainingStore, take: number) =>
  sql<
    { id: string }[]
  >`select c.id from customers c where c.project_id = ${projectIdOf(id)} and c.erased_at is null and c.merged_into is null
    and c.created_at < ${olderThan(sql, days)}
    and not exists (select 1 from orders o where o.project_id = c.project_id
      and o.customer_phone in (select n.phone from customers n where n.project_id = c.project_id and (n.id = c.id or n.merged_into = c.id))
      and (o.created_at >= ${olderThan(sql, days)} or (o.deleted_at is null and o.status not in ('delivered', 'returned', 'cancelled', 'lost'))))
    and not exists (select 1 from parcels p where p.project_id = ${projectId} and ${isRetained(sql, days)}
      and p.recipient ->> 'phone' in (select n.phone from customers n where n.project_id = c.project_id and (n.id = c.id or n.merged_into = c.id)))
    order by c.id limit ${take}`

/** Lists phone numbers of recipients that are not customers, whose parcels have all ended and are older than the retention period. */
export const listOutdatedRecipients = async (sql: Queryable, { id, projectId, days }: RetainingStore, take: number) =>
  (
    await sql<{ phone: string }[]>`select distinct o.recipient ->> 'phone' as phone from parcels o
      where o.project_id = ${projectId} and o.order_id is null and o.erased_at is null and o.created_at < ${olderThan(sql, days)}
        and not exists (select 1 from parcels p where p.project_id = ${projectId} and p.recipient ->> 'phone' = o.recipient ->> 'phone' and ${isRetained(sql, days)})
        and not exists (select 1 from customers c where c.project_id = ${projectIdOf(id)} and c.phone = o.recipient ->> 'phone' and c.erased_at is null)
      limit ${take}`
  ).map(({ phone }) => phone)

/** Lists stores with a retention period, in id order after the given id. */
export const listRetainingStores = (sql: Queryable, after: string, take: number) =>
  sql<RetainingStore[]>`select id, project_id, (settings ->> 'retentionDays')::integer as days from stores
    where deleted_at is null and settings ? 'retentionDays' and id > ${after} order by id limit ${take}`
