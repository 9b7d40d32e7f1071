import { keyedByProject, projectIdOf, storeIdColumn } from '../../data/project-ids.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Erasure } from './privacy.model.ts'

/** Row of `erasures`. */
export interface ErasureRow extends Omit<Erasure, 'kept' | 'carriers'> {
  readonly carriersTold: readonly string[]
  /** Encrypted subject of the erasure; null when it is complete. */
  readonly people: string | null
  readonly pass: number
  readonly step: number
  readonly place: string | null
}

type NewErasure = Pick<ErasureRow, 'storeId' | 'id' | 'cause' | 'customers' | 'orders' | 'parcels' | 'people'> & {
  readonly askedBy: string | null
  readonly carriersTold: readonly string[]
}

/** Inserts an erasure. */
export const insertErasure = (tx: Tx, erasure: NewErasure) => tx`insert into erasures ${rowValues(tx, keyedByProject(erasure))}`

const selectErasures = (sql: Queryable) => sql`select e.*, ${storeIdColumn(sql, 'e')} from erasures e`

/** Finds an erasure of a store. */
export const findErasure = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<ErasureRow[]>`${selectErasures(sql)} where e.project_id = ${projectIdOf(storeId)} and e.id = ${id}`)[0]

/** Lists the erasures of a store, newest first, older than `before`. */
export const listErasures = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<
    ErasureRow[]
  >`${selectErasures(sql)} where e.project_id = ${projectIdOf(storeId)} and (${before}::text is null or e.id < ${before}) order by e.id desc limit ${take}`

/** Saves the progress of an erasure, unless another process is further. */
export const updateErasureProgress = (
  sql: Queryable,
  { storeId, id }: Pick<ErasureRow, 'storeId' | 'id'>,
  at: Pick<ErasureRow, 'pass' | 'step' | 'place'>,
) =>
  sql`update erasures set step = ${at.step}, place = ${at.place} where project_id = ${projectIdOf(storeId)} and id = ${id} and pass = ${at.pass} and step <= ${at.step}`

/** Marks the first pass of an erasure as done, and starts the second. */
export const completeFirstPass = (sql: Queryable, storeId: string, id: string) =>
  sql`update erasures set state = 'done', done_at = now(), pass = 2, step = 0, place = null where project_id = ${projectIdOf(storeId)} and id = ${id} and pass = 1`

/** Completes an erasure, and deletes its encrypted subject. */
export const completeErasure = (sql: Queryable, storeId: string, id: string) =>
  sql`update erasures set swept_at = now(), people = null where project_id = ${projectIdOf(storeId)} and id = ${id}`

/** Lists erasures without progress for the given minutes: their job was lost, or their second pass is due. */
export const listOpenErasures = (sql: Queryable, minutes: number, take: number) =>
  sql<Pick<ErasureRow, 'storeId' | 'id'>[]>`select ${storeIdColumn(sql, 'erasures')}, id from erasures
    where swept_at is null and coalesce(done_at, asked_at) < now() - ${minutes} * interval '1 minute' order by asked_at limit ${take}`

/** Personal data found for the people to erase. */
export interface GatheredData {
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

/** Reads the data of the people with these phone numbers, e-mail addresses or orders. */
export const gatherPersonalData = async (
  sql: Queryable,
  { storeId, projectId }: { storeId: string; projectId: string },
  of: { phones: readonly string[]; emails: readonly string[]; orderIds: readonly string[] },
) =>
  expectOne(
    await sql<GatheredData[]>`
    with o as materialized (
      select * from orders where project_id = ${projectIdOf(storeId)} and (customer_phone = any (${of.phones as string[]}) or id = any (${of.orderIds as string[]}))
      union select * from orders where project_id = ${projectIdOf(storeId)} and lower(customer_email) = any (${of.emails as string[]})),
    p as materialized (
      select * from parcels where project_id = ${projectId} and order_id in (select id from o)
      union select * from parcels where project_id = ${projectId} and recipient ->> 'phone' = any (${of.phones as string[]})),
    e as (select distinct lower(customer_email) as email from o where customer_email is not null),
    -- Shops without an address of somebody write the same one everywhere.
    shared as (select email from e where exists (select 1 from orders n where n.project_id = ${projectIdOf(storeId)} and lower(n.customer_email) = e.email
      and n.id not in (select id from o)))
    select array(select id from o order by id) as order_ids, array(select id from p order by id) as parcel_ids,
      array(select customer_name from o union select recipient ->> 'name' from p
        union select f.name from feedbacks f where f.project_id = ${projectId} and (f.phone = any (${of.phones as string[]}) or f.order_id in (select id from o))) as names,
      array(select email from e where email not in (select email from shared) union select unnest(${of.emails as string[]}::text[])) as emails,
      array(select email from shared) as other_emails,
      array(select customer_phone_alt from o where customer_phone_alt is not null union select recipient ->> 'phoneAlt' from p where recipient ->> 'phoneAlt' is not null) as other_phones,
      array(select a from (select destination ->> 'address' as a from o union select destination ->> 'address' from p) d where a <> '') as addresses,
      array(select note from o where note <> '' union select notes from p where notes <> '') as notes,
      array(select reference from o union select reference from p union select tracking_id from p where tracking_id is not null) as references,
      array(select distinct courier_id from p where courier_id is not null and submitted_at is not null) as carriers`,
  )

/** Lists the phone numbers of the customers of these orders, and of the orders with these e-mail addresses. */
export const listPhonesOfOrders = async (sql: Queryable, storeId: string, orderIds: readonly string[], emails: readonly string[]) =>
  (
    await sql<{ phone: string }[]>`select customer_phone as phone from orders
        where project_id = ${projectIdOf(storeId)} and id = any (${orderIds as string[]}) and erased_at is null
      union select customer_phone from orders
        where project_id = ${projectIdOf(storeId)} and lower(customer_email) = any (${emails as string[]}) and erased_at is null`
  ).map(({ phone }) => phone)
