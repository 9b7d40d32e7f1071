import { projectIdOf } from '../../data/project-ids.ts'
import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'
import type { LeadSetup } from './lead-forms/leads.model.ts'

/** State of a shop's synchronisation, as it is stored. */
export interface ShopSyncRow {
  readonly projectId: string
  readonly connectionId: string
  readonly webhookAddress: string | null
  readonly subscribedAt: string | null
  readonly subscribeMessage: string | null
  readonly pullStatus: 'idle' | 'queued' | 'running' | 'done' | 'failed'
  readonly pullSince: string | null
  readonly pullCursor: string | null
  readonly pullSeen: number
  readonly pullChanged: number
  readonly pullUnreadable: number
  readonly pullTotal: number | null
  readonly pullMessage: string | null
  readonly pullStartedAt: string | null
  readonly pullFinishedAt: string | null
  readonly pulledUntil: string
  readonly nextPullAt: string
  /** Account of the shop, if its platform reports one; `accountUnsure` means that it must be read again. */
  readonly account: string | null
  readonly accountUnsure: boolean
  /** Start of the period whose webhooks are replayed; null if no replay was requested. */
  readonly replaySince: string | null
  readonly replayAskedAt: string | null
  /** Lead forms that become orders. */
  readonly setup: Pick<LeadSetup, 'pageId' | 'forms'> | null
}

/** Finds the synchronisation state of a connection, and inserts it first if it is missing. */
export async function findOrInsertShopSync(sql: Queryable, { projectId, id }: ConnectionRef): Promise<ShopSyncRow> {
  const find = () => sql<ShopSyncRow[]>`select * from connectors where project_id = ${projectId} and connection_id = ${id}`
  const [found] = await find()
  if (found) return found
  await sql`insert into connectors ${rowValues(sql, { projectId, connectionId: id })} on conflict do nothing`
  const [created] = await find()
  if (!created) throw new Error('The synchronisation state of a connection is missing after its insertion.')
  return created
}

/** Locks the synchronisation state until the transaction ends, and returns it. Inserts it first if it is missing. */
export const lockShopSync = async (sql: Tx, { projectId, id }: ConnectionRef) => {
  await sql`insert into connectors ${rowValues(sql, { projectId, connectionId: id })} on conflict do nothing`
  const [locked] = await sql<ShopSyncRow[]>`select * from connectors where project_id = ${projectId} and connection_id = ${id} for update`
  if (!locked) throw new Error('The synchronisation state of a connection is missing after its insertion.')
  return locked
}

/** Updates columns of the synchronisation state. */
export const updateShopSync = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  change: Partial<Omit<ShopSyncRow, 'projectId' | 'connectionId'>>,
) => sql`update connectors set ${rowValues(sql, change, ['setup'])} where project_id = ${projectId} and connection_id = ${id}`

/** Records that the account of a connection must be read again. */
export const markAccountUnsure = (sql: Queryable, { projectId, id }: ConnectionRef) =>
  sql`update connectors set account_unsure = true where project_id = ${projectId} and connection_id = ${id}`

/** Largest number of connections to one shop that receive its webhooks. */
const CONNECTIONS_PER_SHOP_MAX = 20

const ofShops = (sql: Queryable) => sql`from integrations i join stores s on s.project_id = i.project_id and s.deleted_at is null
  left join row_sources r on r.project_id = i.project_id and r.connection_id = i.id
  left join connectors c on c.project_id = i.project_id and c.connection_id = i.id
  where (i.kind = 'connector' or r.connection_id is not null) and i.owner = 'store' and i.deleted_at is null`

/** Lists the store's connections to shops, newest first, before an id. */
export const listShops = (sql: Queryable, storeId: string, before: string | null, limit: number) =>
  sql<
    ConnectionRef[]
  >`select i.project_id, i.id ${ofShops(sql)} and i.project_id = ${projectIdOf(storeId)} and (${before}::text is null or i.id < ${before})
    order by i.id desc limit ${limit}`

