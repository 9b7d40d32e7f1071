import type { NewCheckout } from '../../../../plugins/payment/payments.model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import type { PaymentConnection } from '../../../integrations/connections/connection.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'
import { type LockedOrder, lockOrderWithParcels } from '../../../orders/change/lock-order.ts'
import { amountDueOf } from '../../../orders/parcels/parcel-values.ts'
import { openStatuses } from '../../../orders/statuses.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { assertTermsUnchanged } from '../../../shop/stores/stores.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PaymentRow } from '../payments.model.ts'
import { type ClaimedPayment, claimPayment } from '../start/claim-payment.ts'
import { openCheckout } from '../start/open-checkout.ts'
import { updateOrderPayment } from './update-order-payment.ts'

/** Order to pay, and its store. */
interface OrderToPay {
  readonly store: Store
  readonly orderId: string
}

/**
 * Starts a payment of an order's remaining amount, or returns the payment in progress with the same checkout page. Throws `conflict`,
 * `adapter_not_enabled`, `invalid_transition`, `already_paid`, `payment_needs_attention`, `outcome_unknown`, `currency_not_supported`,
 * `amount_not_payable`, `too_many_payments`, and errors of the gateway.
 */
export async function initiatePayment(
  context: Context,
  order: OrderToPay,
  connection: PaymentConnection,
  asked: NewCheckout,
): Promise<PaymentRow> {
  return openCheckout(context, await transaction(context.sql, (tx) => claimOrderPayment(context, tx, order, connection, asked)))
}

async function claimOrderPayment(
  context: Context,
  tx: Tx,
  { store, orderId }: OrderToPay,
  connection: PaymentConnection,
  asked: NewCheckout,
): Promise<ClaimedPayment> {
  await assertTermsUnchanged(tx, store)
  const { id: storeId, projectId, currencyCode: currency } = store
  const order = await lockOrderWithParcels(tx, { projectId, storeId, orderId })
  const ref = { payableKind: 'order' as const, payableId: orderId, projectId }
  const claimed = await claimPayment(context, tx, ref, connection, { amount: payableAmount(order), currency }, asked)
  await updateOrderPayment(tx, order)
  return claimed
}

/** Returns the remaining amount of an order. Throws if the order cannot be paid in advance now. */
function payableAmount({ order, parcels }: LockedOrder): Decimal {
  if (!openStatuses.includes(order.status) || parcels.some(({ status }) => status !== 'created'))
    throw paymentErrors.orderNotPayable({ status: order.status })
  if (order.paymentStatus === 'needs_attention') throw paymentErrors.paymentNeedsAttention()
  const amount = amountDueOf(order)
  if (amount === 0n) throw paymentErrors.alreadyPaid()
  return amount
}
