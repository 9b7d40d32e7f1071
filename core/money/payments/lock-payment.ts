import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import type { LockedPayable, Payable } from './payable.ts'
import type { PaymentRef, PaymentRow } from './payments.model.ts'
import { lockPayment } from './payments.queries.ts'

/** Payment that is locked after its payable, with the rules of the payable. */
export interface LockedPayment {
  readonly payable: Payable
  readonly locked: LockedPayable
  readonly payment: PaymentRow
}

/** Locks what a payment pays for, then the payment, until the transaction ends. */
export async function lockPaymentWithPayable(context: Context, tx: Tx, ref: PaymentRef): Promise<LockedPayment> {
  const payable = context.payables.of(ref.payableKind)
  const locked = await payable.lock(context, tx, ref)
  return { payable, locked, payment: await lockPayment(tx, ref) }
}
