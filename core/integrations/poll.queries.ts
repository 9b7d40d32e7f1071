import type { Queryable } from '../data/sql.ts'
import type { Watched } from './poll-schedule.ts'

export interface DueParcel extends Watched {
  readonly id: string
  readonly trackingId: string
}

/** Accounts with parcels whose time has come. */
export const listDueAccounts = async (sql: Queryable, take: number) =>
  (
    await sql<{ id: string }[]>`select distinct p.carrier_account_id as id from parcels p
      join integrations i on i.id = p.carrier_account_id and i.enabled and i.deleted_at is null where p.poll_at <= now() limit ${take}`
  ).map(({ id }) => id)

/** Takes parcels that are due, the longest waiting first, and puts them off meanwhile: no other process asks for the same. */
export const claimDue = (sql: Queryable, accountId: string, putOffSeconds: number, take: number) =>
  sql<DueParcel[]>`update parcels set poll_at = now() + ${putOffSeconds} * interval '1 second' where id = any (array(
      select id from parcels where carrier_account_id = ${accountId} and poll_at <= now() and tracking_id is not null order by poll_at limit ${take} for update skip locked))
    returning id, tracking_id, status, cash_status, cod_amount, submitted_at, last_report_at`

export const readWatched = (sql: Queryable, ids: readonly string[]) =>
  sql<
    DueParcel[]
  >`select id, tracking_id, status, cash_status, cod_amount, submitted_at, last_report_at from parcels where id = any (${ids as string[]})`

export const setPolls = (sql: Queryable, polls: readonly { id: string; at: string | null }[]) =>
  sql`update parcels p set poll_at = n.at from jsonb_to_recordset(${sql.json(polls as never)}::jsonb) as n (id text, at timestamptz) where p.id = n.id`
