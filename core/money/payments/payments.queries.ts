import type { GatewayEvent } from '../../../plugins/payment/model.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'
import type { PayableKind, PayableRef, PaymentChange, PaymentKey, PaymentRow } from './payments.model.ts'
import { underWayStatuses } from './statuses.ts'

/** Inserts a payment and returns it. */
export const insertPayment = async (sql: Tx, payment: PaymentChange & PaymentKey) =>
  expectOne(await sql<PaymentRow[]>`insert into payments ${rowValues(sql, payment)} returning *`)

/** Updates columns of a payment and returns it. */
export const updatePayment = async (sql: Queryable, { projectId, id }: PaymentKey, change: PaymentChange) =>
  expectOne(
    await sql<
      PaymentRow[]
    >`update payments set ${rowValues(sql, { ...change, updatedAt: new Date() }, ['directions'])} where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Finds a payment. */
export const findPayment = async (sql: Queryable, { projectId, id }: PaymentKey) =>
  (await sql<PaymentRow[]>`select * from payments where project_id = ${projectId} and id = ${id}`)[0]

/** Finds a payment by its id alone, for jobs, which name nothing else. */
export const findPaymentById = async (sql: Queryable, id: string) => (await sql<PaymentRow[]>`select * from payments where id = ${id}`)[0]

/** Finds a payment of one kind of payable by id, for the pages of payers, whose addresses name nothing else. */
export const findPaymentOfKind = async (sql: Queryable, kind: PayableKind, id: string) =>
  (await sql<PaymentRow[]>`select * from payments where id = ${id} and payable_kind = ${kind}`)[0]

/** Returns whether a connection exists and is enabled, and locks it against deletion until the transaction ends. */
export const lockEnabledConnection = async (sql: Tx, { projectId, id }: ConnectionRef) =>
  (await sql`select 1 from integrations where project_id = ${projectId} and id = ${id} and deleted_at is null and enabled for key share`)
    .length > 0

/** Locks a payment until the transaction ends. Lock its payable first. */
export const lockPayment = async (sql: Tx, { projectId, id }: PaymentKey) =>
  expectOne(await sql<PaymentRow[]>`select * from payments where project_id = ${projectId} and id = ${id} for update`)

/** Lists payments of a payable that are under way, oldest first. */
export const listPaymentsUnderWay = (sql: Queryable, { projectId, payableKind, payableId }: PayableRef) =>
  sql<PaymentRow[]>`select * from payments
    where project_id = ${projectId} and payable_kind = ${payableKind} and payable_id = ${payableId} and status in ${sql(underWayStatuses)} order by id limit 100`

/** Lists payments of a payable, newest first, starting before the id `before`. */
export const listPaymentPage = (sql: Queryable, { projectId, payableKind, payableId }: PayableRef, before: string | null, take: number) =>
  sql<PaymentRow[]>`select * from payments
    where project_id = ${projectId} and payable_kind = ${payableKind} and payable_id = ${payableId}
    and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Lists payments of one kind of payable, of all projects, with a receipt that waits for review, newest first. */
export const listPaymentsAwaitingReview = (sql: Queryable, kind: PayableKind, before: string | null, take: number) =>
  sql<PaymentRow[]>`select * from payments p
    where payable_kind = ${kind} and status = 'processing' and (${before}::text is null or id < ${before})
      and exists (select 1 from payment_proofs r where r.project_id = p.project_id and r.payment_id = p.id) order by id desc limit ${take}`

/** Counts the payments of a payable that were started: all of them, or those within the last `hours` hours. */
export const countPayments = async (sql: Queryable, { projectId, payableKind, payableId }: PayableRef, hours: number | null) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from payments
      where project_id = ${projectId} and payable_kind = ${payableKind} and payable_id = ${payableId}
        and (${hours}::int is null or created_at > now() - ${hours}::int * interval '1 hour')`,
  ).count

/** Finds the payment of a gateway event by the gateway's id, else by our id. A connection of the platform has payments of many projects. */
export const findPaymentOfEvent = async (sql: Queryable, connectionId: string, { externalId, paymentId }: GatewayEvent) =>
  (
    await sql<
      PaymentRow[]
    >`select * from payments where connection_id = ${connectionId} and (external_id = ${externalId ?? null} or id = ${paymentId ?? null})
      order by external_id is not distinct from ${externalId ?? null} desc limit 1`
  )[0]

/** Finds another payment of the same payable that already stands for the event's checkout. */
export const findDuplicatePayment = async (
  sql: Tx,
  { projectId, payableKind, payableId, connectionId, id }: PaymentRow,
  { externalId }: GatewayEvent,
) =>
  (
    await sql<PaymentRow[]>`select * from payments
      where project_id = ${projectId} and connection_id = ${connectionId} and external_id = ${externalId ?? null} and payable_kind = ${payableKind} and payable_id = ${payableId} and id <> ${id}`
  )[0]

/** Lists payments of any store, and of the platform, by the gateway's id, for webhooks that do not name a store. */
export const listPaymentsByExternalId = (sql: Queryable, gateway: string, externalId: string) =>
  sql<PaymentRow[]>`select * from payments where gateway = ${gateway} and external_id = ${externalId} limit 10`

/** Counts the payments of a connection that are under way. A connection of the platform has payments of many projects. */
export const countPaymentsUnderWay = async (sql: Queryable, connectionId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from payments where connection_id = ${connectionId} and status in ${sql(underWayStatuses)}`,
  ).count

