import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import { expectOne, type Queryable, row, type Tx } from '../../../data/sql.ts'
import type { AtGateway } from '../../payments/payments.model.ts'
import { underWayStatuses } from './statuses.ts'

export type PaymentRow = AtGateway
export type PaymentValues = Partial<Omit<PaymentRow, 'id' | 'createdAt' | 'updatedAt'>>

export const insertPayment = async (sql: Tx, payment: PaymentValues & { id: string }) =>
  expectOne(await sql<PaymentRow[]>`insert into subscription_payments ${row(sql, payment)} returning *`)

export const updatePayment = async (sql: Queryable, id: string, change: PaymentValues) =>
  expectOne(
    await sql<
      PaymentRow[]
    >`update subscription_payments set ${row(sql, { ...change, updatedAt: new Date() }, ['directions'])} where id = ${id} returning *`,
  )

export const findPayment = async (sql: Queryable, id: string) =>
  (await sql<PaymentRow[]>`select * from subscription_payments where id = ${id}`)[0]

/** Held until the transaction ends; the subscription of its store is held before it, by all. */
export const lockPayment = async (sql: Tx, id: string) =>
  expectOne(await sql<PaymentRow[]>`select * from subscription_payments where id = ${id} for update`)

/** The payment that news are of: by the gateway's name of it, else by ours. */
export const findNamed = async (sql: Queryable, connectionId: string, { externalId, paymentId }: PaymentNews) =>
  (
    await sql<PaymentRow[]>`select * from subscription_payments
      where connection_id = ${connectionId} and (external_id = ${externalId ?? null} or id = ${paymentId ?? null})
      order by external_id is not distinct from ${externalId ?? null} desc limit 1`
  )[0]

/** The payment of the same store that this checkout of its gateway is known as; another than this one. */
export const findTwin = async (sql: Tx, { storeId, connectionId, id }: PaymentRow, { externalId }: PaymentNews) =>
  (
    await sql<PaymentRow[]>`select * from subscription_payments
      where connection_id = ${connectionId} and external_id = ${externalId ?? null} and store_id = ${storeId} and id <> ${id}`
  )[0]

/** Those at the platform's own gateways of this name. */
export const listByExternalId = (sql: Queryable, gateway: string, externalId: string) =>
  sql<PaymentRow[]>`select * from subscription_payments where external_id = ${externalId}
    and connection_id in (select id from integrations where store_id is null and key = ${gateway}) limit 5`

export const listUnderWay = (sql: Queryable, storeId: string) =>
  sql<
    PaymentRow[]
  >`select * from subscription_payments where store_id = ${storeId} and status in ${sql(underWayStatuses)} order by id limit 100`

export const listPayments = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<PaymentRow[]>`select * from subscription_payments where store_id = ${storeId}
    and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Those that a receipt was sent of, which nobody has judged yet. */
export const listWaiting = (sql: Queryable, before: string | null, take: number) =>
  sql<PaymentRow[]>`select * from subscription_payments p where status = 'processing' and (${before}::text is null or id < ${before})
    and exists (select 1 from payment_proofs where subscription_payment_id = p.id) order by id desc limit ${take}`

/** Where those who run this server are written to. */
export const listAdministrators = async (sql: Queryable) =>
  (await sql<{ email: string }[]>`select email from users where is_admin order by id`).map(({ email }) => email)

export const countBegun = async (sql: Queryable, storeId: string, hours: number) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from subscription_payments
      where store_id = ${storeId} and created_at > now() - ${hours} * interval '1 hour'`,
  ).count

export const countUnderWayAt = async (sql: Queryable, connectionId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from subscription_payments where connection_id = ${connectionId} and status in ${sql(underWayStatuses)}`,
  ).count

/** Whether it may be asked for now: once in so many seconds, whoever wants it. */
export const claimReading = async (sql: Queryable, id: string, seconds: number) =>
  (
    await sql`update subscription_payments set updated_at = now() where id = ${id} and updated_at < now() - ${seconds} * interval '1 second'`
  ).count > 0

/** Its end has come, unless something became of it meanwhile. */
export const endNow = (sql: Queryable, id: string, { expiresAt, readAt }: { readonly expiresAt: string; readonly readAt: string | null }) =>
  sql`update subscription_payments set expires_at = ${expiresAt}, read_at = ${readAt}, updated_at = now()
    where id = ${id} and status in ('created', 'open', 'authorized')`

/** It is due with the next that are. */
export const readSoon = (sql: Queryable, id: string) =>
  sql`update subscription_payments set read_at = least(read_at, now()) where id = ${id}`

/** Takes those that are due, and puts them off: who takes them and does not come back loses none. */
export const claimDue = (sql: Queryable, most: number, putOffSeconds: number) => sql<PaymentRow[]>`
  update subscription_payments set read_at = now() + ${putOffSeconds} * interval '1 second', reads = reads + 1
  where id in (select id from subscription_payments where read_at <= now() order by read_at limit ${most} for update skip locked) returning *`
