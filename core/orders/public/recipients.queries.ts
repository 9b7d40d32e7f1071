import { projectIdOf } from '../../data/project-ids.ts'
import { expectOne, json, type Queryable } from '../../data/sql.ts'
import type { OrderKey } from '../orders.queries.ts'

/** Outcome of a parcel at its recipient. */
export interface RecipientOutcome {
  readonly projectId: string
  readonly parcelId: string
  /** E.164. */
  readonly phone: string
  /** `back` means refused, or returned if the parcel was delivered before. */
  readonly outcome: 'delivered' | 'back'
}

/** Inserts or updates one row per parcel. The caller must have locked the parcels. */
export const upsertRecipientOutcomes = (sql: Queryable, endings: readonly RecipientOutcome[]) =>
  sql`insert into recipient_outcomes as r (project_id, parcel_id, phone, outcome)
    select e."projectId", e."parcelId", e.phone, case e.outcome when 'back' then 'refused' else e.outcome end
    from jsonb_to_recordset(${json(sql, endings)}) as e ("projectId" text, "parcelId" text, phone text, outcome text)
    on conflict (project_id, parcel_id) do update set
      outcome = case when excluded.outcome = 'refused' and r.outcome in ('delivered', 'returned') then 'returned' else excluded.outcome end`

/** Numbers of parcels of a phone number by their outcome. */
export interface OutcomeCounts {
  readonly delivered: number
  readonly returned: number
  readonly refused: number
}

/** Counts the parcel outcomes of a phone number (E.164). */
export const countOutcomesByPhone = (sql: Queryable, phone: string) => countOf(sql, sql`${phone}`)

/** Counts the parcel outcomes of the phone number of an order. */
export const countOutcomesByOrder = (sql: Queryable, { storeId, id }: OrderKey) =>
  countOf(sql, sql`(select customer_phone from orders where project_id = ${projectIdOf(storeId)} and id = ${id})`)

const countOf = async (sql: Queryable, phone: ReturnType<Queryable>) =>
  expectOne(
    await sql<OutcomeCounts[]>`
      select count(*) filter (where outcome = 'delivered')::int as delivered, count(*) filter (where outcome = 'returned')::int as returned,
        count(*) filter (where outcome = 'refused')::int as refused from recipient_outcomes where phone = ${phone}`,
  )
