import type { PaymentAdapter } from '../../../plugins/payment/kind.ts'
import { PayoutPage, type ToldPayout } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import type { PaymentConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import { newId } from '../../lib/ids.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import { decimalsAt, fromUnits } from '../payments/gateway/amounts.ts'
import { type Heading, saveHeadings } from './payouts.queries.ts'
import { findPull, lockPull, updatePull } from './pulls.queries.ts'

/** A connection whose gateway says what it pays out. */
export interface PayingOut {
  readonly connection: PaymentConnection
  readonly payouts: NonNullable<PaymentAdapter['payouts']>
  readonly signal?: AbortSignal
}

export const CALL_MS = 30_000
const PAGES_MAX = 1_000

/** Takes over one page of the payouts that there are; says whether there may be another. */
export async function listPage(context: Context, { connection, payouts, signal }: PayingOut): Promise<boolean> {
  const { id } = connection.row
  const before = await findPull(context.sql, id)
  if (before?.status !== 'listing' || before.since === null) return false
  if (before.pages >= PAGES_MAX) throw new AdapterFailure('refused', false, 'The list of payouts has no end.')
  const asked = { since: before.since, cursor: before.cursor }
  const { payouts: told, cursor } = await callAdapter(context, connection, (_, own) => payouts.list(own, asked), {
    operation: 'payouts.list',
    deadlineMs: CALL_MS,
    schema: PayoutPage,
    quota: 'list',
    ...(signal && { signal }),
  })
  if (cursor !== null && cursor === asked.cursor)
    throw new AdapterFailure('refused', false, 'The gateway gives the same page again and again.')
  await transaction(context.sql, async (tx) => {
    const now = await lockPull(tx, id)
    // Somebody else took over this page meanwhile, or began anew.
    if (now?.turn !== before.turn || now.cursor !== before.cursor || now.status !== 'listing') return
    await saveHeadings(tx, headingsOf(connection, told))
    await updatePull(tx, id, cursor === null ? { status: 'reading', cursor } : { cursor, pages: now.pages + 1 })
  })
  return true
}

/** Each once, as it was told last. */
function headingsOf({ row, mounted }: PaymentConnection, told: readonly ToldPayout[]): Heading[] {
  const each = new Map(told.map((payout) => [payout.externalId, payout]))
  return [...each.values()].map(({ externalId, status, amount, currency, madeAt, arrivesAt, lines, message }) => {
    const decimals = decimalsAt(mounted.adapter.unit, currency)
    return {
      storeId: row.storeId,
      id: newId('gpo'),
      projectId: row.projectId,
      connectionId: row.id,
      gateway: row.key,
      externalId,
      status,
      amount: decimalText(fromUnits(amount, decimals)),
      currency,
      decimals,
      detail: lines,
      madeAt: instant(madeAt),
      arrivesAt: arrivesAt === undefined ? null : instant(arrivesAt),
      message: message ?? null,
    }
  })
}

export function instant(at: string): string {
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) throw new AdapterFailure('unavailable', true, 'The gateway told a time that is none.')
  return new Date(ms).toISOString()
}
