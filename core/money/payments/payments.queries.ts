import type { GatewayEvent } from '../../../plugins/payment/model.ts'
import type { Concern } from '../../../plugins/payment/payments.model.ts'
import { equalsCondition, keysetPage } from '../../data/keyset-page.ts'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { GatewayPayment, PaymentsQuery } from './payments.model.ts'
import { underWayStatuses } from './statuses.ts'

/** Row of `payments`: payment of an order. `numeric` columns come as text. */
export interface PaymentRow extends GatewayPayment {
  readonly projectId: string
  readonly orderId: string
  readonly fee: string | null
  readonly method: string | null
  /** True when the paid amount counts for the order. */
  readonly accepted: boolean
  readonly concern: Concern | null
  readonly concernSince: string | null
  /** Amount of refunds that the gateway no longer reports, as last shown for review. */
  readonly missing: string
  /** True when a chargeback was raised for review. */
  readonly takenBack: boolean
  /** Concern that a user accepted; the same concern is not raised again. */
  readonly acceptedAs: string | null
}
/** Reference to a payment and its order. */
export type PaymentRef = Pick<PaymentRow, 'projectId' | 'storeId' | 'orderId' | 'id'>

/** Columns of a payment that can be written. */
export type PaymentChange = Partial<Omit<PaymentRow, 'id' | 'createdAt' | 'updatedAt'>>

/** Row of `payment_refunds`. `numeric` columns come as text. */
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

/** Inserts a payment and returns it. */
export const insertPayment = async (sql: Tx, payment: PaymentChange & { id: string }) =>
  expectOne(await sql<PaymentRow[]>`insert into payments ${rowValues(sql, payment)} returning *`)

/** Updates columns of a payment and returns it. */
export const updatePayment = async (sql: Queryable, id: string, change: PaymentChange) =>
  expectOne(
    await sql<
      PaymentRow[]
    >`update payments set ${rowValues(sql, { ...change, updatedAt: new Date() }, ['directions'])} where id = ${id} returning *`,
  )

/** Finds a payment by id. */
export const findPayment = async (sql: Queryable, id: string) => (await sql<PaymentRow[]>`select * from payments where id = ${id}`)[0]

/** Returns whether a connection exists and is enabled, and locks it against deletion until the transaction ends. */
export const lockEnabledConnection = async (sql: Tx, connectionId: string) =>
  (await sql`select 1 from integrations where id = ${connectionId} and deleted_at is null and enabled for key share`).length > 0

/** Locks a payment until the transaction ends. Lock its order first. */
export const lockPayment = async (sql: Tx, id: string) => (await sql<PaymentRow[]>`select * from payments where id = ${id} for update`)[0]

/** Lists all payments of an order, oldest first. At most 50 can be started. */
export const listPaymentsOfOrder = (sql: Queryable, orderId: string) =>
  sql<PaymentRow[]>`select * from payments where order_id = ${orderId} order by id limit 500`

/** Lists payments of an order, newest first, starting before the id `before`. */
export const listOrderPaymentPage = (sql: Queryable, orderId: string, before: string | null, take: number) =>
  sql<
    PaymentRow[]
  >`select * from payments where order_id = ${orderId} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Lists a page of a store's payments, newest first. */
export const listPaymentsOfStore = (sql: Queryable, storeId: string, { filter: { status, waiting }, page: part }: PaymentsQuery) =>
  sql<PaymentRow[]>`select * from payments where store_id = ${storeId} ${equalsCondition(sql, { status })}
    ${waiting === undefined ? sql`` : waiting ? sql`and concern is not null` : sql`and concern is null`} ${keysetPage(sql, part)}`

/** Finds the payment of a gateway event by the gateway's id, else by our id. */
export const findPaymentOfEvent = async (sql: Queryable, connectionId: string, { externalId, paymentId }: GatewayEvent) =>
  (
    await sql<
      PaymentRow[]
    >`select * from payments where connection_id = ${connectionId} and (external_id = ${externalId ?? null} or id = ${paymentId ?? null})
      order by external_id is not distinct from ${externalId ?? null} desc limit 1`
  )[0]

/** Finds another payment of the same order that already stands for the event's checkout. */
export const findDuplicatePayment = async (sql: Tx, { orderId, connectionId, id }: PaymentRow, { externalId }: GatewayEvent) =>
  (
    await sql<PaymentRow[]>`select * from payments
      where connection_id = ${connectionId} and external_id = ${externalId ?? null} and order_id = ${orderId} and id <> ${id}`
  )[0]

/** Finds the reference of a payment's order, even if the order was deleted. */
export const findOrderReference = async (sql: Queryable, { storeId, orderId }: Pick<PaymentRow, 'storeId' | 'orderId'>) =>
  (await sql<{ reference: string }[]>`select reference from orders where store_id = ${storeId} and id = ${orderId}`)[0]?.reference

/** Lists payments of any store by the gateway's id, for webhooks that do not name a store. */
export const listPaymentsByExternalId = (sql: Queryable, gateway: string, externalId: string) =>
  sql<PaymentRow[]>`select * from payments where gateway = ${gateway} and external_id = ${externalId} limit 5`

/** Counts the payments of a connection that are under way. */
export const countPaymentsUnderWay = async (sql: Queryable, connectionId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from payments where connection_id = ${connectionId} and status in ${sql(underWayStatuses)}`,
  ).count

