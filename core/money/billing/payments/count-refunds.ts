import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText, min } from '../../../lib/money/decimal.ts'
import { fromUnits } from '../../payments/gateway/amounts.ts'
import { REFUND_LAG_MS } from '../../payments/refunds.ts'
import { payDueInvoices } from '../periods/pay-invoices.ts'
import { hasRecentRefund, insertCredit, lockSubscription } from '../subscriptions.queries.ts'
import { type PaymentRow, updatePayment } from './payments.queries.ts'

/** Records refunds that a gateway reports, and notes a chargeback in the payment's message. Returns the same payment if nothing changed. */
export async function recordRefunds(tx: Tx, payment: PaymentRow, event: PaymentNews): Promise<PaymentRow> {
  const updated = await countRefunds(tx, payment, event)
  const isChargedBack = event.takenBack === true && hasMoneyLeft(updated) && updated.message !== TAKEN_BACK
  return isChargedBack ? updatePayment(tx, payment.id, { message: TAKEN_BACK }) : updated
}

const TAKEN_BACK =
  'A bank took money of this payment back, and no refund states the amount. Check the gateway; an administrator deducts the amount from the credit of the store.'

const hasMoneyLeft = ({ paid, refunded }: PaymentRow) => paid === null || decimal(paid) > decimal(refunded)

/**
 * Records refunds made in the gateway's dashboard as negative credit, so that what was paid with it is owed. A failed refund restores the
 * credit and pays open invoices.
 */
async function countRefunds(tx: Tx, payment: PaymentRow, event: PaymentNews): Promise<PaymentRow> {
  const { id, storeId, currency, decimals, paid } = payment
  if (paid === null || event.refunded === undefined || (event.currency !== undefined && event.currency !== currency)) return payment
  const [before, given] = [decimal(payment.refunded), min(fromUnits(event.refunded, decimals), decimal(paid))]
  // A lower total may have been read before the last refund.
  if (given === before || (given < before && (await hasRecentRefund(tx, payment, REFUND_LAG_MS)))) return payment
  const status = given === 0n ? 'paid' : given === decimal(paid) ? 'refunded' : 'partially_refunded'
  const updated = await updatePayment(tx, id, { refunded: decimalText(given), status })
  await insertCredit(tx, { storeId, id: newId('scr'), kind: 'refund', amount: decimalText(before - given), currency, about: id })
  if (given < before) await payDueInvoices(tx, await lockSubscription(tx, storeId), Date.now())
  return updated
}
