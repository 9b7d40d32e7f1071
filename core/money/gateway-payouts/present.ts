import { storeIdOf } from '../../data/project-ids.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import type { OutcomeSum, PayoutLineRow } from './lines/lines.queries.ts'
import type { GatewayPayout, GatewayPayoutLine, PayoutOutcome, PayoutReading, UnpaidOut } from './payouts.model.ts'
import { payoutOutcomes } from './payouts.model.ts'
import type { MissingPaymentRow, PayoutRow } from './payouts.queries.ts'
import type { PullRow } from './pulls.queries.ts'

/** Presents a payout in the API format. */
export const presentPayout = (row: PayoutRow): GatewayPayout => ({
  id: row.id,
  storeId: storeIdOf(row.projectId),
  gateway: row.gateway,
  externalId: row.externalId,
  status: row.status,
  state: row.state,
  amount: Number(row.amount),
  currency: row.currency,
  lines: row.detail,
  complete: row.complete,
  waiting: row.waiting,
  returnedBy: row.returnedBy,
  message: row.message,
  madeAt: row.madeAt,
  arrivesAt: row.arrivesAt,
  postedAt: row.postedAt,
  reversedAt: row.reversedAt,
})

const NOTHING = { lines: 0, gross: 0, fee: 0, net: 0 }

/** Presents a payout with the totals of its lines by outcome. */
export function presentDetail(row: PayoutRow, sums: readonly OutcomeSum[]) {
  const sumOf = (outcome: PayoutOutcome | null) => {
    const found = sums.find((sum) => sum.outcome === outcome)
    return found ? { lines: found.lines, gross: Number(found.gross), fee: Number(found.fee), net: Number(found.net) } : NOTHING
  }
  const totals = Object.fromEntries(payoutOutcomes.map((outcome) => [outcome, sumOf(outcome)])) as Record<PayoutOutcome, typeof NOTHING>
  return {
    ...presentPayout(row),
    totals: { ...totals, open: sumOf(null) },
    posted: decimalNumber(sums.reduce((sum, { posted }) => sum + decimal(posted), 0n)),
  }
}

/** Presents a line of a payout. Its state depends on the payout: an unsettled line waits only if the payout is posted. */
export const presentLine = (row: PayoutLineRow & { readonly orderId: string | null }, { state }: PayoutRow): GatewayPayoutLine => ({
  id: row.id,
  externalId: row.externalId,
  kind: row.kind,
  outcome: row.outcome,
  state: row.settledAt !== null ? (row.reason === null ? 'settled' : 'accepted') : state === 'posted' ? 'waiting' : 'open',
  gross: Number(row.gross),
  fee: Number(row.fee),
  net: Number(row.net),
  currency: row.currency,
  expected: row.expected === null ? null : Number(row.expected),
  paymentId: row.paymentId,
  orderId: row.orderId,
  refundId: row.refundId,
  reason: row.reason,
  message: row.message,
  at: row.at,
})

/** Presents the state of a connection's pull. */
export const presentPull = (row: PullRow & { readonly gateway: string }): PayoutReading => ({
  gateway: row.gateway,
  connectionId: row.connectionId,
  status: row.status === 'done' || row.status === 'failed' ? row.status : 'running',
  message: row.message,
  beganAt: row.beganAt,
  finishedAt: row.finishedAt,
  dueAt: row.dueAt,
})

/** Presents a payment that no payout includes. */
export const presentMissingPayment = (row: MissingPaymentRow): UnpaidOut => ({
  paymentId: row.id,
  orderId: row.orderId,
  gateway: row.gateway,
  externalId: row.externalId,
  paid: Number(row.paid),
  refunded: Number(row.refunded),
  fee: row.fee === null ? null : Number(row.fee),
  currency: row.currency,
  paidAt: row.paidAt,
  days: row.days,
})
