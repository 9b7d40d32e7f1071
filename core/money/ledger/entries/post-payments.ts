import type { Tx } from '../../../data/sql.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'
import { insertEntries } from './entries.queries.ts'

interface PaymentRef {
  readonly projectId: string
  readonly connectionId: string
  readonly paymentId: string
  readonly at: string
  readonly amount: Decimal
}

/** Posts a customer's payment: the gateway owes us the amount less its fee. The database rejects a second entry of the same payment. */
export const postPayment = (tx: Tx, { projectId, connectionId, paymentId, at, amount, fee }: PaymentRef & { readonly fee: Decimal }) =>
  insertEntries(tx, [
    {
      projectId,
      connectionId,
      kind: 'payment',
      parcelId: null,
      remittanceId: null,
      paymentId,
      at,
      posting: { carrier: amount - fee, sales: -amount, fees: fee, bank: 0n, difference: 0n },
    },
  ])

/** Posts a refund: the gateway owes us less by its amount. The database rejects a second entry of the same refund. */
export const postRefund = (
  tx: Tx,
  { projectId, connectionId, paymentId, refundId, at, amount }: PaymentRef & { readonly refundId: string },
) =>
  insertEntries(tx, [
    {
      projectId,
      connectionId,
      kind: 'refund',
      parcelId: null,
      remittanceId: null,
      paymentId,
      refundId,
      at,
      posting: { carrier: -amount, sales: amount, fees: 0n, bank: 0n, difference: 0n },
    },
  ])
