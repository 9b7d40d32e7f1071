import {
  isRow,
  number,
  type PayoutLineKind,
  type PayoutLinePage,
  type PayoutLinesAsked,
  type PayoutPage,
  type PayoutStatus,
  type PayoutsAsked,
  present,
  type Query,
  type Row,
  type ToldPayout,
  type ToldPayoutLine,
  text,
  unreadable,
} from 'serai/payment'
import { call } from './api.ts'
import { sessionOf } from './checkouts.ts'
import { type Context, LABEL } from './fields.ts'
import { currencyIn, idIn, nameIn, timeIn } from './news.ts'

export const payouts = { list, lines }

const PAYOUTS_A_PAGE = 100
/** Lines per page. Each may need a lookup of its session. */
const LINES_A_PAGE = 20
const OURS_MAX = 64
const AMOUNT_MAX = 1e13
const WORDS_MAX = 500

const statuses: Readonly<Record<string, PayoutStatus>> = {
  pending: 'pending',
  in_transit: 'in_transit',
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
}

/** Availability of a payout's lines. Stripe has none for manual payouts. */
const details: Readonly<Record<string, ToldPayout['lines']>> = { completed: 'ready', in_progress: 'later', not_applicable: 'never' }

async function list(context: Context, { since, cursor }: PayoutsAsked): Promise<PayoutPage> {
  const { found, next } = await pageOf(context, 'payouts', {
    'created[gte]': Math.floor(Date.parse(since) / 1000),
    limit: PAYOUTS_A_PAGE,
    ...present({ starting_after: cursor ?? undefined }),
  })
  return { payouts: found.map(payoutIn), cursor: next }
}

/** Reads one page, newest first. The cursor is the last id. */
async function pageOf(context: Context, path: string, query: Query): Promise<{ found: readonly Row[]; next: string | null }> {
  const { data, has_more } = await call(context, 'GET', path, { query })
  if (!Array.isArray(data) || !data.every(isRow)) throw unreadable(LABEL, `no list of ${path}`)
  const last = idIn(data.at(-1))
  if (has_more === true && last === undefined) throw unreadable(LABEL, `a list of ${path} that goes on from nowhere`)
  return { found: data, next: has_more === true && last !== undefined ? last : null }
}

/** Presents a payout. Throws for an unreadable one, which would be missing from the ledger. */
function payoutIn(row: Row): ToldPayout {
  const [externalId, currency, amount, madeAt] = [idIn(row), currencyIn(row.currency), signedInteger(row.amount), timeIn(row.created)]
  const [status, lines] = [entryOf(statuses, row.status), entryOf(details, row.reconciliation_status)]
  if (externalId === undefined || currency === undefined || amount === undefined || madeAt === undefined || !status || !lines)
    throw unreadable(LABEL, `a payout ${externalId ?? ''} that is not known`)
  return {
    externalId,
    status,
    amount,
    currency,
    madeAt,
    lines,
    ...present({ arrivesAt: timeIn(row.arrival_date), message: displayText(row.failure_message) }),
  }
}

/** Lists the balance transactions of a payout in Stripe's order, without the payout itself. */
async function lines(context: Context, { externalId, cursor }: PayoutLinesAsked): Promise<PayoutLinePage> {
  // The list of an unknown payout would be empty.
  if (cursor === null) await call(context, 'GET', `payouts/${encodeURIComponent(externalId)}`)
  const { found, next } = await pageOf(context, 'balance_transactions', {
    payout: externalId,
    'expand[]': ['data.source'],
    limit: LINES_A_PAGE,
    ...present({ starting_after: cursor ?? undefined }),
  })
  const isItself = ({ type, source }: Row) => type === 'payout' && idIn(source) === externalId
  const told: ToldPayoutLine[] = []
  const sessions = new Map<string, string | undefined>()
  for (const row of found.filter((one) => !isItself(one))) told.push(await lineIn(context, row, sessions))
  return { lines: told, cursor: next }
}

/** Kinds by transaction type; unknown types are left to a user. */
const kinds: Readonly<Record<string, PayoutLineKind>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  payout_failure: 'returned',
  payout_cancel: 'returned',
}

async function lineIn(context: Context, row: Row, sessions: Map<string, string | undefined>): Promise<ToldPayoutLine> {
  const [externalId, currency] = [idIn(row), currencyIn(row.currency)]
  const [gross, fee, net] = [signedInteger(row.amount), signedInteger(row.fee), signedInteger(row.net)]
  if (externalId === undefined || currency === undefined || gross === undefined || fee === undefined || net === undefined)
    throw unreadable(LABEL, `a line ${externalId ?? ''} that is not known`)
  const source = isRow(row.source) ? row.source : undefined
  const kind = source?.object === 'dispute' ? 'dispute' : (entryOf(kinds, row.type) ?? 'adjustment')
  return {
    externalId,
    kind,
    gross,
    fee,
    net,
    currency,
    ...present({ at: timeIn(row.created), message: displayText(row.description) }),
    ...(kind === 'returned' && present({ payoutId: idIn(row.source) })),
    ...(kind === 'refund' && present({ refundExternalId: idIn(row.source), refundId: refundIdIn(source) })),
    ...(source && present({ checkoutId: await checkoutOf(context, source, sessions) })),
  }
}

/** Returns the session of a charge, refund or dispute, found by its PaymentIntent. */
async function checkoutOf(context: Context, source: Row, sessions: Map<string, string | undefined>): Promise<string | undefined> {
  const intent = idIn(source.payment_intent)
  if (intent === undefined) return undefined
  if (!sessions.has(intent)) sessions.set(intent, await sessionOf(context, intent))
  return sessions.get(intent)
}

const refundIdIn = (refund: Row | undefined) => (refund && isRow(refund.metadata) ? nameIn(refund.metadata.refundId, OURS_MAX) : undefined)

const entryOf = <V>(table: Readonly<Record<string, V>>, said: unknown): V | undefined =>
  typeof said === 'string' && Object.hasOwn(table, said) ? table[said] : undefined

function signedInteger(value: unknown): number | undefined {
  const found = number(value)
  return found !== undefined && Number.isInteger(found) && Math.abs(found) <= AMOUNT_MAX ? found : undefined
}

/** Returns a text without control characters. */
const displayText = (value: unknown) =>
  text(value)
    ?.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .slice(0, WORDS_MAX)
