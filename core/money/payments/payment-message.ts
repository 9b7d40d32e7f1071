import type { Queryable } from '../../data/sql.ts'
import type { PaymentChange, PaymentRow } from './payments.model.ts'
import { updatePayment } from './payments.queries.ts'

/** Sets the message of a payment, which says why it waits or failed. Also writes `change`. */
export const setPaymentMessage = (sql: Queryable, payment: PaymentRow, message: string, change: PaymentChange = {}): Promise<PaymentRow> =>
  updatePayment(sql, payment, { ...change, message })
