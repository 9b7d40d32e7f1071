import {
  instant,
  isRow,
  number,
  type PayoutLineKind,
  type PayoutLinePage,
  type PayoutLinesAsked,
  type PayoutPage,
  type PayoutStatus,
  type PayoutsAsked,
  present,
  type Row,
  type ToldPayout,
  type ToldPayoutLine,
  text,
  unreadable,
} from 'serai/payment'
import { call } from './checkouts.ts'
import { type Context, label } from './fields.ts'

/** Reads payouts to the bank and their lines. Leave this file out when the gateway has no payouts. */
export const payouts = { list, lines }

const statuses: Readonly<Record<string, PayoutStatus>> = {
  planned: 'pending',
  sent: 'in_transit',
  arrived: 'paid',
  rejected: 'failed',
  withdrawn: 'cancelled',
}
const kinds: Readonly<Record<string, PayoutLineKind>> = { sale: 'payment', refund: 'refund', rejected_payout: 'returned' }

async function list(context: Context, { since, cursor }: PayoutsAsked): Promise<PayoutPage> {
  const { rows, next } = await pageOf(context, 'payouts', { since, ...present({ after: cursor ?? undefined }) })
  return { payouts: rows.map(payoutIn), cursor: next }
}

async function lines(context: Context, { externalId, cursor }: PayoutLinesAsked): Promise<PayoutLinePage> {
  const path = `payouts/${encodeURIComponent(externalId)}/lines`
  const { rows, next } = await pageOf(context, path, present({ after: cursor ?? undefined }))
  return { lines: rows.map(lineIn), cursor: next }
}

async function pageOf(context: Context, path: string, query: Readonly<Record<string, string>>) {
  const { rows, next } = await call(context, 'GET', path, { query })
  if (!Array.isArray(rows) || !rows.every(isRow)) throw unreadable(label, 'no list')
  return { rows: rows as readonly Row[], next: text(next) ?? null }
}

const of = <V>(table: Readonly<Record<string, V>>, said: unknown): V | undefined =>
  typeof said === 'string' && Object.hasOwn(table, said) ? table[said] : undefined

/** Reads a line of a payout. An unreadable line throws: skipping it would leave money unexplained. */
function payoutIn(row: Row): ToldPayout {
  const [externalId, status, currency] = [text(row.id), of(statuses, row.state), text(row.currency)]
  const [amount, madeAt] = [number(row.total), instant(row.made, '+00:00')]
  if (externalId === undefined || !status || currency === undefined || amount === undefined || madeAt === undefined)
    throw unreadable(label, 'a payout that is not known')
  return { externalId, status, amount, currency, madeAt, lines: 'ready', ...present({ arrivesAt: instant(row.due, '+00:00') }) }
}

function lineIn(row: Row): ToldPayoutLine {
  const [externalId, kind, currency] = [text(row.id), of(kinds, row.type) ?? 'adjustment', text(row.currency)]
  const [gross, fee] = [number(row.amount), number(row.fee)]
  if (externalId === undefined || currency === undefined || gross === undefined || fee === undefined)
    throw unreadable(label, 'a line that is not known')
  const named = { checkoutId: text(row.checkout), refundExternalId: text(row.refund), payoutId: text(row.payout) }
  return { externalId, kind, gross, fee, net: gross - fee, currency, ...present(named) }
}
