import { eraseBySearch } from '../../../data/personal-data/search-person.ts'
import { recordsetOf } from '../../../data/rows.ts'
import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'
import { type PayoutLineKind, type PayoutOutcome, settlingOutcomes } from '../payouts.model.ts'
import type { PayoutKey, PayoutRow, PayoutsOfConnection } from '../payouts.queries.ts'

/** Line as the gateway reported it. `numeric` columns come as text. */
export interface NewPayoutLine {
  readonly projectId: string
  readonly payoutId: string
  readonly id: string
  readonly line: number
  readonly externalId: string
  readonly kind: PayoutLineKind
  readonly gross: string
  readonly fee: string
  readonly net: string
  readonly currency: string
  readonly at: string | null
  readonly message: string | null
  readonly namedCheckout: string | null
  readonly namedPayment: string | null
  readonly namedRefund: string | null
  readonly namedRefundThere: string | null
  readonly namedPayout: string | null
}

/** Row of `gateway_payout_lines`: the reported line with its outcome. */
export interface PayoutLineRow extends NewPayoutLine {
  readonly outcome: PayoutOutcome | null
  readonly paymentId: string | null
  readonly refundId: string | null
  readonly expected: string | null
  readonly settledAt: string | null
  readonly stands: boolean
  readonly posted: string | null
  readonly reason: string | null
}

/** Inserts reported lines. Skips lines that exist already. */
export const insertPayoutLines = async (tx: Tx, lines: readonly NewPayoutLine[]) => {
  if (lines.length === 0) return
  const { names, from } = recordsetOf(tx, 'gateway_payout_lines', lines)
  await tx`insert into gateway_payout_lines (${names}) select ${names} from ${from} r order by line on conflict (project_id, payout_id, external_id) do nothing`
}

/** Returns the number of the last line of a payout, or 0. */
export const countPayoutLines = async (sql: Queryable, { projectId, id }: PayoutKey) =>
  expectOne(
    await sql<{ count: number }[]>`select coalesce(max(line), 0)::int as count from gateway_payout_lines
      where project_id = ${projectId} and payout_id = ${id}`,
  ).count

/** Sums the lines of a payout in the payout's currency. */
export const sumPayoutLines = async (sql: Queryable, { projectId, id, currency }: PayoutRow) =>
  expectOne(
    await sql<{ net: string }[]>`select coalesce(sum(net), 0) as net from gateway_payout_lines
      where project_id = ${projectId} and payout_id = ${id} and currency = ${currency}`,
  ).net

/** Lists unsettled lines of a payout after the line `after`. With `isNew`, only those that were never reconciled. */
export const listUnsettledLines = (
  sql: Queryable,
  { projectId, id }: PayoutKey,
  after: number,
  take: number,
  { isNew }: { readonly isNew: boolean },
) =>
  sql<PayoutLineRow[]>`select * from gateway_payout_lines
    where project_id = ${projectId} and payout_id = ${id} and settled_at is null and line > ${after} ${isNew ? sql`and outcome is null` : sql``} order by line limit ${take}`

/** Finds a line of a payout by id. */
export const findPayoutLine = async (sql: Queryable, { projectId, id: payoutId }: PayoutKey, id: string) =>
  (
    await sql<PayoutLineRow[]>`select * from gateway_payout_lines
      where project_id = ${projectId} and payout_id = ${payoutId} and id = ${id}`
  )[0]

/** Lists lines of a payout in the gateway's order after the line `after`, each with the order of its payment. */
export const listPayoutLines = (
  sql: Queryable,
  { projectId, id }: PayoutKey,
  { waiting }: { readonly waiting: boolean | undefined },
  after: number,
  take: number,
) =>
  sql<(PayoutLineRow & { orderId: string | null })[]>`
    select l.*, p.order_id from gateway_payout_lines l left join payments p on p.project_id = l.project_id and p.id = l.payment_id
    where l.project_id = ${projectId} and l.payout_id = ${id} and l.line > ${after} ${
      waiting === undefined
        ? sql``
        : waiting
          ? sql`and l.settled_at is null and l.outcome is not null`
          : sql`and (l.settled_at is not null or l.outcome is null)`
    }
    order by l.line limit ${take}`

/** Totals of a payout's lines with one outcome; null means not reconciled. `numeric` columns come as text. */
export interface OutcomeSum {
  readonly outcome: PayoutOutcome | null
  readonly lines: number
  readonly gross: string
  readonly fee: string
  readonly net: string
  readonly posted: string
}

