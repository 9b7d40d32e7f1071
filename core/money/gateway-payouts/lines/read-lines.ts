import { PayoutLinePage, type ToldPayoutLine } from '../../../../plugins/payment/payouts.model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import { decimalsAtGateway, fromUnits } from '../../payments/gateway/amounts.ts'
import { findPayout, listUnreadPayouts, lockPayout, type PayoutKey, type PayoutRow, updatePayout } from '../payouts.queries.ts'
import { CALL_MS, type PayoutSource, parseGatewayTime } from '../pull-page.ts'
import { countPayoutLines, insertPayoutLines, type NewPayoutLine, sumPayoutLines } from './lines.queries.ts'
import { previewPayout } from './post-payouts.ts'

const PAYOUTS_AT_ONCE = 50
/** Maximum number of lines of a payout. */
const LINES_MAX = 20_000

/** Reads the lines of a connection's incomplete payouts. Returns whether all available lines were read before the time ran out. */
export async function readUnreadPayouts(context: Context, from: PayoutSource, hasTime: () => boolean): Promise<boolean> {
  const { id: connectionId, projectId } = from.connection.row
  for (let after = ''; ; ) {
    const some = await listUnreadPayouts(context.sql, { projectId, connectionId }, after, PAYOUTS_AT_ONCE)
    for (const payout of some) if (!(await readPayoutLines(context, from, payout, hasTime))) return false
    if (some.length < PAYOUTS_AT_ONCE) return true
    after = some.at(-1)?.id ?? ''
  }
}

/** Failures that concern a single payout, so that the others are still read. */
const isolatedReasons: readonly AdapterFailure['reason'][] = ['refused', 'not_found']

async function readPayoutLines(context: Context, from: PayoutSource, payout: PayoutRow, hasTime: () => boolean): Promise<boolean> {
  try {
    while (await readPage(context, from, payout)) if (!hasTime()) return false
    await previewPayout(context, payout)
    return hasTime()
  } catch (error) {
    if (!(error instanceof AdapterFailure) || !isolatedReasons.includes(error.reason)) throw error
    await updatePayout(context.sql, payout, { message: error.message.slice(0, 500) })
    return hasTime()
  }
}

/** Reads and stores one page of lines. Returns whether there may be another page. */
async function readPage(context: Context, { connection, payouts, signal }: PayoutSource, payout: PayoutKey): Promise<boolean> {
  const before = await findPayout(context.sql, payout)
  if (!before || before.complete) return false
  const { externalId, lineCursor: cursor } = before
  const ask = () =>
    callAdapter(context, connection, (_, own) => payouts.lines(own, { externalId, cursor }), {
      operation: 'payouts.lines',
      deadlineMs: CALL_MS,
      schema: PayoutLinePage,
      quota: 'list',
      ...(signal && { signal }),
    })
  const page = before.detail === 'never' ? { lines: [], cursor: null } : await ask()
  if (page.cursor !== null && page.cursor === cursor) throw unreadable('The gateway returns the same lines repeatedly.')
  return transaction(context.sql, async (tx) => {
    const now = await lockPayout(tx, payout)
    // Another process stored this page meanwhile.
    if (!now || now.complete || now.lineCursor !== cursor) return true
    const count = await countPayoutLines(tx, payout)
    if (count + page.lines.length > LINES_MAX) throw unreadable(`The payout has more than ${LINES_MAX} lines.`)
    const { unit } = connection.mounted.adapter
    await insertPayoutLines(
      tx,
      page.lines.map((line, at) => toRow(now, unit, line, count + at + 1)),
    )
    if (page.cursor === null) await completePayout(tx, now)
    else await updatePayout(tx, payout, { lineCursor: page.cursor })
    return page.cursor !== null
  })
}

const unreadable = (text: string) => new AdapterFailure('refused', text, { wasSent: false })

/** Completes a payout. Adds an `untold` line for the part of the amount that its lines do not explain. */
async function completePayout(tx: Tx, payout: PayoutRow): Promise<void> {
  const { projectId, id, currency } = payout
  const rest = decimal(payout.amount) - decimal(await sumPayoutLines(tx, payout))
  const line = (await countPayoutLines(tx, payout)) + 1
  const amount = decimalText(rest)
  if (rest !== 0n)
    await insertPayoutLines(tx, [{ ...untoldLine, projectId, payoutId: id, id: newId('gpl'), line, gross: amount, net: amount, currency }])
  await updatePayout(tx, payout, { complete: true, lineCursor: null })
}

const untoldLine = {
  externalId: '',
  kind: 'untold' as const,
  fee: '0',
  at: null,
  message: null,
  namedCheckout: null,
  namedPayment: null,
  namedRefund: null,
  namedRefundThere: null,
  namedPayout: null,
}

function toRow({ projectId, id }: PayoutRow, unit: 'major' | 'minor', reported: ToldPayoutLine, line: number): NewPayoutLine {
  const { externalId, kind, currency, gross, fee, net, at, message } = reported
  if (gross - fee !== net)
    throw new AdapterFailure('unavailable', `The amounts of the line ${externalId} do not add up.`, { wasSent: true })
  const amount = (units: number) => decimalText(fromUnits(units, decimalsAtGateway(unit, currency)))
  return {
    projectId,
    payoutId: id,
    id: newId('gpl'),
    line,
    externalId,
    kind,
    gross: amount(gross),
    fee: amount(fee),
    net: amount(net),
    currency,
    at: at === undefined ? null : parseGatewayTime(at),
    message: message ?? null,
    namedCheckout: reported.checkoutId ?? null,
    namedPayment: reported.paymentId ?? null,
    namedRefund: reported.refundId ?? null,
    namedRefundThere: reported.refundExternalId ?? null,
    namedPayout: reported.payoutId ?? null,
  }
}
