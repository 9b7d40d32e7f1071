import type { PaymentAdapter } from '../../../plugins/payment/kind.ts'
import { PayoutPage, type ToldPayout } from '../../../plugins/payment/payouts.model.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import type { PaymentConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { newId } from '../../lib/ids.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import { decimalsAtGateway, fromUnits } from '../payments/gateway/amounts.ts'
import { type PayoutHeading, upsertPayoutHeadings } from './payouts.queries.ts'
import { findPull, lockPull, updatePull } from './pulls.queries.ts'

/** Connection of a gateway that reports its payouts, with the adapter's payout operations. */
export interface PayoutSource {
  readonly connection: PaymentConnection
  readonly payouts: NonNullable<PaymentAdapter['payouts']>
  readonly signal?: AbortSignal
}

/** Timeout of one call to a gateway, in milliseconds. */
export const CALL_MS = 30_000
const PAGES_MAX = 1_000

/**
 * Pulls one page of the gateway's list of payouts. Returns whether there may be another page. Throws `AdapterFailure` when the gateway
 * repeats a page or the list exceeds 1,000 pages.
 */
export async function pullPayoutPage(context: Context, { connection, payouts, signal }: PayoutSource): Promise<boolean> {
  const { id: connectionId, projectId } = connection.row
  const key = { projectId, connectionId }
  const before = await findPull(context.sql, key)
  if (before?.status !== 'listing' || before.since === null) return false
  if (before.pages >= PAGES_MAX) throw new AdapterFailure('refused', 'The list of payouts has too many pages.', { wasSent: false })
  const position = { since: before.since, cursor: before.cursor }
  const { payouts: reported, cursor } = await callAdapter(context, connection, (_, own) => payouts.list(own, position), {
    operation: 'payouts.list',
    deadlineMs: CALL_MS,
    schema: PayoutPage,
    quota: 'list',
    ...(signal && { signal }),
  })
  if (cursor !== null && cursor === position.cursor)
    throw new AdapterFailure('refused', 'The gateway returns the same page repeatedly.', { wasSent: false })
  await transaction(context.sql, async (tx) => {
    const now = await lockPull(tx, key)
    // Another process stored this page meanwhile, or restarted the pull.
    if (now?.turn !== before.turn || now.cursor !== before.cursor || now.status !== 'listing') return
    await upsertPayoutHeadings(tx, headingsOf(connection, reported))
    await updatePull(tx, key, cursor === null ? { status: 'reading', cursor } : { cursor, pages: now.pages + 1 })
  })
  return true
}

/** Builds one row per payout; the last mention of a payout in the page wins. */
function headingsOf({ row, mounted }: PaymentConnection, reported: readonly ToldPayout[]): PayoutHeading[] {
  const each = new Map(reported.map((payout) => [payout.externalId, payout]))
  return [...each.values()].map(({ externalId, status, amount, currency, madeAt, arrivesAt, lines, message }) => {
    const decimals = decimalsAtGateway(mounted.adapter.unit, currency)
    return {
      projectId: row.projectId,
      id: newId('gpo'),
      connectionId: row.id,
      gateway: row.key,
      externalId,
      status,
      amount: decimalText(fromUnits(amount, decimals)),
      currency,
      decimals,
      detail: lines,
      madeAt: parseGatewayTime(madeAt),
      arrivesAt: arrivesAt === undefined ? null : parseGatewayTime(arrivesAt),
      message: message ?? null,
    }
  })
}

/** Converts a gateway's time to ISO 8601 in UTC. Throws `AdapterFailure` for an invalid time. */
export function parseGatewayTime(at: string): string {
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) throw new AdapterFailure('unavailable', 'The gateway sent an invalid time.', { wasSent: true })
  return new Date(ms).toISOString()
}
