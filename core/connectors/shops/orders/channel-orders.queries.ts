import { expectOne, json, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { ExternalOrder, Why } from '../channels.model.ts'

export interface ChannelOrderRow {
  readonly connectionId: string
  readonly externalId: string
  readonly id: string
  readonly storeId: string
  readonly number: string
  readonly state: 'waiting' | 'taken' | 'over'
  readonly why: Why | null
  readonly message: string | null
  readonly missing: string[]
  readonly told: ExternalOrder
  readonly toldAt: string
  readonly applied: ExternalOrder | null
  /** JSON of what the shop sent, of an order that could not be read. */
  readonly raw: unknown
  readonly orderId: string | null
  readonly pushed: Pushed | null
  /** How often the shop could not be told, and when it is told again. */
  readonly tellFailures: number
  readonly tellAfter: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** When the person was erased: what the shop tells of them later is not kept. */
  readonly erasedAt: string | null
}

/** How our order stood when the shop was told of it last, in the word that it was told, and why it would not hear it. */
export interface Pushed {
  /** Null where it was none of ours yet. */
  readonly status: string | null
  readonly trackingId: string | null
  readonly word: string | null
  readonly refused?: string
  /** Why it waited then, or was not followed. */
  readonly why?: Why | null
}

const JSON_COLUMNS = ['told', 'applied', 'pushed', 'raw'] as const

type NewRow = Pick<ChannelOrderRow, 'connectionId' | 'externalId' | 'id' | 'storeId' | 'number' | 'state' | 'told' | 'toldAt'>

/** Says whether it is new: of all who tell of an order at once, to one. */
export const insertOrder = async (sql: Tx, order: NewRow) =>
  (await sql`insert into channel_orders ${rowValues(sql, order, JSON_COLUMNS)} on conflict do nothing`).count > 0

/** Held until the transaction ends: whoever else is told of it waits. */
export const lockOrder = async (sql: Tx, connectionId: string, externalId: string) =>
  (
    await sql<
      ChannelOrderRow[]
    >`select * from channel_orders where connection_id = ${connectionId} and external_id = ${externalId} for update`
  )[0]

export const updateOrder = async (sql: Queryable, id: string, change: Partial<Omit<ChannelOrderRow, 'id'>>) =>
  expectOne(
    await sql<
      ChannelOrderRow[]
    >`update channel_orders set ${rowValues(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)} where id = ${id} returning *`,
  )

/** That the shop was told, of what was seen. A mark that was written before another one may be seen after it: those that were seen go, and no others. */
export const updatePushed = (sql: Queryable, { id, connectionId, marks }: UntoldRow, pushed: Pushed) =>
  sql`with told as (update channel_orders
      set ${rowValues(sql, { pushed, tellFailures: 0, tellAfter: null, updatedAt: new Date() }, JSON_COLUMNS)} where id = ${id})
    delete from channel_marks where connection_id = ${connectionId} and channel_order_id = ${id} and id = any (${marks as string[]}::bigint[])`

const PUT_OFF_MINUTES_MAX = 360

/** For twice as long each time. */
export const putOff = (sql: Queryable, id: string) =>
  sql`update channel_orders set tell_failures = tell_failures + 1,
    tell_after = now() + least(power(2, tell_failures), ${PUT_OFF_MINUTES_MAX}) * interval '1 minute' where id = ${id}`

export const hasUnreadable = async (sql: Queryable, connectionId: string, externalId: string) =>
  (await sql`select 1 from channel_orders where connection_id = ${connectionId} and external_id = ${externalId} and why = 'unreadable'`)
    .length > 0

export const findOrderOfShop = async (sql: Queryable, connectionId: string, id: string) =>
  (await sql<ChannelOrderRow[]>`select * from channel_orders where connection_id = ${connectionId} and id = ${id}`)[0]

interface Wanted {
  readonly state?: ChannelOrderRow['state'] | undefined
  readonly why?: Why | undefined
}

export const listOrders = (sql: Queryable, connectionId: string, { state, why }: Wanted, before: string | null, take: number) =>
  sql<ChannelOrderRow[]>`select * from channel_orders where connection_id = ${connectionId}
    ${state === undefined ? sql`` : sql`and state = ${state}`} ${why === undefined ? sql`` : sql`and why = ${why}`} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Orders that wait, or whose change could not be followed just then, after this one. */
export const listUnsettled = (sql: Queryable, connectionId: string, after: string, take: number) =>
  sql<
    { id: string; externalId: string; isUnreadable: boolean }[]
  >`select id, external_id, why is not distinct from 'unreadable' as is_unreadable from channel_orders
    where connection_id = ${connectionId} and id > ${after} and (state = 'waiting' or why in ('busy', 'unreadable')) order by id limit ${take}`

export interface UntoldRow extends ChannelOrderRow {
  readonly status: string | null
  readonly trackingId: string | null
  readonly carrier: string | null
  /** Its marks that were seen. */
  readonly marks: readonly string[]
}

const isTime = (sql: Queryable) => sql`coalesce(c.tell_after, '-infinity') <= now()`

/** Orders of which something may have to be told, and how they stand. */
export const listMarked = (sql: Queryable, connectionId: string, after: string, take: number) =>
  sql<UntoldRow[]>`select c.*, o.status, p.tracking_id, i.key as carrier, m.marks from (
      select channel_order_id, array_agg(id::text) as marks from channel_marks
      where connection_id = ${connectionId} and channel_order_id > ${after} group by channel_order_id) m
    join channel_orders c on c.id = m.channel_order_id and ${isTime(sql)}
    join stores s on s.id = c.store_id
    left join orders o on o.store_id = c.store_id and o.id = c.order_id
    left join parcels p on p.project_id = s.project_id and p.id = o.parcel_id
    left join integrations i on i.id = p.carrier_account_id
    order by m.channel_order_id limit ${take}`

/** Nobody is let in for anything until somebody signs in again. */
const SIGNED_OUT = ['oauth', 'left']

/**
 * Connections that have such, and that can be told: those that are gone or off have theirs for weeks, and are in nobody's way. Of more than are
 * told at once it is others each time.
 */
export const listWithMarked = (sql: Queryable, take: number) =>
  sql<{ connectionId: string; projectId: string }[]>`
    select i.id as connection_id, s.project_id from integrations i join stores s on s.id = i.store_id
    where i.kind in ('connector', 'spreadsheet') and i.enabled and i.deleted_at is null
      and (i.attention is null or i.attention_operation <> all (${SIGNED_OUT}))
      and exists (select 1 from channel_marks m join channel_orders c on c.id = m.channel_order_id and ${isTime(sql)} where m.connection_id = i.id)
    order by random() limit ${take}`

/** What has not been told for so long is told no more. */
export const forgetMarks = async (sql: Queryable, days: number, most: number) =>
  (
    await sql`delete from channel_marks where (connection_id, channel_order_id, id) in (
      select connection_id, channel_order_id, id from channel_marks where at < now() - ${days} * interval '1 day' order by at limit ${most})`
  ).count

/** What people call these orders. */
export const listNumbers = async (sql: Queryable, connectionId: string, externalIds: readonly string[], take: number) =>
  (
    await sql<{ number: string }[]>`select number from channel_orders
      where connection_id = ${connectionId} and external_id = any (${externalIds as string[]}) order by id limit ${take}`
  ).map(({ number }) => number)

/** Orders of ours that some of a shop's became, or all of them, after a place; those whose person was erased are not among them. */
export const listOrdersOf = (sql: Queryable, connectionId: string, externalIds: readonly string[] | null, after: string, take: number) =>
  sql<{ id: string; orderId: string }[]>`select c.id, c.order_id from channel_orders c
    join orders o on o.store_id = c.store_id and o.id = c.order_id and o.erased_at is null
    where c.connection_id = ${connectionId} and c.id > ${after}
      and (${externalIds as string[] | null}::text[] is null or c.external_id = any (${externalIds as string[] | null}::text[]))
    order by c.id limit ${take}`

/** Orders of a shop that became none of ours, some or all, after a place; those that are forgotten already are not among them. */
export const listUnmade = async (
  sql: Queryable,
  connectionId: string,
  externalIds: readonly string[] | null,
  after: string,
  take: number,
) =>
  (
    await sql<{ id: string }[]>`select id from channel_orders
      where connection_id = ${connectionId} and id > ${after} and order_id is null and erased_at is null
        and (${externalIds as string[] | null}::text[] is null or external_id = any (${externalIds as string[] | null}::text[]))
      order by id limit ${take}`
  ).map(({ id }) => id)

/** What is told of an order of nobody. */
export const NOBODY = { customer: { name: '' }, address: { state: '', city: '', address: '' } }

/** Forgets who ordered, of some of these orders or of all of the shop; one that still waited for that is over. Says of how many. */
export const forgetPeople = async (sql: Queryable, connectionId: string, externalIds: readonly string[] | null, most: number) => {
  const of = (column: string) => sql`(${sql(column)} - 'note' - 'source') || ${json(sql, NOBODY)}::jsonb`
  const waits = sql`state = 'waiting'`
  const some = await sql`update channel_orders set told = ${of('told')}, applied = ${of('applied')}, raw = null, missing = '{}',
      state = case when ${waits} then 'over' else state end, why = case when ${waits} then null else why end,
      message = case when ${waits} then null else message end, erased_at = coalesce(erased_at, now())
    where id in (select id from channel_orders where connection_id = ${connectionId} and (told <> ${of('told')} or raw is not null)
      and (${externalIds as string[] | null}::text[] is null or external_id = any (${externalIds as string[] | null}::text[]))
      order by id limit ${most} for update)`
  return some.count
}