/** Claims a poll of a payment. Returns false if it was polled or updated in the last `seconds` seconds. */
export const claimPoll = async (sql: Queryable, { projectId, id }: PaymentKey, seconds: number) =>
  (
    await sql`update payments set updated_at = now()
      where project_id = ${projectId} and id = ${id} and updated_at < now() - ${seconds} * interval '1 second'`
  ).count > 0

/** Sets the expiry and the next poll of a payment, unless its status has changed meanwhile. */
export const updateExpiry = (
  sql: Queryable,
  { projectId, id }: PaymentKey,
  { expiresAt, readAt }: { readonly expiresAt: string; readonly readAt: string | null },
) =>
  sql`update payments set expires_at = ${expiresAt}, read_at = ${readAt}, updated_at = now()
    where project_id = ${projectId} and id = ${id} and status in ('created', 'open', 'authorized')`

/** Makes a payment due for the next round of polling. */
export const scheduleNextPoll = (sql: Queryable, { projectId, id }: PaymentKey) =>
  sql`update payments set read_at = least(read_at, now()) where project_id = ${projectId} and id = ${id}`

/** Claims due payments by moving their next poll, so that a payment whose worker dies becomes due again. */
export const claimDuePayments = (sql: Queryable, most: number, putOffSeconds: number) => sql<PaymentRow[]>`
  update payments set read_at = now() + ${putOffSeconds} * interval '1 second', reads = reads + 1
  where (project_id, id) in (select project_id, id from payments where read_at <= now() order by read_at limit ${most} for update skip locked) returning *`

/** Inserts a gateway event, in the project of its connection. Returns false if it is a duplicate. */
export const insertGatewayEvent = async (
  sql: Tx,
  news: {
    projectId: string
    connectionId: string
    digest: string
    paymentId: string | null
    externalId: string | null
    news: GatewayEvent
    outcome: string
  },
) => (await sql`insert into payment_events ${rowValues(sql, news, ['news'])} on conflict do nothing`).count > 0

/** Claims gateway events that arrived before the checkout's id was stored. */
export const claimEarlyEvents = (
  sql: Tx,
  { id: connectionId, projectId }: { readonly id: string; readonly projectId: string },
  externalId: string,
  paymentId: string,
) =>
  sql<{ news: GatewayEvent }[]>`update payment_events set outcome = 'applied', payment_id = ${paymentId}
    where project_id = ${projectId} and connection_id = ${connectionId} and external_id = ${externalId} and outcome = 'early' returning news`

/** Deletes at most `most` gateway events older than `days` days and returns how many. */
export const deleteGatewayEvents = async (sql: Queryable, days: number, most: number) =>
  (
    await sql`delete from payment_events where (project_id, connection_id, digest) in (
      select project_id, connection_id, digest from payment_events where at < now() - ${days} * interval '1 day' limit ${most})`
  ).count
