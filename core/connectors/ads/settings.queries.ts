import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'
import { deleteEvents } from './events/events.queries.ts'

/** Linked ad account, as it is stored. */
export interface AccountRow {
  readonly projectId: string
  readonly connectionId: string
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly timeZone: string
  readonly readAt: string | null
  readonly problem: string | null
  /** First day that is still to be read; null if all days are read. */
  readonly nextDay: string | null
}

/** Primary key of an account. */
export type AccountKey = Pick<AccountRow, 'projectId' | 'connectionId' | 'id'>

/** Rule that sends an event to a pixel when an order reaches a status, as it is stored. */
export interface RuleRow {
  readonly projectId: string
  readonly id: string
  readonly connectionId: string
  readonly status: string
  readonly event: string
  readonly pixelId: string
  readonly withValue: boolean
  readonly createdAt: string
}

/** Locks the settings of a connection until the transaction ends, with an advisory lock. */
export const lockSettings = (tx: Tx, connectionId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`ads ${connectionId}`}, 0))`

/** Lists the linked accounts of a connection. */
export const listAccounts = (sql: Queryable, { id, projectId }: ConnectionRef) =>
  sql<AccountRow[]>`select * from ads_accounts where project_id = ${projectId} and connection_id = ${id} order by id`

/** Finds a linked account. */
export const findAccount = async (sql: Queryable, { id, projectId }: ConnectionRef, accountId: string) =>
  (await sql<AccountRow[]>`select * from ads_accounts where project_id = ${projectId} and connection_id = ${id} and id = ${accountId}`)[0]

/** Locks an account until the transaction ends; undefined if it is no longer linked. */
export const lockAccount = async (tx: Tx, { projectId, connectionId, id }: AccountKey) =>
  (
    await tx<
      AccountRow[]
    >`select * from ads_accounts where project_id = ${projectId} and connection_id = ${connectionId} and id = ${id} for update`
  )[0]

/** Deletes the accounts of a connection, except those with the given ids. */
export const deleteOtherAccounts = (tx: Tx, { id, projectId }: ConnectionRef, ids: readonly string[]) =>
  tx`delete from ads_accounts where project_id = ${projectId} and connection_id = ${id} and not (id = any (${ids as string[]}))`

/** Inserts an account, or updates the name, currency and time zone of a linked one. */
export const upsertAccount = (tx: Tx, account: Omit<AccountRow, 'readAt' | 'problem' | 'nextDay'>) =>
  tx`insert into ads_accounts ${rowValues(tx, account)} on conflict (project_id, connection_id, id) do update
    set name = excluded.name, currency = excluded.currency, time_zone = excluded.time_zone`

/** Lists the rules of a connection. */
export const listRules = (sql: Queryable, { id, projectId }: ConnectionRef) =>
  sql<RuleRow[]>`select * from ads_rules where project_id = ${projectId} and connection_id = ${id} order by id`

/** Deletes rules. */
export const deleteRules = (tx: Tx, projectId: string, ids: readonly string[]) =>
  tx`delete from ads_rules where project_id = ${projectId} and id = any (${ids as string[]})`

/** Inserts a rule, or updates whether it sends the order's value. */
export const upsertRule = (tx: Tx, rule: Omit<RuleRow, 'createdAt'>) =>
  tx`insert into ads_rules ${rowValues(tx, rule)} on conflict (project_id, connection_id, status, event, pixel_id) do update set with_value = excluded.with_value`

/** Deletes everything stored for a connection: rules, accounts, links, spend and events. */
export async function deleteAdsConnectionData(tx: Tx, connection: ConnectionRef) {
  const { id, projectId } = connection
  await lockSettings(tx, id)
  await tx`delete from ads_rules where project_id = ${projectId} and connection_id = ${id}`
  await tx`delete from ads_accounts where project_id = ${projectId} and connection_id = ${id}`
  await tx`delete from ads_links where project_id = ${projectId} and connection_id = ${id}`
  await tx`delete from ads_spend where project_id = ${projectId} and connection_id = ${id}`
  await deleteEvents(tx, connection)
}
