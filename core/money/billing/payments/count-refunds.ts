import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText, min } from '../../../lib/money/decimal.ts'
import { fromUnits } from '../../payments/gateway/amounts.ts'
import { COUNTED_MS } from '../../payments/refunds.ts'
import { settle } from '../periods/settle.ts'
import { insertCredit, lockSubscription, wasRefundedSince } from '../subscriptions.queries.ts'
import { type PaymentRow, updatePayment } from './payments.queries.ts'

/** What a gateway says that it gave back of money that is there, and that a bank took of it. Gives the payment itself where that is known. */
export async function countGiven(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<PaymentRow> {
  const counted = await countRefunds(tx, payment, news)
  const isDoubted = news.takenBack === true && worthMore(counted) && counted.message !== TAKEN_BACK
  return isDoubted ? updatePayment(tx, payment.id, { message: TAKEN_BACK }) : counted
}

const TAKEN_BACK =
  'A bank took money of this payment back, and no refund says how much. Look at the gateway: what is gone is taken from the credit of the store by an administrator.'

const worthMore = ({ paid, refunded }: PaymentRow) => paid === null || decimal(paid) > decimal(refunded)

/**
 * What was given back in the gateway's own dashboard is no longer to the store's credit; what it paid for stays paid, and is owed. Of a refund
 * that failed the money is there again, and pays what is due.
 */
async function countRefunds(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<PaymentRow> {
  const { id, storeId, currency, decimals, paid } = payment
  if (paid === null || news.refunded === undefined || (news.currency !== undefined && news.currency !== currency)) return payment
  const [before, given] = [decimal(payment.refunded), min(fromUnits(news.refunded, decimals), decimal(paid))]
  // What says less may have been read before it was given back.
  if (given === before || (given < before && (await wasRefundedSince(tx, payment, COUNTED_MS)))) return payment
  const status = given === 0n ? 'paid' : given === decimal(paid) ? 'refunded' : 'partially_refunded'
  const counted = await updatePayment(tx, id, { refunded: decimalText(given), status })
  await insertCredit(tx, { storeId, id: newId('scr'), kind: 'refund', amount: decimalText(before - given), currency, about: id })
  if (given < before) await settle(tx, await lockSubscription(tx, storeId), Date.now())
  return counted
}
