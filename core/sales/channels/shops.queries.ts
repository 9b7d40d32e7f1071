import type { Queryable, Tx } from '../../data/sql.ts'

/** One shop elsewhere, as a store of ours is connected to it. */
export interface ShopAt {
  readonly storeId: string
  readonly key: string
  /** Of the adapter, that holds the host. */
  readonly setting: string
  readonly host: string
}

/** Until the transaction ends nobody else connects the store to this shop. */
export const lockShop = (sql: Tx, { storeId, key, host }: ShopAt) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`shop ${storeId} ${key} ${host}`}, 0))`

const atShop = (sql: Queryable, { storeId, key, setting, host }: ShopAt) =>
  sql`from integrations where store_id = ${storeId} and key = ${key} and lower(settings ->> ${setting}) = ${host}`

/** The store's connections to it, the oldest first. */
export const listAtShop = (sql: Queryable, shop: ShopAt) =>
  sql<{ id: string; name: string }[]>`select id, name ${atShop(sql, shop)} and deleted_at is null order by id`

/** Those that were there once, the last one first. */
export const listOnceAtShop = (sql: Queryable, shop: ShopAt) =>
  sql<{ id: string }[]>`select id ${atShop(sql, shop)} and deleted_at is not null order by deleted_at desc, id desc`

export const hasOrders = async (sql: Queryable, connectionId: string) =>
  (await sql`select 1 from channel_orders where connection_id = ${connectionId} limit 1`).length > 0

export const listExternalIds = async (sql: Queryable, connectionId: string) =>
  (await sql<{ externalId: string }[]>`select external_id from channel_orders where connection_id = ${connectionId}`).map(
    ({ externalId }) => externalId,
  )

export const listOrdersAfter = (sql: Queryable, connectionId: string, after: string, take: number) =>
  sql<{ id: string; externalId: string }[]>`select id, external_id from channel_orders
    where connection_id = ${connectionId} and id > ${after} order by id limit ${take}`

export const moveOrders = (sql: Tx, ids: readonly string[], to: string) =>
  sql`update channel_orders set connection_id = ${to} where id = any (${ids as string[]})`

export const moveGoods = (sql: Tx, from: string, to: string) =>
  sql`update channel_goods g set connection_id = ${to} where connection_id = ${from}
    and (select true from channel_goods known where known.connection_id = ${to} and known.key = g.key) is null`
