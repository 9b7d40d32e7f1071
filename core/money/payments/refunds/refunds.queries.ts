import { eraseBySearch } from '../../../data/personal-data/search-person.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { RefundRow } from '../payments.model.ts'

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

/** Declares which texts of refunds may contain personal data. */
export const refundPersonalData = eraseBySearch({
  table: 'payment_refunds',
  owner: (sql, { storeId, orderIds }) =>
    sql`payment_id in (select id from payments where store_id = ${storeId} and order_id = any (${orderIds as string[]}))`,
  key: ['id'],
  columns: { reason: 'text', message: 'text' },
})
