import { recordsetOf } from '../../../data/rows.ts'
import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'
import type { AccountKey } from '../settings.queries.ts'

/** Spend and figures of one ad on one day, as it is stored. */
export interface SpendRow {
  readonly projectId: string
  readonly connectionId: string
  readonly accountId: string
  readonly day: string
  readonly adId: string
  readonly adSetId: string
  readonly campaignId: string
  readonly campaignName: string | null
  readonly currency: string
  readonly spend: string
  readonly impressions: number
  readonly clicks: number
  readonly purchases: number
  readonly leads: number
}

/** Claims due accounts by delaying them for `seconds`, so that no other process reads them. */
export const claimAccounts = (sql: Queryable, most: number, seconds: number) =>
  sql<AccountKey[]>`
    with due as (select project_id, connection_id, id from ads_accounts where due_at <= now() order by due_at limit ${most} for update skip locked)
    update ads_accounts a set due_at = now() + ${seconds} * interval '1 second' from due d
    where a.project_id = d.project_id and a.connection_id = d.connection_id and a.id = d.id returning a.project_id, a.connection_id, a.id`

/** Deletes the spend of an account between two days, both included. */
export const deleteSpendOfDays = (tx: Tx, { projectId, connectionId, id }: AccountKey, from: string, to: string) =>
  tx`delete from ads_spend
    where project_id = ${projectId} and connection_id = ${connectionId} and account_id = ${id} and day between ${from}::text::date and ${to}::text::date`

/** Inserts rows of spend. */
export async function insertSpend(tx: Tx, rows: readonly SpendRow[]) {
  const { names, from } = recordsetOf(tx, 'ads_spend', rows)
  await tx`insert into ads_spend (${names}) select ${names} from ${from} r`
}

/** Counts the rows of the fullest of the last days. */
export const countRowsOfFullestDay = async (sql: Queryable, { projectId, connectionId, id }: AccountKey, days: number): Promise<number> =>
  expectOne(
    await sql<{ most: number }[]>`select coalesce(max(rows), 0)::int as most from (select count(*) as rows from ads_spend
      where project_id = ${projectId} and connection_id = ${connectionId} and account_id = ${id} and day > now() - ${days + 1} * interval '1 day' group by day) each`,
  ).most

/** Records the day at which reading continues. */
export const recordNextDay = (tx: Queryable, { projectId, connectionId, id }: AccountKey, nextDay: string) =>
  tx`update ads_accounts set next_day = ${nextDay}
    where project_id = ${projectId} and connection_id = ${connectionId} and id = ${id}`

/** Records that all days of an account were read, and clears its problem. */
export const recordAccountRead = (tx: Queryable, { projectId, connectionId, id }: AccountKey) =>
  tx`update ads_accounts set read_at = now(), next_day = null, problem = null
    where project_id = ${projectId} and connection_id = ${connectionId} and id = ${id}`

/** Records why an account could not be read. */
export const recordAccountProblem = (sql: Queryable, { projectId, connectionId, id }: AccountKey, problem: string) =>
  sql`update ads_accounts set problem = ${problem}
    where project_id = ${projectId} and connection_id = ${connectionId} and id = ${id}`

/** Deletes spend that is more than `days` old. */
export const deleteOldSpend = (sql: Queryable, days: number, most: number) =>
  sql`delete from ads_spend where ctid = any (array(select ctid from ads_spend where day < now() - ${days} * interval '1 day' limit ${most}))`
