import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import { forgetEvents } from './events/events.queries.ts'

export interface AccountRow {
  readonly connectionId: string
  readonly id: string
  readonly storeId: string
  readonly name: string
  readonly currency: string
  readonly timeZone: string
  readonly readAt: string | null
  readonly problem: string | null
  /** Where reading its days goes on; null where nothing is left of them. */
  readonly nextDay: string | null
}

export interface RuleRow {
  readonly id: string
  readonly storeId: string
  readonly connectionId: string
  readonly status: string
  readonly event: string
  readonly pixelId: string
  readonly withValue: boolean
  readonly createdAt: string
}

/** Who else changes what is said of the connection waits. */
export const holdSettings = (tx: Tx, connectionId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`ads ${connectionId}`}, 0))`

export const listAccounts = (sql: Queryable, connectionId: string) =>
  sql<AccountRow[]>`select * from ads_accounts where connection_id = ${connectionId} order by id`

export const findAccount = async (sql: Queryable, connectionId: string, id: string) =>
  (await sql<AccountRow[]>`select * from ads_accounts where connection_id = ${connectionId} and id = ${id}`)[0]

/** Holds the account until the transaction ends; undefined where it is not linked any more. */
export const lockAccount = async (tx: Tx, connectionId: string, id: string) =>
  (await tx<AccountRow[]>`select * from ads_accounts where connection_id = ${connectionId} and id = ${id} for update`)[0]

export const forgetOtherAccounts = (tx: Tx, connectionId: string, ids: readonly string[]) =>
  tx`delete from ads_accounts where connection_id = ${connectionId} and not (id = any (${ids as string[]}))`

/** One that is linked already goes on where it was. */
export const putAccount = (tx: Tx, account: Omit<AccountRow, 'readAt' | 'problem' | 'nextDay'>) =>
  tx`insert into ads_accounts ${rowValues(tx, account)} on conflict (connection_id, id) do update
    set name = excluded.name, currency = excluded.currency, time_zone = excluded.time_zone`

export const listRules = (sql: Queryable, connectionId: string) =>
  sql<RuleRow[]>`select * from ads_rules where connection_id = ${connectionId} order by id`

export const removeRules = (tx: Tx, ids: readonly string[]) => tx`delete from ads_rules where id = any (${ids as string[]})`

export const putRule = (tx: Tx, rule: Omit<RuleRow, 'createdAt'>) =>
  tx`insert into ads_rules ${rowValues(tx, rule)} on conflict (connection_id, status, event, pixel_id) do update set with_value = excluded.with_value`

/** All that is kept for a connection. */
export async function forgetConnection(tx: Tx, connectionId: string) {
  await holdSettings(tx, connectionId)
  await tx`delete from ads_rules where connection_id = ${connectionId}`
  await tx`delete from ads_accounts where connection_id = ${connectionId}`
  await tx`delete from ads_links where connection_id = ${connectionId}`
  await tx`delete from ads_spend where connection_id = ${connectionId}`
  await forgetEvents(tx, connectionId)
}
