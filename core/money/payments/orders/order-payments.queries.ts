import { equalsCondition, keysetPage } from '../../../data/keyset-page.ts'
import { projectIdOf } from '../../../data/project-ids.ts'
import { expectOne, type Queryable } from '../../../data/sql.ts'
import type { PaymentRow, PaymentsQuery } from '../payments.model.ts'
import { underWayStatuses } from '../statuses.ts'

/** Lists all payments of an order, oldest first. At most 50 can be started. */
export const listPaymentsOfOrder = (sql: Queryable, projectId: string, orderId: string) =>
  sql<PaymentRow[]>`select * from payments
    where project_id = ${projectId} and payable_kind = 'order' and payable_id = ${orderId} order by id limit 500`

/** Lists a page of the payments of a store's orders, newest first. */
export const listPaymentsOfStore = (sql: Queryable, projectId: string, { filter: { status, waiting }, page: part }: PaymentsQuery) =>
  sql<PaymentRow[]>`select * from payments where project_id = ${projectId} and payable_kind = 'order' ${equalsCondition(sql, { status })}
    ${waiting === undefined ? sql`` : waiting ? sql`and concern is not null` : sql`and concern is null`} ${keysetPage(sql, part)}`

/** Customer of an order and the order's reference. */
export interface OrderPayer {
  readonly reference: string
  readonly customerName: string
  readonly customerPhone: string
  readonly customerEmail: string | null
}
/** Finds the customer and the reference of an order, even if the order was deleted. */
export const findOrderPayer = async (sql: Queryable, storeId: string, orderId: string) =>
  (
    await sql<OrderPayer[]>`select reference, customer_name, customer_phone, customer_email from orders
      where project_id = ${projectIdOf(storeId)} and id = ${orderId}`
  )[0]

/** Counts the payments of a store's orders that are under way. */
export const countPaymentsUnderWayOfStore = async (sql: Queryable, projectId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from payments where project_id = ${projectId} and payable_kind = 'order' and status in ${sql(underWayStatuses)}`,
  ).count
