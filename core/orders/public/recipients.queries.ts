import { expectOne, json, type Queryable } from '../../data/sql.ts'
import type { RecipientRecord } from '../details/details.model.ts'
import type { OrderKey } from '../orders.queries.ts'

export interface Ending {
  readonly projectId: string
  readonly parcelId: string
  /** E.164. */
  readonly phone: string
  /** `back`: refused, or where it was delivered before, returned. */
  readonly outcome: 'delivered' | 'back'
}

/** One row a parcel, whatever is told of it how often; the caller holds the parcels. */
export const upsertOutcomes = (sql: Queryable, endings: readonly Ending[]) =>
  sql`insert into recipient_outcomes as r (project_id, parcel_id, phone, outcome)
    select e."projectId", e."parcelId", e.phone, case e.outcome when 'back' then 'refused' else e.outcome end
    from jsonb_to_recordset(${json(sql, endings)}) as e ("projectId" text, "parcelId" text, phone text, outcome text)
    on conflict (project_id, parcel_id) do update set
      outcome = case when excluded.outcome = 'refused' and r.outcome in ('delivered', 'returned') then 'returned' else excluded.outcome end`

export const countOutcomes = (sql: Queryable, phone: string) => countOf(sql, sql`${phone}`)

/** The same of whoever ordered, by the order. */
export const countOutcomesOf = (sql: Queryable, { storeId, id }: OrderKey) =>
  countOf(sql, sql`(select customer_phone from orders where store_id = ${storeId} and id = ${id})`)

const countOf = async (sql: Queryable, phone: ReturnType<Queryable>) =>
  expectOne(
    await sql<RecipientRecord[]>`
      select count(*) filter (where outcome = 'delivered')::int as delivered, count(*) filter (where outcome = 'returned')::int as returned,
        count(*) filter (where outcome = 'refused')::int as refused from recipient_outcomes where phone = ${phone}`,
  )
