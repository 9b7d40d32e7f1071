import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { GatewayPayment } from '../../payments/payments.model.ts'
import { underWayStatuses } from './statuses.ts'

/** Row of `subscription_payments`. `numeric` columns come as text. */
export type PaymentRow = GatewayPayment
/** Columns of a payment that can be written. */
export type PaymentChange = Partial<Omit<PaymentRow, 'id' | 'createdAt' | 'updatedAt'>>

/** Inserts a payment and returns it. */
export const insertPayment = async (sql: Tx, payment: PaymentChange & { id: string }) =>
  expectOne(await sql<PaymentRow[]>`insert into subscription_payments ${rowValues(sql, payment)} returning *`)

/** Updates columns of a payment and returns it. */
export const updatePayment = async (sql: Queryable, id: string, change: PaymentChange) =>
  expectOne(
    await sql<
      PaymentRow[]
    >`update subscription_payments set ${rowValues(sql, { ...change, updatedAt: new Date() }, ['directions'])} where id = ${id} returning *`,
  )

/** Finds a payment by id. */
export const findPayment = async (sql: Queryable, id: string) =>
  (await sql<PaymentRow[]>`select * from subscription_payments where id = ${id}`)[0]

/** Locks a payment until the transaction ends. Lock the subscription of its store first. */
export const lockPayment = async (sql: Tx, id: string) =>
  expectOne(await sql<PaymentRow[]>`select * from subscription_payments where id = ${id} for update`)

/** Finds the payment of a gateway event by the gateway's id, else by our id. */
export const findPaymentOfEvent = async (sql: Queryable, connectionId: string, { externalId, paymentId }: GatewayEvent) =>
  (
    await sql<PaymentRow[]>`select * from subscription_payments
      where connection_id = ${connectionId} and (external_id = ${externalId ?? null} or id = ${paymentId ?? null})
      order by external_id is not distinct from ${externalId ?? null} desc limit 1`
  )[0]

/** Finds another payment of the same store that already stands for the event's checkout. */
export const findDuplicatePayment = async (sql: Tx, { storeId, connectionId, id }: PaymentRow, { externalId }: GatewayEvent) =>
  (
    await sql<PaymentRow[]>`select * from subscription_payments
      where connection_id = ${connectionId} and external_id = ${externalId ?? null} and store_id = ${storeId} and id <> ${id}`
  )[0]

/** Lists payments at the platform's gateway of this name, by the gateway's id. */
export const listPaymentsByExternalId = (sql: Queryable, gateway: string, externalId: string) =>
  sql<PaymentRow[]>`select * from subscription_payments where external_id = ${externalId}
    and connection_id in (select id from integrations where store_id is null and key = ${gateway}) limit 5`

/** Lists payments of a store that are under way, oldest first. */
export const listPaymentsUnderWay = (sql: Queryable, storeId: string) =>
  sql<
    PaymentRow[]
  >`select * from subscription_payments where store_id = ${storeId} and status in ${sql(underWayStatuses)} order by id limit 100`

/** Lists payments of a store, newest first, starting before the id `before`. */
export const listPayments = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<PaymentRow[]>`select * from subscription_payments where store_id = ${storeId}
    and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Lists payments of all stores with a receipt that waits for review, newest first. */
export const listPaymentsAwaitingReview = (sql: Queryable, before: string | null, take: number) =>
  sql<PaymentRow[]>`select * from subscription_payments p where status = 'processing' and (${before}::text is null or id < ${before})
    and exists (select 1 from payment_proofs where subscription_payment_id = p.id) order by id desc limit ${take}`

/** Lists email addresses of the platform's administrators. */
export const listAdministratorEmails = async (sql: Queryable) =>
  (await sql<{ email: string }[]>`select email from users where is_admin order by id`).map(({ email }) => email)

/** Counts payments of a store that were started within the last `hours` hours. */
export const countRecentPayments = async (sql: Queryable, storeId: string, hours: number) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from subscription_payments
      where store_id = ${storeId} and created_at > now() - ${hours} * interval '1 hour'`,
  ).count

/** Counts the payments of a connection that are under way. */
export const countPaymentsUnderWay = async (sql: Queryable, connectionId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from subscription_payments where connection_id = ${connectionId} and status in ${sql(underWayStatuses)}`,
  ).count

/** Claims a poll of a payment. Returns false if it was polled or updated in the last `seconds` seconds. */
export const claimPoll = async (sql: Queryable, id: string, seconds: number) =>
  (
    await sql`update subscription_payments set updated_at = now() where id = ${id} and updated_at < now() - ${seconds} * interval '1 second'`
  ).count > 0

/** Sets the expiry and the next poll of a payment, unless its status has changed meanwhile. */
export const updateExpiry = (
  sql: Queryable,
  id: string,
  { expiresAt, readAt }: { readonly expiresAt: string; readonly readAt: string | null },
) =>
  sql`update subscription_payments set expires_at = ${expiresAt}, read_at = ${readAt}, updated_at = now()
    where id = ${id} and status in ('created', 'open', 'authorized')`

/** Makes a payment due for the next round of polling. */
export const scheduleNextPoll = (sql: Queryable, id: string) =>
  sql`update subscription_payments set read_at = least(read_at, now()) where id = ${id}`

/** Claims due payments by moving their next poll, so that a payment whose worker dies becomes due again. */
export const claimDuePayments = (sql: Queryable, most: number, putOffSeconds: number) => sql<PaymentRow[]>`
  update subscription_payments set read_at = now() + ${putOffSeconds} * interval '1 second', reads = reads + 1
  where id in (select id from subscription_payments where read_at <= now() order by read_at limit ${most} for update skip locked) returning *`
