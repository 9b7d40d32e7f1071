import { eraseBySearch } from '../../../data/personal-data/search-person.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { RefundRow } from '../payments.model.ts'

/** Primary key of a refund. */
type RefundKey = Pick<RefundRow, 'projectId' | 'id'>

/** Inserts a refund and returns it. */
export const insertRefund = async (
  sql: Tx,
  refund: Pick<RefundRow, 'projectId' | 'paymentId' | 'id' | 'amount' | 'status' | 'reason' | 'byHand'>,
) => expectOne(await sql<RefundRow[]>`insert into payment_refunds ${rowValues(sql, refund)} returning *`)

/** Updates columns of a refund and returns it. */
export const updateRefund = async (
  sql: Queryable,
  { projectId, id }: RefundKey,
  change: Partial<Omit<RefundRow, 'projectId' | 'id' | 'paymentId'>>,
) =>
  expectOne(
    await sql<RefundRow[]>`update payment_refunds set ${rowValues(sql, { ...change, updatedAt: new Date() })}
      where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Finds a refund. */
export const findRefund = async (sql: Queryable, { projectId, id }: RefundKey) =>
  (await sql<RefundRow[]>`select * from payment_refunds where project_id = ${projectId} and id = ${id}`)[0]

/** Finds a refund by its id alone, for jobs, which name nothing else. */
export const findRefundById = async (sql: Queryable, id: string) =>
  (await sql<RefundRow[]>`select * from payment_refunds where id = ${id}`)[0]

/** Lists refunds of payments, oldest first. */
export const listRefunds = (sql: Queryable, projectId: string, paymentIds: readonly string[]) =>
  sql<RefundRow[]>`select * from payment_refunds
    where project_id = ${projectId} and payment_id = any (${paymentIds as string[]}) order by id limit 2000`

/**
 * Claims a pending refund for one request to the gateway, by its id alone, since jobs name nothing else. Returns the time of the previous request in `before`, null for the first. Returns
 * undefined if it is not pending or another request is in progress.
 */
export const claimRefund = async (sql: Queryable, id: string, seconds: number) =>
  (
    await sql<(RefundRow & { before: string | null })[]>`
      with found as (select project_id, id, asked_at from payment_refunds where id = ${id} and status = 'pending'
        and (asked_at is null or asked_at < now() - ${seconds} * interval '1 second') for update)
      update payment_refunds r set asked_at = now(), updated_at = now() from found
      where r.project_id = found.project_id and r.id = found.id returning r.*, found.asked_at as before`
  )[0]

/** Declares which texts of refunds may contain personal data. */
export const refundPersonalData = eraseBySearch({
  table: 'payment_refunds',
  owner: (sql, { projectId, orderIds }) =>
    sql`project_id = ${projectId} and payment_id in (select id from payments where project_id = ${projectId} and order_id = any (${orderIds as string[]}))`,
  key: ['id'],
  columns: { reason: 'text', message: 'text' },
})
