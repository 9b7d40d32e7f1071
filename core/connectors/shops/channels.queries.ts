import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { LeadSetup } from './lead-forms/leads.model.ts'

export interface ChannelRow {
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
  /** Whose shop it is, where its platform tells it, and whether that is to be asked. */
  readonly account: string | null
  readonly accountUnsure: boolean
  /** From when on callbacks are worked again that came before that was asked for; null where nobody asks. */
  readonly replaySince: string | null
  readonly replayAskedAt: string | null
  /** Which forms become orders. */
  readonly setup: Pick<LeadSetup, 'pageId' | 'forms'> | null
}

/** A connection, and whose project what is done for it is done for: nobody's shops take more than their share of those who work. */
export interface Of {
  readonly id: string
  readonly projectId: string
}

/** How it goes with a connection, from the first time that anybody asks. */
export async function channelOf(sql: Queryable, connectionId: string): Promise<ChannelRow> {
  const find = () => sql<ChannelRow[]>`select * from channels where connection_id = ${connectionId}`
  const [found] = await find()
  if (found) return found
  await sql`insert into channels ${rowValues(sql, { connectionId })} on conflict do nothing`
  const [made] = await find()
  if (!made) throw new Error('A channel that was made is not there.')
  return made
}

export const lockChannel = async (sql: Tx, connectionId: string) => {
  await sql`insert into channels ${rowValues(sql, { connectionId })} on conflict do nothing`
  const [held] = await sql<ChannelRow[]>`select * from channels where connection_id = ${connectionId} for update`
  if (!held) throw new Error('A channel that was made is not there.')
  return held
}

export const updateChannel = (sql: Queryable, connectionId: string, change: Partial<Omit<ChannelRow, 'connectionId'>>) =>
  sql`update channels set ${rowValues(sql, change, ['setup'])} where connection_id = ${connectionId}`

export const markUnsure = (sql: Queryable, connectionId: string) =>
  sql`update channels set account_unsure = true where connection_id = ${connectionId}`

/** So many connections of one shop hear of it. */
const OF_SHOP_MAX = 20

const ofShops = (sql: Queryable) => sql`from integrations i join stores s on s.id = i.store_id and s.deleted_at is null
  left join row_sources r on r.connection_id = i.id
  left join channels c on c.connection_id = i.id
  where (i.kind = 'connector' or r.connection_id is not null) and i.owner = 'store' and i.deleted_at is null`

/** The connections of a store to shops, newest first. */
export const listShops = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<{ id: string }[]>`select i.id ${ofShops(sql)} and i.store_id = ${storeId} and (${before}::text is null or i.id < ${before})
    order by i.id desc limit ${take}`

/** Those of a store to one platform, oldest first. */
export const listShopsOfPlatform = (sql: Queryable, storeId: string, key: string) =>
  sql<{ id: string }[]>`select i.id ${ofShops(sql)} and i.store_id = ${storeId} and i.key = ${key} order by i.id limit 20`

/**
 * Those of any store that are connected to these very shops: where somebody is signed in, or was once, before those that only say so. Of many the
 * first of each shop come before the second of any.
 */
export const listOfShop = (sql: Queryable, key: string, setting: string, shops: readonly string[]) =>
  sql<
    { id: string }[]
  >`select i.id ${ofShops(sql)} and i.key = ${key} and i.enabled and i.settings ->> ${setting} = any (${shops as string[]})
    order by row_number() over (partition by i.settings ->> ${setting}
      order by (select t.refused is null from oauth_tokens t where t.connection_id = i.id) desc nulls last, i.id), i.id
    limit ${Math.max(OF_SHOP_MAX, shops.length)}`

/** What reading needs, and what being called back does: who is let in to no other thing is read, and asked, all the same. */
const READING = ['pull', 'account', 'readOrder', 'oauth', 'left']
const SUBSCRIBING = ['subscribe', 'oauth', 'left']
const isLetIn = (sql: Queryable, needed: string[]) => sql`(i.attention is null or i.attention_operation <> all (${needed}))`

/** Connections that are on, whose orders are to be read again: of more than are read at once those whose turn came first. */
export const listDue = (sql: Queryable, take: number) =>
  sql<
    Of[]
  >`select i.id, s.project_id ${ofShops(sql)} and i.enabled and ${isLetIn(sql, READING)} and (r.connection_id is null or r.tab_id is not null)
    and coalesce(c.next_pull_at, '-infinity') <= now() order by c.next_pull_at nulls first, i.id limit ${take}`

/** Those that were asked to call back, and whose word is old: of more than are asked at once those that were asked longest ago. */
export const listUnsure = (sql: Queryable, hours: number, take: number) =>
  sql<Of[]>`select i.id, s.project_id ${ofShops(sql)} and i.enabled and ${isLetIn(sql, SUBSCRIBING)} and c.webhook_address is not null
    and coalesce(c.subscribed_at, '-infinity') < now() - ${hours} * interval '1 hour'
    order by c.subscribe_asked_at nulls first, i.id limit ${take}`

/** Whatever comes of that. */
export const markAsked = (sql: Queryable, ids: readonly string[]) =>
  sql`update channels set subscribe_asked_at = now() where connection_id = any (${ids as string[]})`

/** A store's connections that were asked to call back. */
export const listCalling = (sql: Queryable, storeId: string) =>
  sql<{ id: string }[]>`select i.id ${ofShops(sql)} and i.store_id = ${storeId} and c.webhook_address is not null`

export interface Counted {
  readonly taken: number
  readonly waiting: number
  readonly notFollowed: number
}

export const countOrders = async (sql: Queryable, connectionId: string): Promise<Counted> => {
  const [counted] = await sql<Counted[]>`select count(*) filter (where state = 'taken')::int as taken,
    count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'taken' and why is not null)::int as not_followed
    from channel_orders where connection_id = ${connectionId}`
  return counted ?? { taken: 0, waiting: 0, notFollowed: 0 }
}
