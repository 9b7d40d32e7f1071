import { expectOne, json, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { ERASED } from '../../../lib/person/person-matcher.ts'
import type { ExternalOrder, ImportProblem } from '../connectors.model.ts'

/** Order of a shop, as it is stored. */
export interface ShopOrderRow {
  readonly projectId: string
  readonly connectionId: string
  readonly externalId: string
  readonly id: string
  readonly number: string
  readonly state: 'waiting' | 'taken' | 'over'
  readonly why: ImportProblem | null
  readonly message: string | null
  readonly missing: string[]
  readonly told: ExternalOrder
  readonly toldAt: string
  readonly applied: ExternalOrder | null
  /** JSON that the shop sent, while the order waits or its change is not applied. */
  readonly raw: unknown
  readonly orderId: string | null
  readonly pushed: PushedState | null
  /** Failed pushes of its status; `tellAfter` is the time of the next attempt. */
  readonly tellFailures: number
  readonly tellAfter: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Time at which the customer's data was erased. Personal data that the shop sends later is not stored. */
  readonly erasedAt: string | null
}

/** State of the order when it was last pushed to the shop, and why the shop refused it. */
export interface PushedState {
  /** Null if it was not imported yet. */
  readonly status: string | null
  readonly trackingId: string | null
  readonly word: string | null
  readonly refused?: string
  /** Reason for which it then waited, or its change was not applied. */
  readonly why?: ImportProblem | null
}

const JSON_COLUMNS = ['told', 'applied', 'pushed', 'raw'] as const

/** Key of an order of a shop. */
type ShopOrderKey = Pick<ShopOrderRow, 'projectId' | 'id'>

type NewRow = Pick<ShopOrderRow, 'projectId' | 'connectionId' | 'externalId' | 'id' | 'number' | 'state' | 'told' | 'toldAt'>

/** Inserts an order. Returns true for the one caller that inserted it. */
export const insertShopOrder = async (sql: Tx, order: NewRow) =>
  (await sql`insert into connector_orders ${rowValues(sql, order, JSON_COLUMNS)} on conflict do nothing`).count > 0

/** Locks an order until the transaction ends, and returns it. */
export const lockShopOrder = async (sql: Tx, { projectId, id }: ConnectionRef, externalId: string) =>
  (
    await sql<
      ShopOrderRow[]
    >`select * from connector_orders where project_id = ${projectId} and connection_id = ${id} and external_id = ${externalId} for update`
  )[0]

/** Updates columns of an order and returns it. */
export const updateShopOrder = async (
  sql: Queryable,
  { projectId, id }: ShopOrderKey,
  change: Partial<Omit<ShopOrderRow, 'projectId' | 'id'>>,
) =>
  expectOne(
    await sql<
      ShopOrderRow[]
    >`update connector_orders set ${rowValues(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)} where project_id = ${projectId} and id = ${id} returning *`,
  )

/**
 * Records the pushed state and deletes the marks that were read with it. Marks may become visible out of order, so no others are deleted.
 */
export const recordPushedState = (sql: Queryable, { projectId, id, connectionId, marks }: UnpushedOrderRow, pushed: PushedState) =>
  sql`with told as (update connector_orders
      set ${rowValues(sql, { pushed, tellFailures: 0, tellAfter: null, updatedAt: new Date() }, JSON_COLUMNS)}
      where project_id = ${projectId} and id = ${id})
    delete from connector_marks where project_id = ${projectId} and connection_id = ${connectionId} and connector_order_id = ${id}
      and id = any (${marks as string[]}::bigint[])`

const DELAY_MINUTES_MAX = 360

/** Delays the next push of an order, twice as long each time and at most six hours. */
export const delayStatusPush = (sql: Queryable, { projectId, id }: ShopOrderKey) =>
  sql`update connector_orders set tell_failures = tell_failures + 1,
    tell_after = now() + least(power(2, tell_failures), ${DELAY_MINUTES_MAX}) * interval '1 minute' where project_id = ${projectId} and id = ${id}`

/** Returns true if the order is stored as unreadable. */
export const isUnreadableOrder = async (sql: Queryable, { projectId, id }: ConnectionRef, externalId: string) =>
  (
    await sql`select 1 from connector_orders
      where project_id = ${projectId} and connection_id = ${id} and external_id = ${externalId} and why = 'unreadable'`
  ).length > 0

/** Finds an order of a connection by its id here. */
export const findShopOrder = async (sql: Queryable, connection: ConnectionRef, id: string) =>
  (
    await sql<ShopOrderRow[]>`select * from connector_orders
      where project_id = ${connection.projectId} and connection_id = ${connection.id} and id = ${id}`
  )[0]

interface OrderFilter {
  readonly state?: ShopOrderRow['state'] | undefined
  readonly why?: ImportProblem | undefined
}

/** Lists the orders of a connection by state and reason, newest first, before an id. */
export const listShopOrders = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  { state, why }: OrderFilter,
  before: string | null,
  limit: number,
) =>
  sql<ShopOrderRow[]>`select * from connector_orders where project_id = ${projectId} and connection_id = ${id}
    ${state === undefined ? sql`` : sql`and state = ${state}`} ${why === undefined ? sql`` : sql`and why = ${why}`} and (${before}::text is null or id < ${before}) order by id desc limit ${limit}`