/** Sums the lines of a payout by outcome. */
export const sumOutcomes = (sql: Queryable, { projectId, id }: PayoutKey) =>
  sql<OutcomeSum[]>`
    select outcome, count(*)::int as lines, sum(gross) as gross, sum(fee) as fee, sum(net) as net, coalesce(sum(posted), 0) as posted
    from gateway_payout_lines where project_id = ${projectId} and payout_id = ${id} group by outcome`

/** Result of reconciling a line. */
export interface PayoutLineResult
  extends Pick<PayoutLineRow, 'id' | 'outcome' | 'paymentId' | 'refundId' | 'expected' | 'settledAt' | 'stands' | 'posted' | 'reason'> {}

/** Records the results of reconciling lines of a payout. */
export const updateLineResults = async (tx: Tx, payout: PayoutKey, found: readonly PayoutLineResult[]) => {
  if (found.length === 0) return
  const { set, from } = recordsetOf(tx, 'gateway_payout_lines', found, ['id'])
  await tx`update gateway_payout_lines l set ${set} from ${from} r
    where l.project_id = ${payout.projectId} and l.payout_id = ${payout.id} and l.id = r.id`
}

/** Clears the settlement of all lines of a payout that was reversed. */
export const clearLineSettlements = (tx: Tx, { projectId, id }: PayoutKey) =>
  tx`update gateway_payout_lines set settled_at = null, stands = false, posted = null, reason = null
    where project_id = ${projectId} and payout_id = ${id}`

/** Returns the payment id under which the ledger records a fee that became known later. */
export const lateFeeId = (paymentId: string): string => `${paymentId}:fee`

/** Payment of a connection with its ledger amounts, which are null if it is not paid. */
export interface PaymentFact {
  readonly id: string
  readonly externalId: string | null
  readonly currency: string
  readonly carrier: string | null
  readonly sales: string | null
  readonly fees: string | null
}

/** Finds payments of a connection by the gateway's ids or by ours, with their ledger amounts. */
export const findPaymentFacts = (
  sql: Queryable,
  { projectId, connectionId }: PayoutsOfConnection,
  names: readonly string[],
  ids: readonly string[],
) =>
  sql<PaymentFact[]>`
    select p.id, p.external_id, p.currency, e.carrier, e.sales, e.fees from (
      select id, project_id, external_id, currency from payments
        where project_id = ${projectId} and connection_id = ${connectionId} and external_id = any (${names as string[]})
      union select id, project_id, external_id, currency from payments
        where project_id = ${projectId} and connection_id = ${connectionId} and id = any (${ids as string[]})
    ) p left join lateral (
      select sum(carrier) as carrier, sum(sales) as sales, sum(fees) as fees from ledger_entries
      where project_id = p.project_id and payment_id in (p.id, p.id || ':fee') and kind = 'payment' and stands) e on true`

/** Refund of a connection's payment. `isDone` means that it was paid out, `isFailed` that it was returned. */
export interface RefundFact {
  readonly id: string
  readonly paymentId: string
  readonly externalId: string | null
  readonly currency: string
  readonly amount: string
  readonly isDone: boolean
  readonly isFailed: boolean
}

/** Finds refunds of a connection by id or by payment id. */
export const findRefundFacts = (
  sql: Queryable,
  { projectId, connectionId }: PayoutsOfConnection,
  ids: readonly string[],
  paymentIds: readonly string[],
) =>
  sql<RefundFact[]>`
    select r.id, r.payment_id, r.external_id, p.currency, r.amount, r.status = 'done' as is_done, r.status = 'failed' as is_failed from (
      select * from payment_refunds where project_id = ${projectId} and id = any (${ids as string[]})
      union select * from payment_refunds where project_id = ${projectId} and payment_id = any (${paymentIds as string[]})
    ) r join payments p on p.project_id = r.project_id and p.id = r.payment_id where p.connection_id = ${connectionId} order by r.id`

/** Finds which of these payments and refunds a payout line has settled. */
export const findSettledIds = (sql: Queryable, projectId: string, paymentIds: readonly string[], refundIds: readonly string[]) =>
  sql<{ paymentId: string | null; refundId: string | null }[]>`
    select payment_id, null as refund_id from gateway_payout_lines
    where project_id = ${projectId} and stands and kind = 'payment' and outcome in ${sql(settlingOutcomes)} and payment_id = any (${paymentIds as string[]})
    union all select null, refund_id from gateway_payout_lines
    where project_id = ${projectId} and stands and kind = 'refund' and outcome in ${sql(settlingOutcomes)} and refund_id = any (${refundIds as string[]})`

/** Declares which texts of payout lines may contain personal data. Amounts and references remain after erasure. */
export const payoutLinePersonalData = eraseBySearch({
  table: 'gateway_payout_lines',
  owner: 'project',
  key: ['payout_id', 'id'],
  columns: { message: 'text', reason: 'text' },
})
