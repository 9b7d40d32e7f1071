import { json, type Queryable } from '../../data/sql.ts'
import type { ParcelRow } from './parcels.queries.ts'

/** What tells when news of a parcel may come. */
export type Watched = Pick<ParcelRow, 'status' | 'cashStatus' | 'codAmount' | 'submittedAt' | 'lastReportAt'>

export type DueParcel = Watched & Pick<ParcelRow, 'id'> & { readonly trackingId: string }

/** Accounts with parcels whose time has come, the longest waiting first. */
export const listDueConnections = (sql: Queryable, take: number) =>
  sql<{ id: string; key: string }[]>`select i.id, i.key from integrations i
    cross join lateral (select poll_at from parcels where carrier_account_id = i.id collate "default" and poll_at <= now() order by poll_at limit 1) longest
    where i.enabled and i.deleted_at is null order by longest.poll_at limit ${take}`

/** Takes parcels that are due, the longest waiting first, and puts them off meanwhile: no other process asks for the same. */
export const claimDue = (sql: Queryable, { id, projectId }: { id: string; projectId: string }, putOffSeconds: number, take: number) =>
  sql<
    DueParcel[]
  >`update parcels set poll_at = now() + ${putOffSeconds} * interval '1 second' where project_id = ${projectId} and id = any (array(
      select id from parcels where carrier_account_id = ${id} and poll_at <= now() and tracking_id is not null order by poll_at limit ${take} for update skip locked))
    returning id, tracking_id, status, cash_status, cod_amount, submitted_at, last_report_at`

export const readWatched = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<DueParcel[]>`select id, tracking_id, status, cash_status, cod_amount, submitted_at, last_report_at from parcels
    where project_id = ${projectId} and id = any (${ids as string[]})`

export const setPolls = (sql: Queryable, projectId: string, polls: readonly { id: string; at: string | null }[]) =>
  sql`update parcels p set poll_at = n.at from jsonb_to_recordset(${json(sql, polls)}::jsonb) as n (id text, at timestamptz)
    where p.project_id = ${projectId} and p.id = n.id`
