import type { Concern, PaymentNews } from '../../../plugins/payment/model.ts'
import { keysetPage, matching } from '../../data/keyset-page.ts'
import { searched } from '../../data/personal-data/search-person.ts'
import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { AskedPayments, AtGateway } from './payments.model.ts'
import { underWay } from './statuses.ts'

export interface PaymentRow extends AtGateway {
  readonly projectId: string
  readonly orderId: string
  readonly fee: string | null
  readonly method: string | null
  /** Whether what was paid counts for the order. */
  readonly accepted: boolean
  readonly concern: Concern | null
  readonly concernSince: string | null
  /** What of its refunds the gateway has not given back, as a person was told last. */
  readonly missing: string
  /** A person was told that a bank took it. */
  readonly takenBack: boolean
  /** What was odd about it when a person said that it counts all the same. */
  readonly acceptedAs: string | null
}
/** Which it is, and whose order it is of. */
export type NamedPayment = Pick<PaymentRow, 'projectId' | 'storeId' | 'orderId' | 'id'>

export type PaymentValues = Partial<Omit<PaymentRow, 'id' | 'createdAt' | 'updatedAt'>>

export interface RefundRow {
  readonly paymentId: string
  readonly id: string
  readonly amount: string
  readonly status: 'pending' | 'done' | 'failed' | 'unknown'
  readonly reason: string
  readonly byHand: boolean
  readonly externalId: string | null
  readonly message: string | null
  readonly askedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const insertPayment = async (sql: Tx, payment: PaymentValues & { id: string }) =>
  expectOne(await sql<PaymentRow[]>`insert into payments ${row(sql, payment)} returning *`)

export const updatePayment = async (sql: Queryable, id: string, change: PaymentValues) =>
  expectOne(
    await sql<
      PaymentRow[]
    >`update payments set ${row(sql, { ...change, updatedAt: new Date() }, ['directions'])} where id = ${id} returning *`,
  )

export const findPayment = async (sql: Queryable, id: string) => (await sql<PaymentRow[]>`select * from payments where id = ${id}`)[0]

/** Whether it is connected and on; it stays connected until the transaction ends. */
export const holdConnected = async (sql: Tx, connectionId: string) =>
  (await sql`select 1 from integrations where id = ${connectionId} and deleted_at is null and enabled for key share`).length > 0

/** Held until the transaction ends. Its order is held before it, by all. */
export const lockPayment = async (sql: Tx, id: string) => (await sql<PaymentRow[]>`select * from payments where id = ${id} for update`)[0]

/** Oldest first. An order has few: begun anew only when the one before is over. */
export const listOfOrder = (sql: Queryable, orderId: string) =>
  sql<PaymentRow[]>`select * from payments where order_id = ${orderId} order by id limit 500`

export const listPayments = (sql: Queryable, orderId: string, before: string | null, take: number) =>
  sql<
    PaymentRow[]
  >`select * from payments where order_id = ${orderId} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Of a store, newest first. */
export const listOfStore = (sql: Queryable, storeId: string, { filter: { status, waiting }, slice: part }: AskedPayments) =>
  sql<PaymentRow[]>`select * from payments where store_id = ${storeId} ${matching(sql, { status })}
    ${waiting === undefined ? sql`` : waiting ? sql`and concern is not null` : sql`and concern is null`} ${keysetPage(sql, part)}`

/** The payment that news are of: by the gateway's name of it, else by ours. */
export const findNamed = async (sql: Queryable, connectionId: string, { externalId, paymentId }: PaymentNews) =>
  (
    await sql<
      PaymentRow[]
    >`select * from payments where connection_id = ${connectionId} and (external_id = ${externalId ?? null} or id = ${paymentId ?? null})
      order by external_id is not distinct from ${externalId ?? null} desc limit 1`
  )[0]

/** The payment of the same order that this checkout of its gateway is known as; another than this one. */
export const findTwin = async (sql: Tx, { orderId, connectionId, id }: PaymentRow, { externalId }: PaymentNews) =>
  (
    await sql<PaymentRow[]>`select * from payments
      where connection_id = ${connectionId} and external_id = ${externalId ?? null} and order_id = ${orderId} and id <> ${id}`
  )[0]

/** What people call the order of a payment, also where it was deleted: money may still come for it. */
export const findReference = async (sql: Queryable, { storeId, orderId }: Pick<PaymentRow, 'storeId' | 'orderId'>) =>
  (await sql<{ reference: string }[]>`select reference from orders where store_id = ${storeId} and id = ${orderId}`)[0]?.reference

/** Those of any store, which a gateway names where it does not say whose it is. */
export const listByExternalId = (sql: Queryable, gateway: string, externalId: string) =>
  sql<PaymentRow[]>`select * from payments where gateway = ${gateway} and external_id = ${externalId} limit 5`

export const countUnderWay = async (sql: Queryable, connectionId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from payments where connection_id = ${connectionId} and status in ${sql(underWay)}`,
  ).count

