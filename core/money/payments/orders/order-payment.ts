import { projectIdOf, storeIdOf } from '../../../data/project-ids.ts'
import type { Queryable } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import type { OrderRow } from '../../../orders/orders.queries.ts'
import type { PayableRef, PaymentRow } from '../payments.model.ts'
import { findPayment } from '../payments.queries.ts'

/** Finds a payment of an order. Throws `not_found` if it is none of the order. */
export async function findPaymentOfOrder(sql: Queryable, order: Pick<OrderRow, 'storeId' | 'id'>, id: string): Promise<PaymentRow> {
  const payment = await findPayment(sql, { projectId: projectIdOf(order.storeId), id })
  if (payment?.payableKind !== 'order' || payment.payableId !== order.id) throw notFound('The payment')
  return payment
}

/** Returns the reference to the order of a payment. */
export const refOf = (ref: PayableRef) => ({
  projectId: ref.projectId,
  storeId: storeIdOf(ref.projectId),
  orderId: ref.payableId,
})