/** Lists orders that wait, or whose change could not be applied at the time, after an id. */
export const listPendingShopOrders = (sql: Queryable, { projectId, id }: ConnectionRef, after: string, limit: number) =>
  sql<
    { id: string; externalId: string; isUnreadable: boolean }[]
  >`select id, external_id, why is not distinct from 'unreadable' as is_unreadable from connector_orders
    where project_id = ${projectId} and connection_id = ${id} and id > ${after} and (state = 'waiting' or why in ('busy', 'unreadable')) order by id limit ${limit}`

/** Order with a status that may have to be pushed, joined with the present state of the imported order. */
export interface UnpushedOrderRow extends ShopOrderRow {
  readonly status: string | null
  readonly trackingId: string | null
  readonly carrier: string | null
  /** Ids of its marks that were read. */
  readonly marks: readonly string[]
}

const isPushDue = (sql: Queryable) => sql`coalesce(c.tell_after, '-infinity') <= now()`

/** Lists the orders of a connection that are marked for a push and due, after an id. */
export const listOrdersToPush = (sql: Queryable, { projectId, id }: ConnectionRef, after: string, limit: number) =>
  sql<UnpushedOrderRow[]>`select c.*, o.status, p.tracking_id, i.key as carrier, m.marks from (
      select connector_order_id, array_agg(id::text) as marks from connector_marks
      where project_id = ${projectId} and connection_id = ${id} and connector_order_id > ${after} group by connector_order_id) m
    join connector_orders c on c.project_id = ${projectId} and c.id = m.connector_order_id and ${isPushDue(sql)}
    left join orders o on o.project_id = c.project_id and o.id = c.order_id
    left join parcels p on p.project_id = c.project_id and p.id = o.parcel_id
    left join integrations i on i.project_id = p.project_id and i.id = p.carrier_account_id
    order by m.connector_order_id limit ${limit}`

/** Marks the shops' orders that became these orders. */
export const markOrdersForPush = async (sql: Tx, orders: readonly { readonly projectId: string; readonly orderId: string }[]) =>
  void (await sql`insert into connector_marks (project_id, connection_id, connector_order_id)
    select c.project_id, c.connection_id, c.id
    from (select distinct * from unnest(${orders.map(({ projectId }) => projectId)}::text[], ${orders.map(({ orderId }) => orderId)}::text[])
      u (project_id, order_id)) m
    join connector_orders c on c.project_id = m.project_id and c.order_id = m.order_id`)

/** Operations whose failure blocks all calls until a user signs in again. */
const BLOCKING_OPERATIONS = ['oauth', 'left']

