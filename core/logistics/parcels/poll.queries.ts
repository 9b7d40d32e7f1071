import { json, type Queryable } from '../../data/sql.ts'
import type { ParcelRow } from './parcels.queries.ts'

/** Columns that determine the time of a parcel's next poll. */
export type PollState = Pick<ParcelRow, 'status' | 'cashStatus' | 'codAmount' | 'submittedAt' | 'lastReportAt'>

/** Parcel to poll, with its tracking number. */
export type DueParcel = PollState & Pick<ParcelRow, 'id'> & { readonly trackingId: string }

/** Lists connections with parcels that are due for a poll, the longest overdue first. */
export const listDueConnections = (sql: Queryable, take: number) =>
  sql<{ id: string; key: string }[]>`select i.id, i.key from integrations i
    cross join lateral (select poll_at from parcels where carrier_account_id = i.id collate "default" and poll_at <= now() order by poll_at limit 1) longest
    where i.enabled and i.deleted_at is null order by longest.poll_at limit ${take}`

/** Claims parcels that are due for a poll, the longest overdue first, and postpones them, so that no other process polls them. */
export const claimDueParcels = (
  sql: Queryable,
  { id, projectId }: { id: string; projectId: string },
  putOffSeconds: number,
  take: number,
) =>
  sql<
    DueParcel[]
  >`update parcels set poll_at = now() + ${putOffSeconds} * interval '1 second' where project_id = ${projectId} and id = any (array(
      select id from parcels where carrier_account_id = ${id} and poll_at <= now() and tracking_id is not null order by poll_at limit ${take} for update skip locked))
    returning id, tracking_id, status, cash_status, cod_amount, submitted_at, last_report_at`

/** Reads the polling state of parcels. */
export const readPollStates = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<DueParcel[]>`select id, tracking_id, status, cash_status, cod_amount, submitted_at, last_report_at from parcels
    where project_id = ${projectId} and id = any (${ids as string[]})`

/** Sets the next poll times of parcels; null ends polling. */
export const updatePollTimes = (sql: Queryable, projectId: string, polls: readonly { id: string; at: string | null }[]) =>
  sql`update parcels p set poll_at = n.at from jsonb_to_recordset(${json(sql, polls)}::jsonb) as n (id text, at timestamptz)
    where p.project_id = ${projectId} and p.id = n.id`
