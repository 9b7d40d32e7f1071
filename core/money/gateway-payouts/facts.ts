import type { Queryable } from '../../data/sql.ts'
import { decimal } from '../../lib/money/decimal.ts'
import { findCurrency } from '../../shop/stores/stores.queries.ts'
import { findPayments, findRefunds, findSettled, type LineRow, type PaymentFact, type RefundFact } from './lines/lines.queries.ts'
import { listNamed, type PayoutRow } from './payouts.queries.ts'

/** What is known of what lines name. Of lines that are looked at one after the other, each knows what those before it took. */
export interface Facts {
  /** What the ledger counts in. */
  readonly currency: string
  paymentOf(line: LineRow): PaymentFact | undefined
  /** By its name; where it has none, one of the payment that nothing has settled, of the same amount. */
  refundOf(line: LineRow, payment: PaymentFact | undefined): RefundFact | undefined
  payoutOf(line: LineRow): PayoutRow | undefined
  /** Payments, refunds and returned payouts that a line has settled. */
  readonly taken: Set<string>
}

const names = (values: readonly (string | null)[]): string[] => [...new Set(values.filter((value) => value !== null))]

export async function factsOf(sql: Queryable, { storeId, connectionId }: PayoutRow, lines: readonly LineRow[]): Promise<Facts> {
  const [checkouts, ours, given, returned] = [
    names(lines.map(({ namedCheckout }) => namedCheckout)),
    names(lines.map(({ namedPayment }) => namedPayment)),
    names(lines.map(({ namedRefund }) => namedRefund)),
    names(lines.map(({ namedPayout }) => namedPayout)),
  ]
  const payments = await findPayments(sql, connectionId, checkouts, ours)
  const isOfRefunds = lines.some(({ kind }) => kind === 'refund')
  const ids = payments.map(({ id }) => id)
  const refunds = isOfRefunds ? await findRefunds(sql, connectionId, given, ids) : []
  const settled = await findSettled(
    sql,
    ids,
    refunds.map(({ id }) => id),
  )
  const taken = new Set(settled.flatMap(({ paymentId, refundId }) => paymentId ?? refundId ?? []))
  const payouts = new Map((await listNamed(sql, connectionId, returned)).map((payout) => [payout.externalId, payout]))
  const there = new Map(payments.flatMap((payment) => (payment.externalId === null ? [] : [[payment.externalId, payment] as const])))
  const here = new Map(payments.map((payment) => [payment.id, payment]))
  const byName = new Map(refunds.map((refund) => [refund.id, refund]))
  return {
    currency: await findCurrency(sql, storeId),
    taken,
    // The gateway's own name goes first: an order that was paid twice has two checkouts under one payment of ours.
    paymentOf: ({ namedCheckout, namedPayment }) => there.get(namedCheckout ?? '') ?? here.get(namedPayment ?? ''),
    refundOf({ namedRefund, namedRefundThere, gross }, payment) {
      const named = byName.get(namedRefund ?? '')
      if (named) return named
      const own = refunds.filter(({ paymentId }) => paymentId === payment?.id)
      const known = own.find(({ externalId }) => externalId !== null && externalId === namedRefundThere)
      return (
        known ??
        own.find(
          ({ id, isDone, amount, externalId }) => isDone && externalId === null && !taken.has(id) && decimal(amount) === -decimal(gross),
        )
      )
    },
    payoutOf: ({ namedPayout }) => payouts.get(namedPayout ?? ''),
  }
}
