import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'

/** External shop, as a store is connected to it. */
export interface ShopRef {
  readonly storeId: string
  readonly key: string
  /** Setting of the adapter that holds the host. */
  readonly setting: string
  readonly host: string
}

/** Locks the shop for the store until the transaction ends, with an advisory lock. */
export const lockShop = (sql: Tx, { storeId, key, host }: ShopRef) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`shop ${storeId} ${key} ${host}`}, 0))`

const atShop = (sql: Queryable, { storeId, key, setting, host }: ShopRef) =>
  sql`from integrations where project_id = ${projectIdOf(storeId)} and key = ${key} and lower(settings ->> ${setting}) = ${host}`

/** Lists the store's connections to the shop, oldest first. */
export const listStoreConnectionsOfShop = (sql: Queryable, shop: ShopRef) =>
  sql<{ id: string; name: string }[]>`select id, name ${atShop(sql, shop)} and deleted_at is null order by id`

/** Lists the store's deleted connections to the shop, latest first. */
export const listDeletedConnectionsOfShop = (sql: Queryable, shop: ShopRef) =>
  sql<{ id: string }[]>`select id ${atShop(sql, shop)} and deleted_at is not null order by deleted_at desc, id desc`

/** Account at a platform whose shops have no host. */
export interface AccountRef extends Pick<ShopRef, 'storeId' | 'key'> {
  readonly account: string
}

/** Locks the account for the store until the transaction ends, with an advisory lock. */
export const lockAccount = (sql: Tx, { storeId, key, account }: AccountRef) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`account ${storeId} ${key} ${account}`}, 0))`

const ofAccount = (
  sql: Queryable,
  { storeId, key, account }: AccountRef,
) => sql`from connectors c join integrations i on i.project_id = c.project_id and i.id = c.connection_id
  where c.project_id = ${projectIdOf(storeId)} and c.account = ${account} and i.key = ${key}`

/** Lists the store's connections to the account, oldest first. */
export const listConnectionsOfAccount = (sql: Queryable, at: AccountRef) =>
  sql<{ id: string; name: string }[]>`select i.id, i.name ${ofAccount(sql, at)} and i.deleted_at is null order by i.id`

/** Lists the store's deleted connections to the account, latest first. */
export const listDeletedConnectionsOfAccount = (sql: Queryable, at: AccountRef) =>
  sql<{ id: string }[]>`select i.id ${ofAccount(sql, at)} and i.deleted_at is not null order by i.deleted_at desc, i.id desc`

/** Serializes, per store and platform, the assignment of orders to connections until the transaction ends. */
export const lockOrderAssignment = (sql: Tx, { storeId, key }: Pick<ShopRef, 'storeId' | 'key'>) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`orders ${storeId} ${key}`}, 0))`

/** Lists the store's other connections to a platform with an order of this id: existing ones first, then deleted ones, latest first. */
export const listConnectionsWithOrder = (
  sql: Queryable,
  { id, storeId, key }: Pick<ShopRef, 'storeId' | 'key'> & { readonly id: string },
  externalId: string,
) =>
  sql<{ id: string; isThere: boolean }[]>`select i.id, i.deleted_at is null as is_there from integrations i
    where i.project_id = ${projectIdOf(storeId)} and i.key = ${key} and i.id <> ${id}
    and exists (select 1 from connector_orders c where c.project_id = i.project_id and c.connection_id = i.id and c.external_id = ${externalId})
    order by i.deleted_at desc nulls first, i.id`

/** Locks the connection against deletion until the transaction ends. Returns false if it is deleted. */
export const lockIfConnected = async (sql: Tx, { projectId, id }: ConnectionRef) =>
  (await sql`select 1 from integrations where project_id = ${projectId} and id = ${id} and deleted_at is null for key share`).length > 0

/** Returns true if the connection has any order. */
export const hasShopOrders = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (await sql`select 1 from connector_orders where project_id = ${projectId} and connection_id = ${id} limit 1`).length > 0

/** Returns true if the connection has the order. */
export const hasShopOrder = async (sql: Queryable, { projectId, id }: ConnectionRef, externalId: string) =>
  (await sql`select 1 from connector_orders where project_id = ${projectId} and connection_id = ${id} and external_id = ${externalId}`)
    .length > 0

/** Lists the external ids of a connection's orders. */
export const listExternalIds = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (
    await sql<{ externalId: string }[]>`select external_id from connector_orders where project_id = ${projectId} and connection_id = ${id}`
  ).map(({ externalId }) => externalId)

/** Lists the orders of a connection after an id. */
export const listShopOrdersAfter = (sql: Queryable, { projectId, id }: ConnectionRef, after: string, limit: number) =>
  sql<{ id: string; externalId: string; orderId: string | null }[]>`select id, external_id, order_id from connector_orders
    where project_id = ${projectId} and connection_id = ${id} and id > ${after} order by id limit ${limit}`

/** Moves orders and their push marks to another connection of the project, by its id. */
export const moveShopOrders = (sql: Tx, ids: readonly string[], { projectId, id }: ConnectionRef, to: string) =>
  sql`with moved as (update connector_orders set connection_id = ${to} where project_id = ${projectId} and id = any (${ids as string[]}))
    update connector_marks set connection_id = ${to}
    where project_id = ${projectId} and connection_id = ${id} and connector_order_id = any (${ids as string[]})`

/** Moves items to another connection of the project, by its id, except those that it has already. */
export const moveShopGoods = (sql: Tx, { projectId, id }: ConnectionRef, to: string) =>
  sql`update connector_goods g set connection_id = ${to} where project_id = ${projectId} and connection_id = ${id}
    and (select true from connector_goods known
      where known.project_id = g.project_id and known.connection_id = ${to} and known.key = g.key) is null`
