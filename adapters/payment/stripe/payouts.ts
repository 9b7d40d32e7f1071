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
/** Each may need a look-up of its session besides. */
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

/** Of payouts that the shop makes by hand Stripe says never what they are made of. */
const details: Readonly<Record<string, ToldPayout['lines']>> = { completed: 'ready', in_progress: 'later', not_applicable: 'never' }

async function list(context: Context, { since, cursor }: PayoutsAsked): Promise<PayoutPage> {
  const { found, next } = await pageOf(context, 'payouts', {
    'created[gte]': Math.floor(Date.parse(since) / 1000),
    limit: PAYOUTS_A_PAGE,
    ...present({ starting_after: cursor ?? undefined }),
  })
  return { payouts: found.map(payoutIn), cursor: next }
}

/** Newest first, and the next page begins after the last of this one. */
async function pageOf(context: Context, path: string, query: Query): Promise<{ found: readonly Row[]; next: string | null }> {
  const { data, has_more } = await call(context, 'GET', path, { query })
  if (!Array.isArray(data) || !data.every(isRow)) throw unreadable(LABEL, `no list of ${path}`)
  const last = idIn(data.at(-1))
  if (has_more === true && last === undefined) throw unreadable(LABEL, `a list of ${path} that goes on from nowhere`)
  return { found: data, next: has_more === true && last !== undefined ? last : null }
}

/** One that cannot be read is not passed over: it would be missing from the books. */
function payoutIn(row: Row): ToldPayout {
  const [externalId, currency, amount, madeAt] = [idIn(row), currencyIn(row.currency), signed(row.amount), timeIn(row.created)]
  const [status, lines] = [of(statuses, row.status), of(details, row.reconciliation_status)]
  if (externalId === undefined || currency === undefined || amount === undefined || madeAt === undefined || !status || !lines)
    throw unreadable(LABEL, `a payout ${externalId ?? ''} that is not known`)
  return {
    externalId,
    status,
    amount,
    currency,
    madeAt,
    lines,
    ...present({ arrivesAt: timeIn(row.arrival_date), message: wordsIn(row.failure_message) }),
  }
}

/** What went through the balance, in the order that Stripe lists it; that the payout itself left it is no line. */
async function lines(context: Context, { externalId, cursor }: PayoutLinesAsked): Promise<PayoutLinePage> {
  // Of a payout that is not there the list would be empty.
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

/** What each type is; one that is not here is for a person. */
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
  const [gross, fee, net] = [signed(row.amount), signed(row.fee), signed(row.net)]
  if (externalId === undefined || currency === undefined || gross === undefined || fee === undefined || net === undefined)
    throw unreadable(LABEL, `a line ${externalId ?? ''} that is not known`)
  const source = isRow(row.source) ? row.source : undefined
  const kind = source?.object === 'dispute' ? 'dispute' : (of(kinds, row.type) ?? 'adjustment')
  return {
    externalId,
    kind,
    gross,
    fee,
    net,
    currency,
    ...present({ at: timeIn(row.created), message: wordsIn(row.description) }),
    ...(kind === 'returned' && present({ payoutId: idIn(row.source) })),
    ...(kind === 'refund' && present({ refundExternalId: idIn(row.source), refundId: oursIn(source) })),
    ...(source && present({ checkoutId: await checkoutOf(context, source, sessions) })),
  }
}

/** A charge, a refund and a dispute name their PaymentIntent, which was made in a session. */
async function checkoutOf(context: Context, source: Row, sessions: Map<string, string | undefined>): Promise<string | undefined> {
  const intent = idIn(source.payment_intent)
  if (intent === undefined) return undefined
  if (!sessions.has(intent)) sessions.set(intent, await sessionOf(context, intent))
  return sessions.get(intent)
}

const oursIn = (refund: Row | undefined) => (refund && isRow(refund.metadata) ? nameIn(refund.metadata.refundId, OURS_MAX) : undefined)

const of = <V>(table: Readonly<Record<string, V>>, said: unknown): V | undefined =>
  typeof said === 'string' && Object.hasOwn(table, said) ? table[said] : undefined

function signed(value: unknown): number | undefined {
  const found = number(value)
  return found !== undefined && Number.isInteger(found) && Math.abs(found) <= AMOUNT_MAX ? found : undefined
}

/** Nothing in it that a terminal would take for a command. */
const wordsIn = (value: unknown) =>
  text(value)
    ?.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .slice(0, WORDS_MAX)