export const countUnderWayOfStore = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from payments where store_id = ${storeId} and status in ${sql(underWay)}`,
  ).count

/** Whether it may be asked for now: once in so many seconds, whoever wants it. */
export const claimReading = async (sql: Queryable, id: string, seconds: number) =>
  (await sql`update payments set updated_at = now() where id = ${id} and updated_at < now() - ${seconds} * interval '1 second'`).count > 0

/** Its end has come, unless something became of it meanwhile. */
export const endNow = (sql: Queryable, id: string, { expiresAt, readAt }: { readonly expiresAt: string; readonly readAt: string | null }) =>
  sql`update payments set expires_at = ${expiresAt}, read_at = ${readAt}, updated_at = now()
    where id = ${id} and status in ('created', 'open', 'authorized')`

/** It is due with the next that are. */
export const readSoon = (sql: Queryable, id: string) => sql`update payments set read_at = least(read_at, now()) where id = ${id}`

/** Takes those that are due, and puts them off: who takes them and does not come back loses none. */
export const claimDue = (sql: Queryable, most: number, putOffSeconds: number) => sql<PaymentRow[]>`
  update payments set read_at = now() + ${putOffSeconds} * interval '1 second', reads = reads + 1
  where id in (select id from payments where read_at <= now() order by read_at limit ${most} for update skip locked) returning *`

export const insertRefund = async (sql: Tx, refund: Pick<RefundRow, 'paymentId' | 'id' | 'amount' | 'status' | 'reason' | 'byHand'>) =>
  expectOne(await sql<RefundRow[]>`insert into payment_refunds ${row(sql, refund)} returning *`)

export const updateRefund = async (sql: Queryable, id: string, change: Partial<Omit<RefundRow, 'id' | 'paymentId'>>) =>
  expectOne(
    await sql<RefundRow[]>`update payment_refunds set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`,
  )

export const findRefund = async (sql: Queryable, id: string) => (await sql<RefundRow[]>`select * from payment_refunds where id = ${id}`)[0]

export const listRefunds = (sql: Queryable, paymentIds: readonly string[]) =>
  sql<RefundRow[]>`select * from payment_refunds where payment_id = any (${paymentIds as string[]}) order by id limit 2000`

/** Who asks the gateway for a refund: one at a time. Says how often it was asked before: `first`, or null where somebody else is asking. */
export const claimRefund = async (sql: Queryable, id: string, seconds: number) =>
  (
    await sql<(RefundRow & { before: string | null })[]>`
      with found as (select id, asked_at from payment_refunds where id = ${id} and status = 'pending'
        and (asked_at is null or asked_at < now() - ${seconds} * interval '1 second') for update)
      update payment_refunds r set asked_at = now(), updated_at = now() from found where r.id = found.id returning r.*, found.asked_at as before`
  )[0]

/** Whether it is told for the first time. */
export const insertNews = async (
  sql: Tx,
  news: { connectionId: string; digest: string; paymentId: string | null; externalId: string | null; news: PaymentNews; outcome: string },
) => (await sql`insert into payment_news ${row(sql, news, ['news'])} on conflict do nothing`).count > 0

/** News of a checkout that came before the gateway's own answer told how it is called. */
export const takeEarly = (sql: Tx, connectionId: string, externalId: string, paymentId: string) =>
  sql<{ news: PaymentNews }[]>`update payment_news set outcome = 'applied', payment_id = ${paymentId}
    where connection_id = ${connectionId} and external_id = ${externalId} and outcome = 'early' returning news`

export const forgetNews = async (sql: Queryable, days: number, most: number) =>
  (
    await sql`delete from payment_news where (connection_id, digest) in (
      select connection_id, digest from payment_news where at < now() - ${days} * interval '1 day' limit ${most})`
  ).count

export const personalRefunds = searched({
  table: 'payment_refunds',
  owner: (sql, { storeId, orderIds }) =>
    sql`payment_id in (select id from payments where store_id = ${storeId} and order_id = any (${orderIds as string[]}))`,
  key: ['id'],
  columns: { reason: 'text', message: 'text' },
})