/** Counts the payments of a store that are under way. */
export const countPaymentsUnderWayOfStore = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from payments where store_id = ${storeId} and status in ${sql(underWayStatuses)}`,
  ).count

/** Claims a poll of a payment. Returns false if it was polled or updated in the last `seconds` seconds. */
export const claimPoll = async (sql: Queryable, id: string, seconds: number) =>
  (await sql`update payments set updated_at = now() where id = ${id} and updated_at < now() - ${seconds} * interval '1 second'`).count > 0

/** Sets the expiry and the next poll of a payment, unless its status has changed meanwhile. */
export const updateExpiry = (
  sql: Queryable,
  id: string,
  { expiresAt, readAt }: { readonly expiresAt: string; readonly readAt: string | null },
) =>
  sql`update payments set expires_at = ${expiresAt}, read_at = ${readAt}, updated_at = now()
    where id = ${id} and status in ('created', 'open', 'authorized')`

/** Makes a payment due for the next round of polling. */
export const scheduleNextPoll = (sql: Queryable, id: string) => sql`update payments set read_at = least(read_at, now()) where id = ${id}`

/** Claims due payments by moving their next poll, so that a payment whose worker dies becomes due again. */
export const claimDuePayments = (sql: Queryable, most: number, putOffSeconds: number) => sql<PaymentRow[]>`
  update payments set read_at = now() + ${putOffSeconds} * interval '1 second', reads = reads + 1
  where id in (select id from payments where read_at <= now() order by read_at limit ${most} for update skip locked) returning *`

/** Inserts a refund and returns it. */
export const insertRefund = async (sql: Tx, refund: Pick<RefundRow, 'paymentId' | 'id' | 'amount' | 'status' | 'reason' | 'byHand'>) =>
  expectOne(await sql<RefundRow[]>`insert into payment_refunds ${rowValues(sql, refund)} returning *`)

/** Updates columns of a refund and returns it. */
export const updateRefund = async (sql: Queryable, id: string, change: Partial<Omit<RefundRow, 'id' | 'paymentId'>>) =>
  expectOne(
    await sql<RefundRow[]>`update payment_refunds set ${rowValues(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`,
  )

/** Finds a refund by id. */
export const findRefund = async (sql: Queryable, id: string) => (await sql<RefundRow[]>`select * from payment_refunds where id = ${id}`)[0]

/** Lists refunds of payments, oldest first. */
export const listRefunds = (sql: Queryable, paymentIds: readonly string[]) =>
  sql<RefundRow[]>`select * from payment_refunds where payment_id = any (${paymentIds as string[]}) order by id limit 2000`

/**
 * Claims a pending refund for one request to the gateway. Returns the time of the previous request in `before`, null for the first. Returns
 * undefined if it is not pending or another request is in progress.
 */
export const claimRefund = async (sql: Queryable, id: string, seconds: number) =>
  (
    await sql<(RefundRow & { before: string | null })[]>`
      with found as (select id, asked_at from payment_refunds where id = ${id} and status = 'pending'
        and (asked_at is null or asked_at < now() - ${seconds} * interval '1 second') for update)
      update payment_refunds r set asked_at = now(), updated_at = now() from found where r.id = found.id returning r.*, found.asked_at as before`
  )[0]

/** Inserts a gateway event. Returns false if it is a duplicate. */
export const insertGatewayEvent = async (
  sql: Tx,
  news: { connectionId: string; digest: string; paymentId: string | null; externalId: string | null; news: GatewayEvent; outcome: string },
) => (await sql`insert into payment_events ${rowValues(sql, news, ['news'])} on conflict do nothing`).count > 0

/** Claims gateway events that arrived before the checkout's id was stored. */
export const claimEarlyEvents = (sql: Tx, connectionId: string, externalId: string, paymentId: string) =>
  sql<{ news: GatewayEvent }[]>`update payment_events set outcome = 'applied', payment_id = ${paymentId}
    where connection_id = ${connectionId} and external_id = ${externalId} and outcome = 'early' returning news`

/** Deletes at most `most` gateway events older than `days` days and returns how many. */
export const deleteGatewayEvents = async (sql: Queryable, days: number, most: number) =>
  (
    await sql`delete from payment_events where (connection_id, digest) in (
      select connection_id, digest from payment_events where at < now() - ${days} * interval '1 day' limit ${most})`
  ).count

/** Declares which texts of refunds may contain personal data. */
export const refundPersonalData = eraseBySearch({
  table: 'payment_refunds',
  owner: (sql, { storeId, orderIds }) =>
    sql`payment_id in (select id from payments where store_id = ${storeId} and order_id = any (${orderIds as string[]}))`,
  key: ['id'],
  columns: { reason: 'text', message: 'text' },
})
