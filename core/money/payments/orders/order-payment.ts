import type { Queryable } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import type { OrderRow } from '../../../orders/orders.queries.ts'
import type { PayableRef, PaymentRow } from '../payments.model.ts'
import { findPaymentOfKind } from '../payments.queries.ts'

/** Finds a payment of an order. Throws `not_found` if it is none of the order. */
export async function findPaymentOfOrder(sql: Queryable, order: Pick<OrderRow, 'id'>, id: string): Promise<PaymentRow> {
  const payment = await findPaymentOfKind(sql, 'order', id)
  if (payment?.payableId !== order.id) throw notFound('The payment')
  return payment
}

/** Returns the project that receives the money of an order's payment. */
export const projectOf = ({ projectId }: Pick<PaymentRow, 'projectId'>): string => invariant(projectId, "The project of an order's payment")

/** Returns the reference to the order of a payment. */
export const refOf = (ref: PayableRef) => ({ projectId: projectOf(ref), storeId: ref.storeId, orderId: ref.payableId })