/** Lists enabled connections with due pushes, in random order: if there are more than `limit`, each run picks others. */
export const listConnectionsToPush = (sql: Queryable, limit: number) =>
  sql<{ connectionId: string; projectId: string }[]>`
    select i.id as connection_id, i.project_id from integrations i
    where i.kind in ('connector', 'spreadsheet') and i.enabled and i.deleted_at is null
      and (i.attention is null or i.attention_operation <> all (${BLOCKING_OPERATIONS}))
      and exists (select 1 from connector_marks m
        join connector_orders c on c.project_id = m.project_id and c.id = m.connector_order_id and ${isPushDue(sql)}
        where m.project_id = i.project_id and m.connection_id = i.id)
    order by random() limit ${limit}`

/** Deletes marks that are more than `days` old, and returns the number deleted. */
export const deleteOldPushMarks = async (sql: Queryable, days: number, limit: number) =>
  (
    await sql`delete from connector_marks where (project_id, connection_id, connector_order_id, id) in (
      select project_id, connection_id, connector_order_id, id from connector_marks where at < now() - ${days} * interval '1 day' order by at limit ${limit})`
  ).count

/** Lists the order numbers that users know. */
export const listOrderNumbers = async (sql: Queryable, { projectId, id }: ConnectionRef, externalIds: readonly string[], limit: number) =>
  (
    await sql<{ number: string }[]>`select number from connector_orders
      where project_id = ${projectId} and connection_id = ${id} and external_id = any (${externalIds as string[]}) order by id limit ${limit}`
  ).map(({ number }) => number)

/** Lists imported orders of a connection, of the given external ids or all, after an id. Skips orders of erased customers. */
export const listImportedOrders = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  externalIds: readonly string[] | null,
  after: string,
  limit: number,
) =>
  sql<{ id: string; orderId: string }[]>`select c.id, c.order_id from connector_orders c
    join orders o on o.project_id = c.project_id and o.id = c.order_id and o.erased_at is null
    where c.project_id = ${projectId} and c.connection_id = ${id} and c.id > ${after}
      and (${externalIds as string[] | null}::text[] is null or c.external_id = any (${externalIds as string[] | null}::text[]))
    order by c.id limit ${limit}`

/** Orders of a shop that became none of ours, some or all, after a place; those that are forgotten already are not among them. */
export const listUnmade = async (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  externalIds: readonly string[] | null,
  after: string,
  take: number,
) =>
  (
    await sql<{ id: string }[]>`select id from connector_orders
      where project_id = ${projectId} and connection_id = ${id} and id > ${after} and order_id is null and erased_at is null
        and (${externalIds as string[] | null}::text[] is null or external_id = any (${externalIds as string[] | null}::text[]))
      order by id limit ${take}`
  ).map(({ id }) => id)

/** Customer and address of an erased order. */
export const ERASED_CUSTOMER = { customer: { name: '' }, address: { state: '', city: '', address: '' } }

/** Erases the customers of some or all orders of a connection, with messages, which may quote them, and closes those that wait. Returns the number of orders. */
export const eraseShopCustomers = async (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  externalIds: readonly string[] | null,
  limit: number,
) => {
  const of = (column: string) => sql`(${sql(column)} - 'note' - 'source') || ${json(sql, ERASED_CUSTOMER)}::jsonb`
  const waits = sql`state = 'waiting'`
  const erased = await sql`update connector_orders set told = ${of('told')}, applied = ${of('applied')}, raw = null, missing = '{}',
      state = case when ${waits} then 'over' else state end, why = case when ${waits} then null else why end,
      message = case when not ${waits} and message is not null then ${ERASED} end, erased_at = coalesce(erased_at, now())
    where project_id = ${projectId} and id in (select id from connector_orders where project_id = ${projectId} and connection_id = ${id} and (told <> ${of('told')} or raw is not null)
      and (${externalIds as string[] | null}::text[] is null or external_id = any (${externalIds as string[] | null}::text[]))
      order by id limit ${limit} for update)`
  return erased.count
}
