import { storeIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import { decimal } from '../../lib/money/decimal.ts'
import { findCurrency } from '../../shop/stores/stores.queries.ts'
import {
  findPaymentFacts,
  findRefundFacts,
  findSettledIds,
  type PaymentFact,
  type PayoutLineRow,
  type RefundFact,
} from './lines/lines.queries.ts'
import { listPayoutsByExternalId, type PayoutRow } from './payouts.queries.ts'

/**
 * Payments, refunds and payouts that lines refer to, as we know them. Lines reconciled in sequence share it, so that a payment is settled
 * once.
 */
export interface ReconciliationFacts {
  /** Currency of the store's ledger. */
  readonly currency: string
  paymentOf(line: PayoutLineRow): PaymentFact | undefined
  /** Finds a refund by its id, then by the gateway's id, then by the same amount among the payment's unmatched refunds. */
  refundOf(line: PayoutLineRow, payment: PaymentFact | undefined): RefundFact | undefined
  payoutOf(line: PayoutLineRow): PayoutRow | undefined
  /** Ids of payments, refunds and returned payouts that another line already settled. */
  readonly settledIds: Set<string>
}

const uniqueNames = (values: readonly (string | null)[]): string[] => [...new Set(values.filter((value) => value !== null))]

/** Loads the payments, refunds and payouts that lines refer to, and the ids that other lines already settled. */
export async function loadReconciliationFacts(
  sql: Queryable,
  payout: PayoutRow,
  lines: readonly PayoutLineRow[],
): Promise<ReconciliationFacts> {
  const [checkouts, ours, given, returned] = [
    uniqueNames(lines.map(({ namedCheckout }) => namedCheckout)),
    uniqueNames(lines.map(({ namedPayment }) => namedPayment)),
    uniqueNames(lines.map(({ namedRefund }) => namedRefund)),
    uniqueNames(lines.map(({ namedPayout }) => namedPayout)),
  ]
  const payments = await findPaymentFacts(sql, payout, checkouts, ours)
  const isOfRefunds = lines.some(({ kind }) => kind === 'refund')
  const ids = payments.map(({ id }) => id)
  const refunds = isOfRefunds ? await findRefundFacts(sql, payout, given, ids) : []
  const settled = await findSettledIds(
    sql,
    payout.projectId,
    ids,
    refunds.map(({ id }) => id),
  )
  const settledIds = new Set(settled.flatMap(({ paymentId, refundId }) => paymentId ?? refundId ?? []))
  const payouts = new Map((await listPayoutsByExternalId(sql, payout, returned)).map((one) => [one.externalId, one]))
  const byExternalId = new Map(payments.flatMap((payment) => (payment.externalId === null ? [] : [[payment.externalId, payment] as const])))
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  const byName = new Map(refunds.map((refund) => [refund.id, refund]))
  return {
    currency: await findCurrency(sql, storeIdOf(payout.projectId)),
    settledIds,
    // The gateway's id wins, because an order paid twice has two checkouts under one payment of ours.
    paymentOf: ({ namedCheckout, namedPayment }) => byExternalId.get(namedCheckout ?? '') ?? byId.get(namedPayment ?? ''),
    refundOf({ namedRefund, namedRefundThere, gross }, payment) {
      const named = byName.get(namedRefund ?? '')
      if (named) return named
      const own = refunds.filter(({ paymentId }) => paymentId === payment?.id)
      const known = own.find(({ externalId }) => externalId !== null && externalId === namedRefundThere)
      return (
        known ??
        own.find(
          ({ id, isDone, amount, externalId }) =>
            isDone && externalId === null && !settledIds.has(id) && decimal(amount) === -decimal(gross),
        )
      )
    },
    payoutOf: ({ namedPayout }) => payouts.get(namedPayout ?? ''),
  }
}
