import type { Tx } from '../../data/sql.ts'
import type { Decimal } from '../../lib/money/decimal.ts'
import { insertEntries } from './entries.queries.ts'

interface OfPayment {
  readonly projectId: string
  readonly connectionId: string
  readonly paymentId: string
  readonly at: string
  readonly amount: Decimal
}

/** A customer paid a gateway: it owes us that less its fee. Once for each payment. */
export const postPayment = (tx: Tx, { projectId, connectionId, paymentId, at, amount, fee }: OfPayment & { readonly fee: Decimal }) =>
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

/** The gateway gave a customer something back: it owes us so much less. Once for each refund. */
export const postRefund = (
  tx: Tx,
  { projectId, connectionId, paymentId, refundId, at, amount }: OfPayment & { readonly refundId: string },
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