/** Lists the store's connections to one platform, oldest first. */
export const listShopsOfPlatform = (sql: Queryable, storeId: string, key: string) =>
  sql<
    ConnectionRef[]
  >`select i.project_id, i.id ${ofShops(sql)} and i.project_id = ${projectIdOf(storeId)} and i.key = ${key} order by i.id limit 20`

/** Lists the connections of all stores to these shops. Connections with a sign-in come first. Alternates between the shops. */
export const listConnectionsOfShops = (sql: Queryable, key: string, setting: string, shops: readonly string[]) =>
  sql<
    ConnectionRef[]
  >`select i.project_id, i.id ${ofShops(sql)} and i.key = ${key} and i.enabled and i.settings ->> ${setting} = any (${shops as string[]})
    order by row_number() over (partition by i.settings ->> ${setting}
      order by (select t.refused is null from oauth_tokens t where t.project_id = i.project_id and t.connection_id = i.id) desc nulls last, i.id), i.id
    limit ${Math.max(CONNECTIONS_PER_SHOP_MAX, shops.length)}`

/** Operations that pulling needs. A failed permission of any other operation does not stop the pull. */
const PULL_OPERATIONS = ['pull', 'account', 'readOrder', 'oauth', 'left']
/** Operations that the registration of webhooks needs. */
const SUBSCRIBE_OPERATIONS = ['subscribe', 'oauth', 'left']
const hasAccessFor = (sql: Queryable, needed: string[]) => sql`(i.attention is null or i.attention_operation <> all (${needed}))`

/** Lists enabled connections whose pull is due, longest overdue first. */
export const listDuePulls = (sql: Queryable, limit: number) =>
  sql<
    ConnectionRef[]
  >`select i.project_id, i.id ${ofShops(sql)} and i.enabled and ${hasAccessFor(sql, PULL_OPERATIONS)} and (r.connection_id is null or r.tab_id is not null)
    and coalesce(c.next_pull_at, '-infinity') <= now() order by c.next_pull_at nulls first, i.id limit ${limit}`

/** Lists connections whose webhook subscription is older than `hours`; the one checked longest ago comes first. */
export const listStaleSubscriptions = (sql: Queryable, hours: number, limit: number) =>
  sql<
    ConnectionRef[]
  >`select i.project_id, i.id ${ofShops(sql)} and i.enabled and ${hasAccessFor(sql, SUBSCRIBE_OPERATIONS)} and c.webhook_address is not null
    and coalesce(c.subscribed_at, '-infinity') < now() - ${hours} * interval '1 hour'
    order by c.subscribe_asked_at nulls first, i.id limit ${limit}`

/** Records that the subscription of these connections was checked now, whatever the result. */
export const markSubscriptionsChecked = (sql: Queryable, connections: readonly ConnectionRef[]) =>
  sql`update connectors c set subscribe_asked_at = now()
    from unnest(${connections.map(({ projectId }) => projectId)}::text[], ${connections.map(({ id }) => id)}::text[]) as r (project_id, id)
    where c.project_id = r.project_id and c.connection_id = r.id`

/** Lists the store's connections with a registered webhook. */
export const listSubscribedConnections = (sql: Queryable, storeId: string) =>
  sql<
    ConnectionRef[]
  >`select i.project_id, i.id ${ofShops(sql)} and i.project_id = ${projectIdOf(storeId)} and c.webhook_address is not null`

/** Counts of a connection's orders. */
export interface ShopOrderCounts {
  readonly taken: number
  readonly waiting: number
  readonly notFollowed: number
}

/** Counts the orders of a connection by state. `notFollowed` counts imported orders with a change that was not applied. */
export const countShopOrders = async (sql: Queryable, { projectId, id }: ConnectionRef): Promise<ShopOrderCounts> => {
  const [counted] = await sql<ShopOrderCounts[]>`select count(*) filter (where state = 'taken')::int as taken,
    count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'taken' and why is not null)::int as not_followed
    from connector_orders where project_id = ${projectId} and connection_id = ${id}`
  return counted ?? { taken: 0, waiting: 0, notFollowed: 0 }
}
