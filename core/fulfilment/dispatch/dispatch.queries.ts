import { equalsCondition, keysetPage, type SortedRow, sortValueColumn } from '../../data/keyset-page.ts'
import { keyedByProject, projectIdOf } from '../../data/project-ids.ts'
import { json, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import { countWaiting, WAITING_MAX } from '../../data/waiting.ts'
import type { Dispatch, DispatchAttempt, DispatchListRequest, DispatchRule } from './dispatch.model.ts'

/** Reads the rules of a store; empty without rules. */
export const findDispatchRules = async (sql: Queryable, storeId: string): Promise<DispatchRule[]> =>
  (await sql<{ rules: DispatchRule[] }[]>`select rules from dispatch_rules where project_id = ${projectIdOf(storeId)}`)[0]?.rules ?? []

/** Inserts or replaces the rules of a store. */
export const upsertDispatchRules = (sql: Queryable, storeId: string, rules: readonly DispatchRule[]) =>
  sql`insert into dispatch_rules (project_id, rules) values (${projectIdOf(storeId)}, ${json(sql, rules)})
    on conflict (project_id) do update set rules = excluded.rules, updated_at = now()`

/** Ended parcels of a connection in one state, by delivery type. */
export interface SuccessRow {
  readonly carrierAccountId: string
  readonly stateCode: string
  readonly deliveryType: string
  readonly delivered: number
  readonly returned: number
}

/** Counts the delivered and returned parcels of connections in these states, created in the last 180 days. */
export const countDeliveryOutcomes = (sql: Queryable, connectionIds: readonly string[], stateCodes: readonly string[]) =>
  sql<SuccessRow[]>`
    select carrier_account_id, destination->>'stateCode' as state_code, destination->>'deliveryType' as delivery_type,
      count(*) filter (where status = 'delivered')::int as delivered, count(*) filter (where status = 'returned')::int as returned
    from parcels where carrier_account_id = any (${connectionIds as string[]}) and destination->>'stateCode' = any (${stateCodes as string[]})
      and status in ('delivered', 'returned') and created_at > now() - interval '180 days'
    group by 1, 2, 3`

/** Serializes dispatches by share in a store until the transaction ends. */
export const lockShares = (sql: Tx, storeId: string) => sql`select pg_advisory_xact_lock(hashtextextended(${`dispatch ${storeId}`}, 0))`

/** Counts the orders that each carrier received under these rules in the last 30 days. */
export const countAssigned = (sql: Queryable, storeId: string, rules: readonly string[]) =>
  sql<{ rule: string; carrier: string; count: number }[]>`
    select rule, carrier, count(*)::int as count from dispatches
    where project_id = ${projectIdOf(storeId)} and rule = any (${rules as string[]}) and at > now() - interval '30 days' and carrier is not null group by rule, carrier`

const columns = (sql: Queryable) => sql`id, order_id, rule, carrier, reason, outcome, tried, parcel_id, at`

/** Columns of a new dispatch. */
export type NewDispatch = Pick<Dispatch, 'id' | 'orderId' | 'rule' | 'carrier' | 'reason' | 'outcome'> & { readonly storeId: string }

/** Inserts dispatches, except for orders that another request is dispatching. Returns the inserted ids. */
export const insertDispatches = async (sql: Queryable, rows: readonly NewDispatch[]) =>
  rows.length === 0
    ? []
    : (
        await sql<{ id: string }[]>`
          insert into dispatches ${rowValues(sql, rows.map(keyedByProject))} on conflict (project_id, order_id) where outcome = 'running' do nothing returning id`
      ).map(({ id }) => id)

/** Expires dispatches without progress for the given seconds, whose requests have died. */
export const expireAbandonedDispatches = (sql: Queryable, storeId: string, orderIds: readonly string[], seconds: number) =>
  sql`update dispatches set outcome = 'waiting', updated_at = now() where project_id = ${projectIdOf(storeId)} and order_id = any (${orderIds as string[]})
    and outcome = 'running' and updated_at < now() - ${seconds} * interval '1 second'`

/** Updates a running dispatch; an expired one stays as it is. */
export const updateDispatch = (
  sql: Queryable,
  storeId: string,
  id: string,
  change: { carrier: string | null; outcome: Dispatch['outcome']; tried: readonly DispatchAttempt[]; parcelId: string | null },
) =>
  sql`update dispatches set ${rowValues(sql, { ...change, updatedAt: new Date() }, ['tried'])}
    where project_id = ${projectIdOf(storeId)} and id = ${id} and outcome = 'running'`

/** Finds the newest dispatch of an order. */
export const findLastDispatch = async (sql: Queryable, storeId: string, orderId: string) =>
  (
    await sql<
      Dispatch[]
    >`select ${columns(sql)} from dispatches where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} order by id desc limit 1`
  )[0]

/** Reads a page of the dispatches of a store. */
export const listDispatches = (sql: Queryable, storeId: string, { filter, page: part }: DispatchListRequest) =>
  sql<
    (Dispatch & SortedRow)[]
  >`select ${columns(sql)} ${sortValueColumn(sql, part)} from dispatches where project_id = ${projectIdOf(storeId)} ${equalsCondition(sql, filter)} ${keysetPage(sql, part)}`

/** Deletes dispatches older than `days`, at most `take`. Returns the number of deleted rows. */
export const deleteOldDispatches = async (sql: Queryable, days: number, take: number) =>
  (
    await sql`delete from dispatches where (project_id, id) in (select project_id, id from dispatches
      where outcome <> 'running' and at < now() - ${days} * interval '1 day' order by at limit ${take})`
  ).count

/** Counts the confirmed orders that the dispatcher left to a person, among the first ones without a parcel. */
export const countUndispatchedOrders = countWaiting(
  (sql, projectId) => sql`
    select d.at, o.id as "orderId" from (
      select id from orders where project_id = ${projectId} and status = 'confirmed' and deleted_at is null and parcel_id is null
      order by updated_at, id limit ${WAITING_MAX + 1}) o
    join lateral (
      select at, outcome from dispatches where project_id = ${projectId} and order_id = o.id order by id desc limit 1
    ) d on d.outcome in ('waiting', 'refused')
    order by d.at`,
)
