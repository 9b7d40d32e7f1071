import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Erasure } from './privacy.model.ts'

export interface ErasureRow extends Omit<Erasure, 'kept' | 'carriers'> {
  readonly carriersTold: readonly string[]
  /** Sealed; null when it is over. */
  readonly people: string | null
  readonly pass: number
  readonly step: number
  readonly place: string | null
}

type NewErasure = Pick<ErasureRow, 'storeId' | 'id' | 'cause' | 'customers' | 'orders' | 'parcels' | 'people'> & {
  readonly askedBy: string | null
  readonly carriersTold: readonly string[]
}

export const insertErasure = (tx: Tx, erasure: NewErasure) => tx`insert into erasures ${rowValues(tx, erasure)}`

const shown = (sql: Queryable) => sql`select e.* from erasures e`

export const findErasure = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<ErasureRow[]>`${shown(sql)} where e.store_id = ${storeId} and e.id = ${id}`)[0]

export const listErasures = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<
    ErasureRow[]
  >`${shown(sql)} where e.store_id = ${storeId} and (${before}::text is null or e.id < ${before}) order by e.id desc limit ${take}`

/** Unless another process is further already. */
export const noteProgress = (
  sql: Queryable,
  { storeId, id }: Pick<ErasureRow, 'storeId' | 'id'>,
  at: Pick<ErasureRow, 'pass' | 'step' | 'place'>,
) =>
  sql`update erasures set step = ${at.step}, place = ${at.place} where store_id = ${storeId} and id = ${id} and pass = ${at.pass} and step <= ${at.step}`

export const endFirstPass = (sql: Queryable, storeId: string, id: string) =>
  sql`update erasures set state = 'done', done_at = now(), pass = 2, step = 0, place = null where store_id = ${storeId} and id = ${id} and pass = 1`

export const endErasure = (sql: Queryable, storeId: string, id: string) =>
  sql`update erasures set swept_at = now(), people = null where store_id = ${storeId} and id = ${id}`

/** Those that stand still: their job was lost, or their second pass is due. */
export const listOpenErasures = (sql: Queryable, minutes: number, take: number) =>
  sql<Pick<ErasureRow, 'storeId' | 'id'>[]>`select store_id, id from erasures
    where swept_at is null and coalesce(done_at, asked_at) < now() - ${minutes} * interval '1 minute' order by asked_at limit ${take}`

export interface Gathered {
  readonly orderIds: string[]
  readonly parcelIds: string[]
  readonly names: string[]
  readonly emails: string[]
  readonly otherEmails: string[]
  readonly otherPhones: string[]
  readonly addresses: string[]
  readonly notes: string[]
  readonly references: string[]
  readonly carriers: string[]
}

/** All that is known of the people who have these phone numbers or e-mail addresses, or made these orders. */
export const gatherPeople = async (
  sql: Queryable,
  { storeId, projectId }: { storeId: string; projectId: string },
  of: { phones: readonly string[]; emails: readonly string[]; orderIds: readonly string[] },
) =>
  expectOne(
    await sql<Gathered[]>`
    with o as materialized (
      select * from orders where store_id = ${storeId} and (customer_phone = any (${of.phones as string[]}) or id = any (${of.orderIds as string[]}))
      union select * from orders where store_id = ${storeId} and lower(customer_email) = any (${of.emails as string[]})),
    p as materialized (
      select * from parcels where project_id = ${projectId} and order_id in (select id from o)
      union select * from parcels where project_id = ${projectId} and recipient ->> 'phone' = any (${of.phones as string[]})),
    e as (select distinct lower(customer_email) as email from o where customer_email is not null),
    -- Shops without an address of somebody write the same one everywhere.
    shared as (select email from e where exists (select 1 from orders n where n.store_id = ${storeId} and lower(n.customer_email) = e.email
      and n.id not in (select id from o)))
    select array(select id from o order by id) as order_ids, array(select id from p order by id) as parcel_ids,
      array(select customer_name from o union select recipient ->> 'name' from p
        union select f.name from feedbacks f where f.store_id = ${storeId} and (f.phone = any (${of.phones as string[]}) or f.order_id in (select id from o))) as names,
      array(select email from e where email not in (select email from shared) union select unnest(${of.emails as string[]}::text[])) as emails,
      array(select email from shared) as other_emails,
      array(select customer_phone_alt from o where customer_phone_alt is not null union select recipient ->> 'phoneAlt' from p where recipient ->> 'phoneAlt' is not null) as other_phones,
      array(select a from (select destination ->> 'address' as a from o union select destination ->> 'address' from p) d where a <> '') as addresses,
      array(select note from o where note <> '' union select notes from p where notes <> '') as notes,
      array(select reference from o union select reference from p union select tracking_id from p where tracking_id is not null) as references,
      array(select distinct courier_id from p where courier_id is not null and submitted_at is not null) as carriers`,
  )

/** Phone numbers of the customers of these orders, and of the orders with these e-mail addresses. */
export const phonesOfOrders = async (sql: Queryable, storeId: string, orderIds: readonly string[], emails: readonly string[]) =>
  (
    await sql<{ phone: string }[]>`select customer_phone as phone from orders
        where store_id = ${storeId} and id = any (${orderIds as string[]}) and erased_at is null
      union select customer_phone from orders
        where store_id = ${storeId} and lower(customer_email) = any (${emails as string[]}) and erased_at is null`
  ).map(({ phone }) => phone)
